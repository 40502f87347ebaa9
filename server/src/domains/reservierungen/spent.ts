/** How limits stand: what was counted of each, from the sums that counting keeps. */
import { DIMENSIONS, type DimensionName } from '#contracts';
import { runCosts } from '#domains/laeufe/index.ts';
import { completeCostsSince, type Engine, keyCostsSince, totalCostsSince } from '#domains/verbrauch/index.ts';
import { type Eur, eurFrom } from '#kernel/money.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import { askInRequest, type MandantTx } from '#platform/database/index.ts';
import type { HardLimit } from './hard-limits.ts';
import type { LimitStanding } from './rules.ts';
import { ALL_CALLS, tagOf } from './tags.ts';
import { monthOf, type Sums, sumsOf } from './windows.ts';

/** A limit and the object it is asked about. */
export interface About {
  limit: HardLimit;
  objekt: string;
}

const NOTHING = eurFrom('0');
const valueIn = (objekt: string) => objekt.slice(objekt.indexOf('=') + 1);
const kindOf = (objekt: string) => objekt.slice(0, objekt.indexOf('='));
const isDimension = (kind: string): kind is DimensionName => Object.hasOwn(DIMENSIONS, kind);

const windowOf = ({ of }: HardLimit, now: Temporal.ZonedDateTime): Sums | null => {
  if (of.kind === 'lauf') return null;
  return of.kind === 'monat' ? monthOf(now) : sumsOf(of.zeitfenster, now);
};

type Placed = About & { sums: Sums };

async function spentInRuns(tx: MandantTx, about: About[], begins: string): Promise<LimitStanding[]> {
  if (about.length === 0) return [];
  const costs = await runCosts(tx, [...new Set(about.map(({ objekt }) => valueIn(objekt)))]);
  return about.map((each) => ({
    ...each,
    spent: eurFrom(costs.get(valueIn(each.objekt)) ?? '0'),
    begins,
    ends: null,
  }));
}

/** Of API keys budgets alone are limits, which end. */
async function spentByKeys(tx: MandantTx, keys: string[], { begins, ends }: Sums): Promise<Map<string, Eur>> {
  if (ends === null) return new Map();
  const costs = await keyCostsSince(askInRequest(tx), {
    mandant: tx.mandant,
    schluessel: keys,
    since: [begins],
    until: ends,
  });
  return new Map([...costs].map(([id, [cost = '0']]) => [tagOf('schluessel', id), eurFrom(cost)]));
}

/** Those of one kind of object and one window share a statement. */
async function spentInSums(
  engine: Engine,
  tx: MandantTx,
  group: Placed[],
  zone: string,
): Promise<Map<string, Eur>> {
  const [first] = group;
  if (!first) return new Map();
  const { grain, since, until } = first.sums;
  const ask = askInRequest(tx);
  const about = { mandant: tx.mandant, grain, until };
  if (first.objekt === ALL_CALLS) {
    const { kosten } = await totalCostsSince(ask, { ...about, since: [since] });
    return new Map([[ALL_CALLS, eurFrom(kosten[0] ?? '0')]]);
  }
  const dimension = kindOf(first.objekt);
  const values = [...new Set(group.map(({ objekt }) => valueIn(objekt)))];
  if (dimension === 'schluessel') return spentByKeys(tx, values, first.sums);
  if (!isDimension(dimension)) return new Map();
  const source = { engine, tx, zone };
  const costs = await completeCostsSince(source, { ...about, since: [since], dimension, values });
  return new Map(values.map((value) => [`${dimension}=${value}`, eurFrom(costs.get(value)?.[0] ?? '0')]));
}

/** How each stands now, in any order. */
export async function readStandings(
  engine: Engine,
  tx: MandantTx,
  about: About[],
  now: Temporal.ZonedDateTime,
): Promise<LimitStanding[]> {
  const placed = about.flatMap((each): Placed[] => {
    const sums = windowOf(each.limit, now);
    return sums === null ? [] : [{ ...each, sums }];
  });
  const standings = await spentInRuns(
    tx,
    about.filter(({ limit }) => limit.of.kind === 'lauf'),
    toUtc(now.startOfDay()),
  );
  const groups = Map.groupBy(
    placed,
    ({ objekt, sums }) => `${kindOf(objekt)} ${sums.grain} ${sums.since} ${sums.until}`,
  );
  for (const group of groups.values()) {
    const spent = await spentInSums(engine, tx, group, now.timeZoneId);
    for (const { limit, objekt, sums } of group)
      standings.push({
        limit,
        objekt,
        spent: spent.get(objekt) ?? NOTHING,
        begins: sums.begins,
        ends: sums.ends,
      });
  }
  return standings;
}
