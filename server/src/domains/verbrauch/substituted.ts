/** What calls cost that were converted at a substitute rate. */
import type { DimensionName } from '#contracts';
import { FIGURE_NAMES } from '#contracts';
import { EUR_SCALE, textOf } from '#kernel/money.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { groupsByEngine } from './engine/consumption-by-engine.ts';
import type { Engine } from './engine/engine.ts';
import { readRatesByHour } from './store/substitutes.ts';
import { readTexts } from './store/values.ts';

/** Cost at a substitute rate. */
export interface SubstitutedRow {
  /** '' for calls without a value. */
  schluessel: string;
  /** Local day, YYYY-MM-DD. */
  tag: string;
  /** EUR, an exact decimal. */
  ersatz_eur: string;
  /** EUR for one USD; null where calls of an hour were converted at several. */
  kurs_usd_eur: string | null;
}

const SUBSTITUTE = FIGURE_NAMES.indexOf('ersatz_eur');
const MINUTE = 60_000;

const inOrder = (a: SubstitutedRow, b: SubstitutedRow) =>
  Buffer.compare(Buffer.from(a.schluessel), Buffer.from(b.schluessel)) || (a.tag < b.tag ? -1 : 1);

/** What the calls of a window that were converted at the substitute cost, by value, local day and rate. As for `groupsByEngine`. */
export async function substituted(
  engine: Engine,
  tx: MandantTx,
  { window, by }: { window: Window; by: DimensionName },
): Promise<SubstitutedRow[]> {
  const rates = await readRatesByHour(tx, window);
  const [answer] = await groupsByEngine(engine, tx, [
    { window, by: ['tag', 'stunde', by], figures: ['aufrufe', 'ersatz_eur'] },
  ]);
  const sums = new Map<string, { merkmal: number; tag: string; kurs: string | null; amount: bigint }>();
  for (const { keys, values } of answer?.groups ?? []) {
    const [day = 0, hour = 0, merkmal = 0] = keys;
    const amount = values[SUBSTITUTE] as bigint;
    if (amount === 0n) continue;
    const kurs = rates.get(hour * MINUTE) ?? null;
    const tag = new Date(day * 1_440 * MINUTE).toISOString().slice(0, 10);
    const sum = sums.getOrInsertComputed(`${merkmal} ${tag} ${kurs}`, () => ({
      merkmal,
      tag,
      kurs,
      amount: 0n,
    }));
    sum.amount += amount;
  }
  const texts = await readTexts(tx, [...new Set(Array.from(sums.values(), ({ merkmal }) => merkmal))]);
  return Array.from(sums.values(), ({ merkmal, tag, kurs, amount }) => ({
    schluessel: texts.get(merkmal) ?? '',
    tag,
    ersatz_eur: textOf(amount, EUR_SCALE),
    kurs_usd_eur: kurs,
  })).sort(inOrder);
}
