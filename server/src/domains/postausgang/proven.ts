/** In whose name mail leaves. */
import type { MandantTx } from '#platform/database/index.ts';

const provenInhaber = (tx: MandantTx) =>
  tx
    .selectFrom('benutzer')
    .where('rolle', '=', 'inhaber')
    .where('aktiv', '=', true)
    .where('email_bestaetigt_am', 'is not', null)
    .where('email_verloren_am', 'is', null);

/** Whether somebody runs the Mandant whose address is proven. */
export const hasProvenInhaber = async (tx: MandantTx): Promise<boolean> =>
  (await provenInhaber(tx).select('benutzer_id').executeTakeFirst()) !== undefined;

/** Where answers to mails of the Mandant go: the address of the inhaber who has proven one for the longest time; null without one. */
export async function replyAddress(tx: MandantTx): Promise<string | null> {
  const found = await provenInhaber(tx)
    .select('email')
    .orderBy('email_bestaetigt_am')
    .orderBy('benutzer_id')
    .executeTakeFirst();
  return found?.email ?? null;
}
