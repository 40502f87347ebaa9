/** What may become of costs at the substitute rate. */
import type { BodyOf, kurseSetzen, ResponseOf } from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { lockMandant, updateMandant } from '../store.ts';

/** Sets whether the substitute is replaced by reference rates; the job that does so asks before each of its transactions. */
export function setKurse(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  { ersatzkurs_ersetzen }: BodyOf<typeof kurseSetzen>,
): Promise<ResponseOf<typeof kurseSetzen>> {
  return context.db.forMandant(mandant, async (tx) => {
    const row = await lockMandant(tx);
    const next = { ersatzkurs_ersetzen };
    const changes = changedFields({ ersatzkurs_ersetzen: row.ersatzkurs_ersetzen }, next);
    if (changes) {
      await updateMandant(tx, mandant, next);
      await recordChange(tx, mandant, context.clock.now(), {
        akteur,
        aktion: 'kurse.geaendert',
        objekt: { art: 'mandant', id: mandant, name: row.firma },
        ...changes,
      });
    }
    return next;
  });
}
