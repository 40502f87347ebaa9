/**
 * A glance at what marks are about: asked for of all Mandanten together, since most of the time there is nothing to look at, and
 * questions for each of hundreds would cost more than counting.
 */
import type pg from 'pg';
import { type RunMemory, readRunsAnew } from '#domains/laeufe/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { type Order, readOrders } from './disobeyed.ts';
import type { MarksOfMandant } from './marks.ts';
import { readKnownLoops } from './runs.ts';
import { isTriggered } from './triggers.ts';

export interface Glance {
  /** Runs in which a loop was found before. */
  loops: string[];
  /** Orders in force. */
  orders: Order[];
}

/** Brings the memory of runs up to date, of those that rules may be about. */
async function refresh(
  client: pg.PoolClient,
  memory: RunMemory,
  groups: MarksOfMandant[],
  rulesOf: (mandant: string) => RegelVon[],
): Promise<void> {
  for (const { mandant, laeufe, eigene } of groups) {
    if (!rulesOf(mandant).some(isTriggered)) continue;
    const certain = laeufe.filter((lauf) => eigene.has(lauf));
    const others = laeufe.filter((lauf) => !eigene.has(lauf));
    await readRunsAnew(client, memory, { mandant, certain, others }, performance.now());
  }
}

/** What the marks of these Mandanten are about. */
export async function glanceAt(
  client: pg.PoolClient,
  memory: RunMemory,
  groups: MarksOfMandant[],
  rulesOf: (mandant: string) => RegelVon[],
  now: Date,
): Promise<Map<string, Glance>> {
  await refresh(client, memory, groups, rulesOf);
  const loops = await readKnownLoops(client, groups);
  const orders = await readOrders(client, groups, now);
  const loopsBy = Map.groupBy(loops, ({ mandant_id }) => mandant_id);
  const ordersBy = Map.groupBy(orders, ({ mandant_id }) => mandant_id);
  return new Map(
    groups.map(({ mandant }) => [
      mandant,
      {
        loops: (loopsBy.get(mandant) ?? []).map(({ lauf_id }) => lauf_id),
        orders: ordersBy.get(mandant) ?? [],
      },
    ]),
  );
}
