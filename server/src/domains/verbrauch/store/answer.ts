/** From rows of sums to groups, a page of them, what is left and the whole. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import { ANSWER, DIFFERENCES, RANKING, SUMS, type SumsRow, sumsOf } from './figures.ts';
import type { Part } from './sums.ts';

/** Behind which group a page begins: its place in the order (days and hours have none but their key) and its key. */
export interface Position {
  platz: string | null;
  schluessel: string;
}

export interface Page {
  /** Groups at most; null for all. */
  limit: number | null;
  after: Position | null;
}

export type GroupRow = SumsRow & Position;

export interface Groups {
  zeilen: GroupRow[];
  /** All groups that are not in `zeilen`, how many and their sums. */
  rest: SumsRow & { gruppen: number };
  summe: SumsRow;
  /** Whether groups follow those in `zeilen`. */
  weitere: boolean;
}

interface AnswerRow extends GroupRow {
  art: 'zeile' | 'rest' | 'summe';
  gruppen: string;
  dahinter: string;
}

/**
 * Runs the query whose parts `ctes` end with: `reihe`, all groups; `danach`, those after the position, at least one more
 * than the page holds; `gezeigt`, the groups of the page with their sums, `schluessel`, `platz` and `nr`; `gesamt`, the
 * sums of all.
 */
async function answer(tx: MandantTx, ctes: Part[]): Promise<Groups> {
  const { rows } = await sql<AnswerRow>`
    WITH ${sql.join(ctes)},
    uebrig AS (SELECT ${DIFFERENCES} FROM gesamt g CROSS JOIN (SELECT ${SUMS} FROM gezeigt) z)
    SELECT 'zeile' AS art, s.nr, s.schluessel, s.platz, NULL AS gruppen, NULL AS dahinter, ${ANSWER} FROM gezeigt s
    UNION ALL SELECT 'rest', NULL, NULL, NULL,
      ((SELECT count(*) FROM reihe) - (SELECT count(*) FROM gezeigt))::text,
      ((SELECT count(*) FROM danach) - (SELECT count(*) FROM gezeigt))::text, ${ANSWER} FROM uebrig s
    UNION ALL SELECT 'summe', NULL, NULL, NULL, NULL, NULL, ${ANSWER} FROM gesamt s
    ORDER BY nr`.execute(tx);
  const rest = rows.find(({ art }) => art === 'rest') as AnswerRow;
  return {
    zeilen: rows.filter(({ art }) => art === 'zeile'),
    rest: { ...rest, gruppen: Number(rest.gruppen) },
    summe: rows.find(({ art }) => art === 'summe') as AnswerRow,
    weitere: Number(rest.dahinter) > 0,
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
    sql`reihe AS MATERIALIZED (SELECT bucket, ${SUMS} FROM (${rows}) r GROUP BY bucket HAVING sum(aufrufe) > 0)`,
    sql`danach AS (SELECT * FROM reihe ${after})`,
    sql`gezeigt AS (
      SELECT row_number() OVER (ORDER BY bucket) AS nr, NULL AS platz,
        to_json(bucket) #>> '{}' AS schluessel, *
      FROM (SELECT * FROM danach ORDER BY bucket ${atMost(page)}) s)`,
    sql`gesamt AS (SELECT ${SUMS} FROM reihe)`,
  ]);
}

/** Where the sums of a dimension's values come from. */
export interface Werte {
  /** Parts that the others name. */
  ctes: Part[];
  /** SELECT of `merkmal_id` and the figures the order follows from. */
  ranking: Part;
  /** SELECT of `merkmal_id` and all figures, for the values in the table `gewaehlt` only. */
  chosen: Part;
  /** SELECT of all figures of all values together. */
  total: Part;
}

/** Behind it come those whose cost is unknown. */
const PLATZ = sql`CASE WHEN aufrufe = unbepreist THEN 'infinity' ELSE -kosten_eur END`;

/**
 * The values that can be on the page, one more than it holds: texts, which only decide between equal costs, are looked up
 * for these alone.
 */
function candidates({ limit, after }: Page): Part {
  const rest = after ? sql`WHERE platz >= ${after.platz}::numeric` : sql``;
  if (limit === null) return sql`SELECT * FROM reihe ${rest}`;
  const before = after ? sql`(SELECT count(*) FROM reihe WHERE platz = ${after.platz}::numeric)` : sql`0`;
  return sql`SELECT * FROM reihe ${rest} ORDER BY platz FETCH FIRST (${limit}::bigint + 1 + ${before}) ROWS WITH TIES`;
}

/**
 * By the values of a dimension, the most expensive first. The order is found from few figures of all values, all figures are
 * then read for those on the page.
 */
export function readValues(
  tx: MandantTx,
  { ctes, ranking, chosen, total }: Werte,
  page: Page,
): Promise<Groups> {
  const after = page.after
    ? sql`AND (k.platz, m.text) > (${page.after.platz}::numeric, ${page.after.schluessel})`
    : sql``;
  return answer(tx, [
    ...ctes,
    sql`reihe AS MATERIALIZED (
      SELECT merkmal_id, ${PLATZ} AS platz FROM (
        SELECT merkmal_id, ${sumsOf(RANKING)} FROM (${ranking}) r GROUP BY merkmal_id) s WHERE aufrufe > 0)`,
    sql`danach AS MATERIALIZED (
      SELECT k.merkmal_id, k.platz, m.text FROM (${candidates(page)}) k JOIN merkmale m USING (merkmal_id)
      WHERE m.mandant_id = ${tx.mandant} ${after})`,
    sql`gewaehlt AS MATERIALIZED (SELECT * FROM danach ORDER BY platz, text ${atMost(page)})`,
    sql`gezeigt AS (
      SELECT row_number() OVER (ORDER BY w.platz, w.text) AS nr, w.platz::text, w.text AS schluessel, s.*
      FROM gewaehlt w JOIN (SELECT merkmal_id, ${SUMS} FROM (${chosen}) r GROUP BY merkmal_id) s USING (merkmal_id))`,
    sql`gesamt AS (SELECT ${SUMS} FROM (${total}) r)`,
  ]);
}
