/** SQL of runs: one, and lists of them. */
import { type RawBuilder, sql } from 'kysely';
import { DIMENSIONS, type DimensionName } from '#contracts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import type { LaufRow } from '../rules.ts';

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

const HEX = /^[0-9a-f]{1,32}$/;

/** The first and the last id that begins with these digits; null for what no id begins with. */
function idsWith(prefix: string): [string, string] | null {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  return HEX.test(digits) ? [digits.padEnd(32, '0'), digits.padEnd(32, 'f')] : null;
}

/** Letters that have another case, up to Cyrillic: what the database makes of them depends on its locale. */
const CAPITALS = Array.from({ length: 0x530 - 0xc0 }, (_, code) => String.fromCharCode(0xc0 + code)).filter(
  (letter) => letter.toLowerCase() !== letter && letter.toLowerCase().length === 1,
);
const UPPER = CAPITALS.join('');
const LOWER = UPPER.toLowerCase();

const lowered = (text: RawBuilder<unknown>) => sql`translate(lower(${text}), ${UPPER}, ${LOWER})`;

function matches(suche: string): Condition {
  const contains = (column: string) =>
    sql`position(${lowered(sql`${suche}::text`)} IN ${lowered(sql.ref(column))}) > 0`;
  const named = sql<boolean>`(${contains('agent')} OR coalesce(${contains('endkunde_ref')}, false))`;
  const ids = idsWith(suche);
  return ids ? sql`(lauf_id BETWEEN ${ids[0]}::uuid AND ${ids[1]}::uuid OR ${named})` : named;
}

function conditionsOf(tx: MandantTx, filter: RunFilter): Condition[] {
  const { von, bis, values = {}, status, nurFehler, nurUnbepreist, suche } = filter;
  const conditions: (Condition | false)[] = [
    von !== undefined && sql`ende >= ${von}::timestamptz`,
    bis !== undefined && sql`ende < ${bis}::timestamptz`,
    status !== undefined && sql`status = ${status}`,
    nurFehler === true && sql`fehler > 0`,
    nurUnbepreist === true && sql`unbepreist > 0`,
    suche !== undefined && matches(suche),
    ...Object.entries(values).map(([name, value]) => hasValue(tx, name as DimensionName, value)),
  ];
  return conditions.filter((condition) => condition !== false);
}

/** Behind a place in the order, where unknown values are the last. */
function isBehind({ sort, descending }: RunOrder, { value, laufId }: RunPlace): Condition {
  const { by, type } = SORTS[sort];
  const expression = sql.raw(`(${by})`);
  if (value === null) return sql`(${expression} IS NULL AND lauf_id > ${laufId}::uuid)`;
  const at = sql`${value}::${sql.raw(type)}`;
  const [beyond, from] = descending ? [sql`<`, sql`<=`] : [sql`>`, sql`>=`];
  const next = sql<boolean>`(${expression} ${from} ${at} AND (${expression} ${beyond} ${at} OR lauf_id > ${laufId}::uuid))`;
  // Where nothing is unknown, the first condition is what an index is searched by.
  return sort === 'kosten' ? sql`(${next} OR ${expression} IS NULL)` : next;
}

type Row = LaufRow & { sortiert: string | null };

/** Runs that meet the filter, in an order, at most `limit`, those behind `after`. `sortiert`: what the order is by. */
export function readRuns(
  tx: MandantTx,
  filter: RunFilter,
  order: RunOrder,
  limit: number,
  after: RunPlace | null = null,
): Promise<Row[]> {
  const { by } = SORTS[order.sort];
  const direction = sql.raw(order.descending ? 'DESC' : 'ASC');
  // Only costs may be unknown: an order that says so of times is none that the index has.
  const unknown = sql.raw(order.sort === 'kosten' ? 'NULLS LAST' : '');
  const conditions = [...conditionsOf(tx, filter), ...(after ? [isBehind(order, after)] : [])];
  return selectRuns(tx)
    .select(sql<string | null>`to_json(${sql.raw(by)}) #>> '{}'`.as('sortiert'))
    .where(sql<boolean>`${sql.join([sql`true`, ...conditions], sql` AND `)}`)
    .orderBy(sql`(${sql.raw(by)}) ${direction} ${unknown}`)
    .orderBy('lauf_id')
    .limit(limit)
    .execute();
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
