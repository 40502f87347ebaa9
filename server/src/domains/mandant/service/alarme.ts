/** Where alarms go. */
import type { Alarmkanaele, AlarmkanaeleEingabe, Static } from '#contracts';
import { askRecipients, forgetRecipients, recipientsOf } from '#domains/postausgang/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import {
  KANAELE,
  type Kanaele,
  kanaeleToApi,
  kanaeleWithRecipients,
  readKanaele,
  writeKanaele,
} from '../alarmkanaele.ts';
import { refuseFaulty } from '../errors.ts';
import { changedKanaele, given, mergeKanaele } from '../rules.ts';
import { lockMandant } from '../store.ts';

/** What the audit log tells of a change: e-mail addresses, and of the others the host. */
function shownChanges(before: Kanaele, after: Kanaele) {
  const changed = changedKanaele(before, after);
  const pick = (kanaele: Kanaele) => {
    const shown = kanaeleToApi(kanaele);
    return Object.fromEntries(changed.map((name) => [name, shown[name]]));
  };
  return changed.length === 0 ? null : { vorher: pick(before), nachher: pick(after) };
}

/** Those of the addresses at which nobody has said yet whether alarms may come. */
const waiting = async (tx: MandantTx, emails: string[]): Promise<string[]> =>
  (await recipientsOf(tx, emails)).filter(({ empfang }) => empfang === 'wartet').map(({ email }) => email);

/**
 * Sets what is given; a field left out stays, null or an empty text removes the channel. Throws 422 with every address
 * that cannot be reached by rule, without repeating it. New recipients are asked by mail whether they agree.
 */
export async function setAlarme(
  context: Pick<ServiceContext, 'db' | 'clock' | 'outbound' | 'secrets' | 'config'>,
  mandant: MandantId,
  akteur: Akteur,
  input: Static<typeof AlarmkanaeleEingabe>,
): Promise<Static<typeof Alarmkanaele>> {
  const { email, ...addresses } = input;
  const wished = given(addresses);
  refuseFaulty(
    KANAELE.map((field) => {
      const address = wished[field];
      return { field, problem: address ? context.outbound.problemOf(address) : null };
    }),
  );
  return context.db.forMandant(mandant, async (tx) => {
    const { firma } = await lockMandant(tx);
    const before = await readKanaele(tx, context.secrets);
    const after = mergeKanaele(before, { ...wished, email });
    const changes = shownChanges(before, after);
    if (changes) {
      await writeKanaele(tx, context.secrets, mandant, after);
      await forgetRecipients(tx, after.email);
      const added = after.email.filter((address) => !before.email.includes(address));
      await askRecipients(context, tx, firma, await waiting(tx, added));
      await recordChange(tx, mandant, context.clock.now(), {
        akteur,
        aktion: 'alarme.geaendert',
        objekt: { art: 'mandant', id: mandant, name: firma },
        ...changes,
      });
    }
    return kanaeleWithRecipients(tx, after);
  });
}
