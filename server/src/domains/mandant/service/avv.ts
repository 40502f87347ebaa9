/** The data-processing agreement. */
import { AVV_FASSUNG, type avvAkzeptieren, type ResponseOf } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { lockMandant, updateMandant } from '../store.ts';

/** Accepts the present version; once that is accepted, when and by whom stay as they were. */
export function acceptAvv(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
): Promise<ResponseOf<typeof avvAkzeptieren>> {
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    const { avv_akzeptiert_am: before, avv_fassung, firma } = await lockMandant(tx);
    if (before !== null && avv_fassung === AVV_FASSUNG)
      return { avv_akzeptiert_am: toInstant(before), avv_fassung };
    const accepted = { avv_akzeptiert_am: now.toISOString(), avv_fassung: AVV_FASSUNG };
    await updateMandant(tx, mandant, { ...accepted, avv_akzeptiert_von: akteur.name });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'avv.akzeptiert',
      objekt: { art: 'mandant', id: mandant, name: firma },
      vorher: { avv_akzeptiert_am: toInstantOrNull(before), avv_fassung },
      nachher: accepted,
    });
    return accepted;
  });
}
