/** Two dimensions at once for all values of both, or a dimension by day: what documents about everybody are made of. */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, FIGURE_NAMES, type FigureName } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { unnested } from '../rollup.ts';
import { splitWindow } from '../window.ts';
import { ANSWER, SUMS, type SumsRow } from './figures.ts';
import { eventsOf, readSources } from './pairs.ts';
import { allOf, type Part, rowsOf } from './sums.ts';

export interface Crossing {
  /** Whole local days. */
  window: Window;
  by: DimensionName;
  other: DimensionName | 'tag';
  figures: readonly FigureName[];
  /** These values of `by` only; all where it is left out. */
  values?: readonly string[];
}

/** Nothing, or that the text is one of them. */
const among = (text: Part, values: readonly string[] | undefined): Part =>
  values ? sql`AND ${text} = ANY(${values}::text[])` : sql``;

const summed = (from: string, names: readonly FigureName[]) =>
  sql.raw(names.map((name) => `sum(${from}.${name}) AS ${name}`).join(', '));

function byDay(tx: MandantTx, { window, by, figures, values }: Crossing, now: Temporal.Instant): Part {
  const source = { window, stretches: splitWindow(window, ['tag', 'stunde'], now) };
  return sql`SELECT m.text AS wert, r.bucket::text AS schluessel, ${summed('r', figures)}
    FROM (${rowsOf(tx, source, allOf(by), figures)}) r JOIN merkmale m USING (merkmal_id)
    WHERE m.mandant_id = ${tx.mandant} ${among(sql`m.text`, values)} GROUP BY 1, 2 HAVING sum(aufrufe) > 0`;
}

async function byValue(
  tx: MandantTx,
  { window, by, figures, values }: Crossing,
  other: DimensionName,
): Promise<Part> {
  const { condensed, open } = await readSources(tx, window);
  const names = sql.raw(figures.join(', '));
  const numberOf = (name: DimensionName) => sql.lit(DIMENSIONS[name].number);
  // Added up by numbers first: before the tables have statistics the database would look for the text of each single pair among all.
  return sql`SELECT wert, schluessel, ${summed('b', figures)} FROM (
      WITH summen AS MATERIALIZED (
        SELECT merkmal_id, andere, ${summed('u', figures)} FROM (
          SELECT p.merkmal_id, ${sql.raw(unnested(figures))} FROM merkmale m
          JOIN verbrauch_paar p ON p.mandant_id = ${tx.mandant} AND p.merkmal_id = m.merkmal_id
            AND p.nach = ${numberOf(other)} AND p.tag = ANY(${condensed}::date[])
          WHERE m.mandant_id = ${tx.mandant} AND m.dimension = ${numberOf(by)} ${among(sql`m.text`, values)}) u
        GROUP BY 1, 2)
      SELECT m.text AS wert, a.text AS schluessel, ${sql.raw(figures.map((name) => `s.${name}`).join(', '))} FROM summen s
      JOIN merkmale m ON m.mandant_id = ${tx.mandant} AND m.merkmal_id = s.merkmal_id
      JOIN merkmale a ON a.mandant_id = ${tx.mandant} AND a.merkmal_id = s.andere
      UNION ALL SELECT wert, schluessel, ${names} FROM (${eventsOf(tx, open, { wert: by, schluessel: other })}) o
      WHERE true ${among(sql`wert`, values)}) b
    GROUP BY 1, 2 HAVING sum(aufrufe) > 0`;
}

/**
 * SELECT of `wert` (a value of `by`, '' for none), `schluessel` (of `other`, or the local day as `YYYY-MM-DD`) and the figures,
 * exactly as asking for each value alone would answer. `aufrufe` must be among the figures.
 */
export const crossing = (tx: MandantTx, question: Crossing, now: Temporal.Instant): Promise<Part> =>
  question.other === 'tag'
    ? Promise.resolve(byDay(tx, question, now))
    : byValue(tx, question, question.other);

/**
 * All values of a dimension that have a call in the window (whole local hours), with their figures, in no order: what `consumption` answers
 * page by page, for those who need everybody.
 */
export async function everyValue(
  tx: MandantTx,
  { window, by }: Pick<Crossing, 'window' | 'by'>,
  now: Temporal.Instant,
): Promise<(SumsRow & { schluessel: string })[]> {
  const source = { window, stretches: splitWindow(window, ['woche', 'tag', 'stunde'], now) };
  const { rows } = await sql<SumsRow & { merkmal_id: number }>`
    SELECT merkmal_id, ${ANSWER} FROM (
      SELECT merkmal_id, ${SUMS} FROM (${rowsOf(tx, source, allOf(by), FIGURE_NAMES)}) r
      GROUP BY merkmal_id HAVING sum(aufrufe) > 0) s`.execute(tx);
  // Put together here: before the tables have statistics the database would compare every sum with every text.
  const texts = await tx
    .selectFrom('merkmale')
    .select(['merkmal_id', 'text'])
    .where('mandant_id', '=', tx.mandant)
    .where('dimension', '=', DIMENSIONS[by].number)
    .execute();
  const textOf = new Map(texts.map(({ merkmal_id, text }) => [merkmal_id, text]));
  return rows.map(({ merkmal_id, ...sums }) => ({ ...sums, schluessel: textOf.get(merkmal_id) as string }));
}
