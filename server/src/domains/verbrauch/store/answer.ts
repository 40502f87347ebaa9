/** From rows of sums to groups, a page of them, what is left and the whole. */
import { sql } from 'kysely';
import { FIGURE_NAMES } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { ANSWER, DIFFERENCES, RANKED, SUMS, type SumsRow } from './figures.ts';
import type { Part } from './sums.ts';

/** Behind which group a page begins: its place in the order (days and hours have none but their key) and its key. */
export interface Position {
  place: string | null;
  schluessel: string;
}

export interface Page {
  /** Groups at most; null for all. */
  limit: number | null;
  after: Position | null;
}

export type GroupRow = SumsRow & Position;

export interface Groups<Row = GroupRow> {
  zeilen: Row[];
  /** All groups that are not in `zeilen`, how many and their sums. */
  rest: SumsRow & { gruppen: number };
  summe: SumsRow;
  /** Whether groups follow those in `zeilen`. */
  hasMore: boolean;
}

type Told = SumsRow & {
  kind: 'zeile' | 'rest' | 'summe';
  gruppen: string;
  behind: string;
};

/**
 * Runs the query whose parts `ctes` end with: `all_groups`; `after_position`, those behind it, at least one more than the
 * page holds; `shown`, the groups of the page with their sums, `place`, `ordinal` and the columns `keys` that name a group;
 * `whole`, the sums of all.
 */
async function answer<Row extends SumsRow = GroupRow>(
  tx: MandantTx,
  ctes: Part[],
  keys: readonly string[] = ['schluessel'],
): Promise<Groups<Row>> {
  const columns = sql.raw(['place', ...keys].map((name) => `s.${name}`).join(', '));
  const none = sql.raw(['place', ...keys].map(() => 'NULL').join(', '));
  const { rows } = await sql<Row & Told>`
    WITH ${sql.join(ctes)},
    remaining AS (SELECT ${DIFFERENCES} FROM whole g CROSS JOIN (SELECT ${SUMS} FROM shown) z)
    SELECT 'zeile' AS kind, s.ordinal, ${columns}, NULL AS gruppen, NULL AS behind, ${ANSWER} FROM shown s
    UNION ALL SELECT 'rest', NULL, ${none},
      ((SELECT count(*) FROM all_groups) - (SELECT count(*) FROM shown))::text,
      ((SELECT count(*) FROM after_position) - (SELECT count(*) FROM shown))::text, ${ANSWER} FROM remaining s
    UNION ALL SELECT 'summe', NULL, ${none}, NULL, NULL, ${ANSWER} FROM whole s
    ORDER BY ordinal`.execute(tx);
  const rest = rows.find(({ kind }) => kind === 'rest') as Row & Told;
  return {
    zeilen: rows.filter(({ kind }) => kind === 'zeile'),
    rest: { ...rest, gruppen: Number(rest.gruppen) },
    summe: rows.find(({ kind }) => kind === 'summe') as SumsRow,
    hasMore: Number(rest.behind) > 0,
  };
}

const atMost = ({ limit }: Page): Part => (limit === null ? sql`` : sql`LIMIT ${limit}`);

/** All rows of `rowsOf` together. */
export async function readTotal(tx: MandantTx, rows: Part): Promise<SumsRow> {
  const result = await sql<SumsRow>`SELECT ${ANSWER} FROM (SELECT ${SUMS} FROM (${rows}) r) s`.execute(tx);
  return result.rows[0] as SumsRow;
}

/** By local day or by hour, in the order of time: `rows` are those of `rowsOf`. */
export function readBuckets(tx: MandantTx, rows: Part, page: Page): Promise<Groups> {
  const after = page.after ? sql`WHERE bucket > ${page.after.schluessel}` : sql``;
  return answer(tx, [
    sql`all_groups AS MATERIALIZED (SELECT bucket, ${SUMS} FROM (${rows}) r GROUP BY bucket HAVING sum(aufrufe) > 0)`,
    sql`after_position AS (SELECT * FROM all_groups ${after})`,
    sql`shown AS (
      SELECT row_number() OVER (ORDER BY bucket) AS ordinal, NULL AS place,
        to_json(bucket) #>> '{}' AS schluessel, *
      FROM (SELECT * FROM after_position ORDER BY bucket ${atMost(page)}) s)`,
    sql`whole AS (SELECT ${SUMS} FROM all_groups)`,
  ]);
}

const FIGURES_ALONE = sql.raw(FIGURE_NAMES.join(', '));
const FIGURES_OF_S = sql.raw(FIGURE_NAMES.map((name) => `s.${name}`).join(', '));
const NO_FIGURES = sql.raw(FIGURE_NAMES.map(() => 'NULL').join(', '));

/** Where the sums of a dimension's values come from. */
export interface ValueSources {
  /** SELECT of `merkmal_id` and the figures the order follows from. */
  ranking: Part;
  /** SELECT of `merkmal_id` and all figures, for the values in the table `chosen` only. */
  chosen: Part;
  /** SELECT of all figures of all values together. */
  total: Part;
}

/** Behind it come those whose cost is unknown. */
const PLACE = sql`CASE WHEN aufrufe = unbepreist THEN 'infinity' ELSE -kosten_eur END`;

/**
 * The values that can be on the page, one more than it holds: texts, which only decide between equal costs, are looked up
 * for these alone.
 */
function candidates({ limit, after }: Page): Part {
  const rest = after ? sql`WHERE place >= ${after.place}::numeric` : sql``;
  if (limit === null) return sql`SELECT * FROM all_groups ${rest}`;
  const before = after
    ? sql`(SELECT count(*) FROM all_groups WHERE place = ${after.place}::numeric)`
    : sql`0`;
  return sql`SELECT * FROM all_groups ${rest} ORDER BY place FETCH FIRST (${limit}::bigint + 1 + ${before}) ROWS WITH TIES`;
}

/**
 * By the values of a dimension, the most expensive first. The order is found from few figures of all values, all figures are
 * then read for those on the page. Nothing is joined by the number of a value alone: without statistics the planner takes a thousand values for
 * one, and reads all of one side for each of the other. Texts are looked up one by one, and figures are put beside places as rows.
 */
export function readValues(
  tx: MandantTx,
  { ranking, chosen, total }: ValueSources,
  page: Page,
): Promise<Groups> {
  const after = page.after
    ? sql`AND (k.place, m.text) > (${page.after.place}::numeric, ${page.after.schluessel})`
    : sql``;
  return answer(tx, [
    sql`all_groups AS MATERIALIZED (
      SELECT merkmal_id, ${PLACE} AS place FROM (
        SELECT merkmal_id, ${RANKED} FROM (${ranking}) r GROUP BY merkmal_id) s WHERE aufrufe > 0)`,
    sql`after_position AS MATERIALIZED (
      SELECT k.merkmal_id, k.place, m.text FROM (${candidates(page)}) k CROSS JOIN LATERAL (
        SELECT text FROM merkmale WHERE mandant_id = ${tx.mandant} AND merkmal_id = k.merkmal_id LIMIT 1) m
      WHERE true ${after})`,
    sql`chosen AS MATERIALIZED (SELECT * FROM after_position ORDER BY place, text ${atMost(page)})`,
    sql`shown AS (
      SELECT row_number() OVER (ORDER BY s.place, s.text) AS ordinal, s.place::text, s.text AS schluessel, ${FIGURES_OF_S}
      FROM (SELECT max(place) AS place, max(text) AS text, ${SUMS} FROM (
          SELECT merkmal_id, NULL AS place, NULL AS text, ${FIGURES_ALONE} FROM (${chosen}) r
          UNION ALL SELECT merkmal_id, place, text, ${NO_FIGURES} FROM chosen) beside
        GROUP BY merkmal_id HAVING max(place) IS NOT NULL) s)`,
    sql`whole AS (SELECT ${SUMS} FROM (${total}) r)`,
  ]);
}
