/** Costs of values whether or not they have running sums: the engine is asked for those that have none. */
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import { hourStart, nextHour } from '#kernel/zeitraum.ts';
import { askInRequest, type MandantTx } from '#platform/database/index.ts';
import { type CostQuestion, costsSince } from './costs.ts';
import { consumptionByEngine } from './engine/consumption-by-engine.ts';
import type { Engine } from './engine/engine.ts';

/** Where the answer comes from. */
interface CostSource {
  engine: Engine;
  tx: MandantTx;
  /** Of the Mandant: its hours are asked for. */
  zone: string;
}

/** What the engine says of these values. */
async function askEngine(
  { engine, tx, zone }: CostSource,
  { dimension, grain, since, until }: CostQuestion,
  values: readonly string[],
): Promise<Map<string, string[]>> {
  const at = (iso: string) => Temporal.Instant.from(iso).toZonedDateTimeISO(zone);
  const moments = since.map((iso) => Temporal.Instant.from(iso));
  const [von, end] = [hourStart(at(since[0])), at(until)];
  const { zeilen } = await consumptionByEngine(engine, tx, {
    window: { von, bis: hourStart(end).equals(end) ? end : nextHour(hourStart(end)) },
    by: [dimension, grain],
    where: [{ dimension, values }],
    order: 'cost',
  });
  const sums = new Map<string, bigint[]>();
  for (const { schluessel, kosten_eur } of zeilen) {
    const [value, begins] = schluessel as [string, string];
    const sum = sums.get(value) ?? moments.map(() => 0n);
    sums.set(value, sum);
    const begin = Temporal.Instant.from(begins);
    if (Temporal.Instant.compare(begin, Temporal.Instant.from(until)) >= 0) continue;
    for (const [index, moment] of moments.entries())
      if (Temporal.Instant.compare(begin, moment) >= 0)
        sum[index] = (sum[index] as bigint) + eurFrom(kosten_eur ?? '0');
  }
  return new Map([...sums].map(([value, costs]) => [value, costs.map((cost) => eurText(cost as Eur))]));
}

/** As `costsSince`, of every value. Throws 503 where the engine cannot answer. */
export async function completeCostsSince(
  source: CostSource,
  question: CostQuestion,
): Promise<Map<string, string[]>> {
  const costs = await costsSince(askInRequest(source.tx), question);
  const missing = [...costs].flatMap(([value, cost]) => (cost === null ? [value] : []));
  const known = [...costs].flatMap(([value, cost]): [string, string[]][] => (cost ? [[value, cost]] : []));
  if (missing.length === 0) return new Map(known);
  return new Map([...known, ...(await askEngine(source, question, missing))]);
}
