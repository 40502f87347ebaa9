/** SQL of runs: one, and lists of them. */
import { type RawBuilder, sql } from 'kysely';
import { DIMENSIONS, type DimensionName } from '#contracts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import { ORIGIN } from '../latest-call.ts';
import type { LaufRow } from '../rules.ts';
import { foundByIndex, foundNear, isNothing, readNamed, type Wanted } from './search.ts';

const RUN = [
  'lauf_id',
  'agent',
  'projekt',
  'endkunde_ref',
  'status',
  'beginn',
  'ende',
  'aufrufe',
  'fehler',
  'unbepreist',
  'teilbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'eingabe_ohne_cache',
  'ausgabe_gesamt',
  'aufgeteilt',
] as const;

/** Of runs that were counted before it was kept when their last call had ended, that call has no length. */
const DAUER =
  'greatest(fertig_ms, floor(extract(epoch FROM ende) * 1000)) - floor(extract(epoch FROM beginn) * 1000)';

const selectRuns = (tx: MandantTx) =>
  tx
    .selectFrom('laeufe')
    .select(RUN)
    .select(({ ref }) => [
      sql<number | string>`(${sql.raw(DAUER)})::bigint`.as('dauer_ms'),
      exactText(ref('kosten_eur')).as('kosten_eur'),
      exactText(ref('kosten_usd')).as('kosten_usd'),
      exactText(ref('ersatz_eur')).as('ersatz_eur'),
      exactText(ref('verbranntes_geld_eur')).as('verbranntes_geld_eur'),
    ])
    .where('mandant_id', '=', tx.mandant);

/**
 * What runs are put in order by: an expression, and what kind of value it has. With the table's name: without it an order is by what is
 * selected under the same name, which of amounts is their text.
 */
const SORTS = {
  ende: { by: 'laeufe.ende', type: 'timestamptz' },
  beginn: { by: 'laeufe.beginn', type: 'timestamptz' },
  kosten: { by: 'laeufe.kosten_eur', type: 'numeric' },
  dauer: { by: DAUER, type: 'numeric' },
  schritte: { by: 'laeufe.aufrufe', type: 'numeric' },
  fehler: { by: 'laeufe.fehler', type: 'numeric' },
  verbrannt: { by: 'laeufe.verbranntes_geld_eur', type: 'numeric' },
} as const;

export type Sort = keyof typeof SORTS;

/** Whether runs are put in order by a time; all else is numbers. */
export const isByTime = (sort: Sort): boolean => SORTS[sort].type === 'timestamptz';

export interface RunOrder {
  sort: Sort;
  descending: boolean;
}

export interface RunPlace {
  /** Of what the order is by: ISO 8601 in UTC, a decimal number, or null for an unknown one. */
  value: string | null;
  laufId: string;
}

export interface RunFilter {
  /** Of the latest call, ISO 8601 in UTC; the second is exclusive. */
  von?: string | undefined;
  bis?: string | undefined;
  /** A value of each of these dimensions; '' for none. */
  values?: Partial<Record<DimensionName, string>>;
  status?: string | undefined;
  /** Only runs with at least one failed call, or one without a known price. */
  nurFehler?: boolean | undefined;
  nurUnbepreist?: boolean | undefined;
  /** The beginning of an id, or a part of the key or name of an agent or end customer. */
  suche?: string | undefined;
}

type Condition = RawBuilder<boolean>;

/** Dimensions that a run has itself; the others are those of its calls. */
const OF_RUN: Partial<Record<DimensionName, string>> = {
  agent: 'agent',
  projekt: 'projekt',
  endkunde: 'endkunde_ref',
};

function hasValue(tx: MandantTx, dimension: DimensionName, value: string): Condition {
  const own = OF_RUN[dimension];
  if (own) return value === '' ? sql`${sql.ref(own)} IS NULL` : sql`${sql.ref(own)} = ${value}`;
  const column = sql.raw(`coalesce(e.${DIMENSIONS[dimension].column}, '')`);
  // The bounds of the run are there for the planner: they leave out the months it does not touch.
  return sql`EXISTS (SELECT FROM ereignisse e WHERE e.mandant_id = ${tx.mandant} AND e.lauf_id = laeufe.lauf_id
    AND e.zeitpunkt >= laeufe.beginn AND e.zeitpunkt <= laeufe.ende AND ${column} = ${value})`;
}

const allOf = (conditions: (Condition | false)[]): Condition =>
  sql<boolean>`(${sql.join([sql`true`, ...conditions.filter((condition) => condition !== false)], sql` AND `)})`;

/** The minute that the index of the latest calls has. */
const minuteOf = (instant: string) => sql`date_bin('1 minute', ${instant}::timestamptz, ${sql.lit(ORIGIN)})`;

const MINUTE = 60_000_000_000n;
const isWholeMinute = (instant: string): boolean =>
  Temporal.Instant.from(instant).epochNanoseconds % MINUTE === 0n;

/** By the minute alone where that says all, as days do: a planner that knows nothing takes a second condition for one that leaves out nearly all. */
const isInTime = ({ von, bis }: RunFilter): Condition =>
  allOf([
    von !== undefined && sql`ende_minute >= ${minuteOf(von)}`,
    von !== undefined && !isWholeMinute(von) && sql`ende >= ${von}::timestamptz`,
    bis !== undefined &&
      (isWholeMinute(bis)
        ? sql`ende_minute < ${bis}::timestamptz`
        : sql`(ende_minute <= ${minuteOf(bis)} AND ende < ${bis}::timestamptz)`),
  ]);

function meetsRest(tx: MandantTx, { values = {}, status, nurFehler, nurUnbepreist }: RunFilter): Condition {
  return allOf([
    status !== undefined && sql`status = ${status}`,
    nurFehler === true && sql`fehler > 0`,
    nurUnbepreist === true && sql`unbepreist > 0`,
    ...Object.entries(values).map(([name, value]) => hasValue(tx, name as DimensionName, value)),
  ]);
}

/** Behind a place in the order, where unknown values are the last. */
function isBehind({ sort, descending }: RunOrder, { value, laufId }: RunPlace): Condition {
  const { by, type } = SORTS[sort];
  const expression = sql.raw(`(${by})`);
  if (value === null) return sql`(${expression} IS NULL AND lauf_id > ${laufId}::uuid)`;
  const at = sql`${value}::${sql.raw(type)}`;
  const [beyond, from] = descending ? [sql`<`, sql`<=`] : [sql`>`, sql`>=`];
  const next = sql<boolean>`(${expression} ${from} ${at} AND (${expression} ${beyond} ${at} OR lauf_id > ${laufId}::uuid))`;
  if (sort === 'kosten') return sql`(${next} OR ${expression} IS NULL)`;
  // What the index is searched by.
  return sort === 'ende' ? sql`(ende_minute ${from} ${minuteOf(value)} AND ${next})` : next;
}

type ListedRun = LaufRow & { sortiert: string | null };

/** An order as SQL has it, those of equal rank by id. */
function orderBy({ sort, descending }: RunOrder): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'DESC' : 'ASC');
  // Only costs may be unknown: an order that says so of times is none that the index has.
  const unknown = sql.raw(sort === 'kosten' ? 'NULLS LAST' : '');
  // The index has the minutes in order; within one the runs are put in order.
  const first = sort === 'ende' ? sql`ende_minute ${direction}, ` : sql``;
  return sql`${first}(${sql.raw(SORTS[sort].by)}) ${direction} ${unknown}, lauf_id`;
}

const selectListed = (tx: MandantTx, { sort }: RunOrder, { condition, order, limit }: Wanted) =>
  selectRuns(tx)
    .select(sql<string | null>`to_json(${sql.raw(SORTS[sort].by)}) #>> '{}'`.as('sortiert'))
    .where(condition)
    .orderBy(order)
    .limit(limit);

async function searchRuns(
  tx: MandantTx,
  suche: string,
  order: RunOrder,
  wanted: Wanted,
  inTime: Condition,
): Promise<ListedRun[]> {
  const named = await readNamed(tx, suche);
  if (isNothing(named)) return [];
  const among = (ids: RawBuilder<unknown>): Promise<ListedRun[]> =>
    selectListed(tx, order, { ...wanted, condition: sql`lauf_id = ANY (ARRAY(${ids}))` }).execute();
  if (order.sort !== 'ende') return among(foundByIndex(tx, wanted, named, false));
  const near = await among(foundNear(tx, wanted, named, inTime));
  return near.length === wanted.limit ? near : among(foundByIndex(tx, wanted, named, true));
}

/** Runs that meet the filter, in an order, at most `limit`, those behind `after`. `sortiert`: what the order is by. */
export function readRuns(
  tx: MandantTx,
  filter: RunFilter,
  order: RunOrder,
  limit: number,
  after: RunPlace | null = null,
): Promise<ListedRun[]> {
  const inTime = allOf([isInTime(filter), after !== null && isBehind(order, after)]);
  const condition = allOf([inTime, meetsRest(tx, filter)]);
  const wanted = { condition, order: orderBy(order), limit };
  return filter.suche === undefined
    ? selectListed(tx, order, wanted).execute()
    : searchRuns(tx, filter.suche, order, wanted, inTime);
}

/** Undefined when the Mandant has no such run. */
export const readRun = (tx: MandantTx, laufId: string): Promise<LaufRow | undefined> =>
  selectRuns(tx).where('lauf_id', '=', laufId).executeTakeFirst();

/** The time zone of the Mandant, IANA name. */
export const readZone = async (tx: MandantTx): Promise<string> =>
  (
    await tx
      .selectFrom('mandanten')
      .select('zeitzone')
      .where('mandant_id', '=', tx.mandant)
      .executeTakeFirstOrThrow()
  ).zeitzone;

/** What runs have cost so far, in EUR, exactly; one without a cost is not in it. */
export async function runCosts(tx: MandantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('laeufe')
    .select(({ ref }) => ['lauf_id', exactText(ref('kosten_eur')).as('kosten_eur')])
    .where('mandant_id', '=', tx.mandant)
    .where('lauf_id', 'in', ids)
    .where('kosten_eur', 'is not', null)
    .execute();
  return new Map(rows.map(({ lauf_id, kosten_eur }) => [lauf_id, kosten_eur ?? '0']));
}
