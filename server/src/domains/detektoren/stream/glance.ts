/**
 * A glance at what marks are about: asked for of all Mandanten together, since most of the time there is nothing to look at, and
 * questions for each of hundreds would cost more than counting.
 */
import type pg from 'pg';
import type { RegelVon } from '#domains/regeln/index.ts';
import { type Order, readOrders } from './disobeyed.ts';
import type { MarksOfMandant } from './marks.ts';
import { readKnownLoops, readTouched, type TouchedRow } from './runs.ts';
import { isTriggered } from './triggers.ts';

export interface Glance {
  /** Runs in which a loop was found before. */
  loops: string[];
  /** Runs that rules may be about. */
  runs: TouchedRow[];
  /** Orders in force. */
  orders: Order[];
}

/** So many runs of several Mandanten together are held in memory. */
const MOST_TOGETHER = 10_000;

/** What the marks of these Mandanten are about; null where that is too much together. Of one alone it never is. */
export async function glanceAt(
  client: pg.PoolClient,
  groups: MarksOfMandant[],
  rulesOf: (mandant: string) => RegelVon[],
  now: Date,
): Promise<Map<string, Glance> | null> {
  const withRules = groups.filter(({ mandant }) => rulesOf(mandant).some(isTriggered));
  const runs = await readTouched(client, withRules, groups.length > 1 ? MOST_TOGETHER + 1 : null);
  if (groups.length > 1 && runs.length > MOST_TOGETHER) return null;
  const loops = await readKnownLoops(client, groups);
  const mandanten = groups.map(({ mandant }) => mandant);
  const orders = await readOrders(client, groups, now);
  const [loopsBy, runsBy, ordersBy] = [loops, runs, orders].map((rows) =>
    Map.groupBy<string, { mandant_id: string }>(rows, ({ mandant_id }) => mandant_id),
  ) as [Map<string, typeof loops>, Map<string, TouchedRow[]>, Map<string, Order[]>];
  return new Map(
    mandanten.map((mandant) => [
      mandant,
      {
        loops: (loopsBy.get(mandant) ?? []).map(({ lauf_id }) => lauf_id),
        runs: runsBy.get(mandant) ?? [],
        orders: ordersBy.get(mandant) ?? [],
      },
    ]),
  );
}
