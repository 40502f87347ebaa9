/** Asking again whether alarms may go to an address. */
import type { alarmempfaengerFragen, ResponseOf } from '#contracts';
import { addressKey, askRecipients, mailExhausted, recipientsOf } from '#domains/postausgang/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readKanaele } from '../alarmkanaele.ts';
import { receiptDecided } from '../errors.ts';
import { lockMandant } from '../store.ts';

/**
 * Sends the question once more; also to who has declined, and whose answer it remains. Throws 404 for an address that is not entered,
 * 409 where somebody has agreed, 429.
 */
export function askAgain(
  context: Pick<ServiceContext, 'db' | 'clock' | 'secrets' | 'config'>,
  mandant: MandantId,
  akteur: Akteur,
  email: string,
): Promise<ResponseOf<typeof alarmempfaengerFragen>> {
  return context.db.forMandant(mandant, async (tx) => {
    const { firma } = await lockMandant(tx);
    const { email: entered } = await readKanaele(tx, context.secrets);
    const address = entered.find((one) => addressKey(one) === addressKey(email));
    if (address === undefined) throw notFound({ de: 'Diese Adresse', en: 'This address' });
    const [before] = await recipientsOf(tx, [address]);
    if (before?.empfang === 'bestaetigt') throw receiptDecided();
    const asked = await askRecipients(context, tx, firma, [address]);
    if (asked.wait > 0) throw mailExhausted(asked);
    await recordChange(tx, mandant, context.clock.now(), {
      akteur,
      aktion: 'alarme.empfaenger_gefragt',
      objekt: { art: 'empfaenger', id: address, name: address },
    });
    const [after] = await recipientsOf(tx, [address]);
    if (!after) throw notFound({ de: 'Diese Adresse', en: 'This address' });
    return { ...after, mail_gehalten: asked.held };
  });
}
