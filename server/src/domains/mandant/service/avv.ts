/** The data-processing agreement. */
import type { avvAkzeptieren, ResponseOf } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { lockMandant, updateMandant } from '../store.ts';

/** Accepts the agreement; once it is accepted, when and by whom stay as they were. */
export function acceptAvv(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
): Promise<ResponseOf<typeof avvAkzeptieren>> {
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    const { avv_akzeptiert_am: accepted, firma } = await lockMandant(tx);
    if (accepted !== null) return { avv_akzeptiert_am: toInstant(accepted) };
    const avv_akzeptiert_am = now.toISOString();
    await updateMandant(tx, mandant, { avv_akzeptiert_am, avv_akzeptiert_von: akteur.name });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'avv.akzeptiert',
      objekt: { art: 'mandant', id: mandant, name: firma },
      vorher: { avv_akzeptiert_am: null },
      nachher: { avv_akzeptiert_am },
    });
    return { avv_akzeptiert_am };
  });
}
