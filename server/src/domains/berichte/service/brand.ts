/** How the Mandant appears at the head of its documents. */
import { fetchLogo, readMandant } from '#domains/mandant/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';

export interface Brand {
  name: string;
  /** `#rrggbb`. */
  farbe: string | null;
  /** PNG or JPEG as it came from the Mandant's address; null where there is none or it could not be had. */
  logo: Uint8Array | null;
  fusszeile: string | null;
}

type Context = Pick<ServiceContext, 'db' | 'outbound' | 'log'>;

/** A logo that cannot be had keeps no document from being made. */
async function logoOf(context: Context, mandant: MandantId): Promise<Uint8Array | null> {
  try {
    return (await fetchLogo(context, mandant)).bytes;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * Name, colour and foot as the Mandant has set them; the name of the company where it has set none. `beforeFetching` is called before a
 * foreign address is asked for the logo, and may refuse.
 */
export async function brandOf(
  context: Context,
  mandant: MandantId,
  beforeFetching: () => Promise<void> = async () => undefined,
): Promise<Brand> {
  const row = await context.db.forMandant(mandant, readMandant);
  const hasLogo = row.branding_logo_url !== null;
  if (hasLogo) await beforeFetching();
  return {
    name: row.branding_name ?? row.firma,
    farbe: row.branding_farbe,
    logo: hasLogo ? await logoOf(context, mandant) : null,
    fusszeile: row.branding_fusszeile,
  };
}
