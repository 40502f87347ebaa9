/**
 * SQL of consumption: reads the rollups and nothing else. Sums are PostgreSQL's exact numeric; row-level security keeps
 * every statement within the Mandant of the transaction.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Fenster, toUtc } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SumsRow } from './rules.ts';
import type { Abschnitt } from './window.ts';

type Part = RawBuilder<unknown>;

const COUNTS = [
  'aufrufe',
  'fehler',
  'unbepreist',
  'geschaetzt',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
];
const ADDENDS = [...COUNTS, 'kosten_usd', 'kosten_eur', 'geschaetzt_eur', 'verbranntes_geld_eur'];

const COLUMNS = sql.raw(['agent', 'projekt', 'endkunde_ref', 'modell', ...ADDENDS].join(', '));
const SUMS = sql.raw(ADDENDS.map((name) => `sum(${name}) AS ${name}`).join(', '));

/** The figures of an answer from the sums `s`: plain decimals, and the estimated part known wherever the whole is. */
const FIGURES = sql.raw(`${COUNTS.map((name) => `s.${name}`).join(', ')},
  trim_scale(s.kosten_usd)::text AS kosten_usd,
  trim_scale(s.kosten_eur)::text AS kosten_eur,
  trim_scale(s.kosten_eur - coalesce(s.geschaetzt_eur, 0))::text AS gemessen_eur,
  CASE WHEN s.kosten_eur IS NOT NULL THEN trim_scale(coalesce(s.geschaetzt_eur, 0))::text END AS geschaetzt_eur,
  trim_scale(coalesce(s.verbranntes_geld_eur, 0))::text AS verbranntes_geld_eur`);

/** Rows of a stretch with the local day as `bucket`. */
function dayPart(abschnitt: Abschnitt, agent: Part): Part {
  if (abschnitt.tabelle === 'tag') {
    return sql`SELECT tag AS bucket, ${COLUMNS} FROM verbrauch_tag
      WHERE tag >= ${abschnitt.von}::date AND tag < ${abschnitt.bis}::date AND ${agent}`;
  }
  return sql`SELECT ${abschnitt.tag}::date AS bucket, ${COLUMNS} FROM verbrauch_stunde
    WHERE stunde >= ${abschnitt.von}::timestamptz AND stunde < ${abschnitt.bis}::timestamptz AND ${agent}`;
}

const ofAgent = (agent: string | undefined): Part =>
  agent === undefined ? sql`true` : sql`agent = ${agent}`;

/** The rows of the rollups that make up a window, by local day; only those of one agent, if its key is given. */
export function rowsByDay(abschnitte: Abschnitt[], agent?: string): Part {
  if (abschnitte.length === 0) return sql`SELECT tag AS bucket, ${COLUMNS} FROM verbrauch_tag WHERE false`;
  return sql.join(
    abschnitte.map((abschnitt) => dayPart(abschnitt, ofAgent(agent))),
    sql` UNION ALL `,
  );
}

/** The rows of a window by hour. */
export const rowsByHour = ({ von, bis }: Fenster, agent?: string): Part =>
  sql`SELECT stunde AS bucket, ${COLUMNS} FROM verbrauch_stunde
    WHERE stunde >= ${toUtc(von)}::timestamptz AND stunde < ${toUtc(bis)}::timestamptz AND ${ofAgent(agent)}`;

const COLUMN = {
  agent: 'agent',
  endkunde: 'endkunde_ref',
  modell: 'modell',
  tag: 'bucket',
  stunde: 'bucket',
} as const;

export type GroupRow = SumsRow & { schluessel: string; gesamt: boolean };

/** Sums per group and, as the last row (`gesamt`), of all. By cost, the most expensive first; buckets by time. */
export async function readGroups(
  tx: MandantTx,
  rows: Part,
  gruppe: keyof typeof COLUMN,
): Promise<GroupRow[]> {
  const column = sql.ref(COLUMN[gruppe]);
  const order =
    COLUMN[gruppe] === 'bucket' ? sql`s.schluessel` : sql`s.kosten_eur DESC NULLS LAST, s.schluessel`;
  // The total is added up from the groups, not from the rows once more.
  const result = await sql<GroupRow>`
    WITH gruppen AS (SELECT ${column} AS schluessel, ${SUMS} FROM (${rows}) r GROUP BY ${column})
    SELECT s.gesamt, s.schluessel, ${FIGURES} FROM (
      SELECT false AS gesamt, * FROM gruppen UNION ALL SELECT true, NULL, ${SUMS} FROM gruppen) s
    ORDER BY s.gesamt, ${order}`.execute(tx);
  return result.rows;
}

export type ProjectRow = SumsRow & { projekt: string; endkunde_ref: string; gesamt: boolean };

/** Sums of one local day per project and end customer, most expensive first, and of all as the last row. */
export async function readDay(tx: MandantTx, tag: string): Promise<ProjectRow[]> {
  const { rows } = await sql<ProjectRow>`
    WITH gruppen AS (
      SELECT projekt, endkunde_ref, ${SUMS} FROM verbrauch_tag WHERE tag = ${tag}::date GROUP BY projekt, endkunde_ref)
    SELECT s.gesamt, s.projekt, s.endkunde_ref, ${FIGURES} FROM (
      SELECT false AS gesamt, * FROM gruppen UNION ALL SELECT true, NULL, NULL, ${SUMS} FROM gruppen) s
    ORDER BY s.gesamt, s.kosten_eur DESC NULLS LAST, s.projekt, s.endkunde_ref`.execute(tx);
  return rows;
}

type Kind = 'bucket' | 'agent' | 'endkunde' | 'modell' | 'summe' | 'vorher';

interface BreakdownRow extends SumsRow {
  art: Kind;
  bucket: string;
  schluessel: string;
}

export type Breakdown = Map<Kind, BreakdownRow[]>;

/**
 * One period from every side in one statement: all its buckets in order, the `top` most expensive agents, end customers
 * and models, the sum, and the sum of the rows before it.
 */
export async function readBreakdown(
  tx: MandantTx,
  rows: Part,
  before: Part,
  top: number,
): Promise<Breakdown> {
  const result = await sql<BreakdownRow>`
    WITH seiten AS (
      SELECT CASE grouping(bucket, agent, endkunde_ref, modell)
          WHEN 7 THEN 'bucket' WHEN 11 THEN 'agent' WHEN 13 THEN 'endkunde' ELSE 'modell' END AS art,
        bucket, coalesce(agent, endkunde_ref, modell) AS schluessel, ${SUMS}
      FROM (${rows}) r GROUP BY GROUPING SETS ((bucket), (agent), (endkunde_ref), (modell))),
    gereiht AS (
      SELECT *, row_number() OVER (PARTITION BY art ORDER BY kosten_eur DESC NULLS LAST, schluessel) AS rang FROM seiten)
    SELECT s.art, s.bucket, s.schluessel, ${FIGURES} FROM (
      SELECT * FROM gereiht WHERE art = 'bucket' OR rang <= ${top}
      UNION ALL SELECT 'summe', NULL, NULL, ${SUMS}, 1 FROM seiten WHERE art = 'bucket'
      UNION ALL SELECT 'vorher', NULL, NULL, ${SUMS}, 1 FROM (${before}) v) s
    ORDER BY s.bucket, s.rang`.execute(tx);
  return Map.groupBy(result.rows, (row) => row.art);
}

/** What an answer says about the Mandant and about how far counting has come. Times ISO 8601 in UTC. */
export interface Stand {
  zeitzone: string;
  demo: boolean;
  daten_von: string | null;
  daten_bis: string | null;
  /** When the oldest batch that is not counted yet was received. */
  wartet_seit: string | null;
  tag: string | null;
  usd_eur: string | null;
}

/** Must be read before the sums, in their transaction: a batch counted in between is then in the sums, not in the claim. */
export async function readStand(tx: MandantTx): Promise<Stand> {
  const { rows } = await sql<Stand>`
    SELECT m.zeitzone, m.demo, z.daten_von, z.daten_bis, k.tag, trim_scale(k.usd_eur)::text AS usd_eur,
      (SELECT empfangen_am FROM eingang ORDER BY eingang_id LIMIT 1) AS wartet_seit
    FROM mandanten m LEFT JOIN zaehlstaende z USING (mandant_id)
    LEFT JOIN LATERAL (SELECT tag, usd_eur FROM wechselkurse ORDER BY tag DESC LIMIT 1) k ON true`.execute(
    tx,
  );
  const stand = rows[0];
  if (!stand) throw new Error('the Mandant of the transaction does not exist');
  return stand;
}
