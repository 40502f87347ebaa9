/** Which rates the cost in EUR of an answer rests on, and to what share. */
import type { Kursquelle as KursquelleSchema, Static } from '#contracts';
import { EUR_SCALE, scaledFrom, shareOf, textOf } from '#kernel/money.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SumsRow } from '../groups.ts';
import { readSubstitutes } from '../store/substitutes.ts';
import type { Snapshot } from './snapshot.ts';

type Kursquelle = Static<typeof KursquelleSchema>;

/** Of a sum over the window, the larger part first; none where it is unknown or 0. */
export async function rateSources(
  tx: MandantTx,
  window: Window,
  { kosten_eur, ersatz_eur }: Pick<SumsRow, 'kosten_eur' | 'ersatz_eur'>,
): Promise<Kursquelle[]> {
  const whole = scaledFrom(kosten_eur ?? '0', EUR_SCALE);
  const substitute = scaledFrom(ersatz_eur ?? '0', EUR_SCALE);
  const part = (quelle: Kursquelle['quelle'], amount: bigint, ersatzkurse: Kursquelle['ersatzkurse']) => ({
    amount,
    source: {
      quelle,
      kosten_eur: textOf(amount, EUR_SCALE),
      anteil: shareOf(amount, whole),
      ersatzkurse,
    },
  });
  return [
    part('ezb', whole - substitute, []),
    part('ersatz', substitute, substitute === 0n ? [] : await readSubstitutes(tx, window)),
  ]
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => (a.amount < b.amount ? 1 : -1))
    .map(({ source }) => source);
}

/** Of everything counted in the window. */
export const rateSourcesOfAll = async ({ tx, ask }: Snapshot, window: Window): Promise<Kursquelle[]> =>
  rateSources(tx, window, (await ask({ window, by: [] })).summe);
