/** Who sends statements, as they present themselves. */
import { fetchLogo, type MandantRow, readMandant } from '#domains/mandant/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Statement } from '../statement/model.ts';
import { readSender, type Sender } from '../store/months.ts';

type Context = Pick<ServiceContext, 'db' | 'outbound' | 'log'>;

/** Null where none is set, or where it cannot be had: a statement is made without it. */
export async function logoOf(context: Context, mandant: MandantId): Promise<Uint8Array | null> {
  try {
    return (await fetchLogo(context, mandant)).bytes;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** As the Mandant presents itself today. */
export const senderOf = (
  brand: Pick<MandantRow, 'branding_name' | 'firma' | 'branding_farbe' | 'branding_fusszeile'>,
): Sender => ({
  name: brand.branding_name ?? brand.firma,
  farbe: brand.branding_farbe,
  fusszeile: brand.branding_fusszeile,
});

/** Without a logo: that of today is still to be fetched. */
type KnownSender = Sender & { logo?: Uint8Array | null };

/** Who sends the statements of a month: as when it was closed, where that was kept, else as today. */
export const readSenderOf = async (tx: MandantTx, monat: string): Promise<KnownSender> =>
  (await readSender(tx, monat)) ?? senderOf(await readMandant(tx));

/** … with the logo of today where none was kept. */
export const withLogo = async (
  context: Context,
  mandant: MandantId,
  sender: KnownSender,
): Promise<Statement['absender']> => ({
  ...sender,
  logo: sender.logo === undefined ? await logoOf(context, mandant) : sender.logo,
});
