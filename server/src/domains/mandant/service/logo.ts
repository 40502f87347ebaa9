/** The logo of a Mandant, fetched from where the Mandant keeps it. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readAtMost } from '#platform/outbound.ts';
import { logoUnreadable, noLogo } from '../errors.ts';
import { type ImageType, imageTypeOf } from '../rules.ts';
import { readMandant } from '../store.ts';

const LIMIT = 512 * 1024;

export interface Logo {
  type: ImageType;
  bytes: Buffer;
}

type Context = Pick<ServiceContext, 'db' | 'outbound' | 'log'>;

/** Null for whatever goes wrong: what a foreign server answered is for the log, not for the caller. */
async function fetchBytes(context: Context, mandant: MandantId, url: string): Promise<Buffer | null> {
  try {
    const response = await context.outbound.fetch(url, { headers: { accept: 'image/png, image/jpeg' } });
    if (response.status === 200) return await readAtMost(response, LIMIT);
    await response.body?.cancel();
    context.log.info({ mandant, status: response.status }, 'logo not fetched');
  } catch (error) {
    context.log.info({ mandant, err: error }, 'logo not fetched');
  }
  return null;
}

/** Throws 404 when none is set, 409 when there is no PNG or JPEG of at most 512 KiB at its address. */
export async function fetchLogo(context: Context, mandant: MandantId): Promise<Logo> {
  const { branding_logo_url: url } = await context.db.forMandant(mandant, readMandant);
  if (url === null) throw noLogo();
  const bytes = await fetchBytes(context, mandant, url);
  const type = bytes && imageTypeOf(bytes);
  if (!type) throw logoUnreadable();
  return { type, bytes };
}
