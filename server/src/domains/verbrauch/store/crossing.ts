/** Two dimensions at once for all values of both, or a dimension by day: what documents about everybody are made of. */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, FIGURE_NAMES, type FigureName } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { splitWindow } from '../window.ts';
import { ANSWER, SUMS, type SumsRow } from './figures.ts';
import { readTogether } from './pairs.ts';
import { allOf, type Part, rowsOf } from './sums.ts';
import { readTexts } from './values.ts';

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

/** The numbers of a dimension's values, those with certain texts or all, as an SQL array. */
const numbersOf = (tx: MandantTx, name: DimensionName, values?: readonly string[]) =>
  sql`ARRAY(SELECT m.merkmal_id FROM merkmale m WHERE m.mandant_id = ${tx.mandant}
    AND m.dimension = ${sql.lit(DIMENSIONS[name].number)} ${among(sql`m.text`, values)})`;

async function hasFewer(tx: MandantTx, a: DimensionName, b: DimensionName): Promise<boolean> {
  const count = (name: DimensionName) =>
    sql`(SELECT count(*) FROM merkmale WHERE mandant_id = ${tx.mandant} AND dimension = ${sql.lit(DIMENSIONS[name].number)})`;
  const { rows } = await sql<{ fewer: boolean }>`SELECT ${count(a)} < ${count(b)} AS fewer`.execute(tx);
  return rows[0]?.fewer ?? false;
}

async function byValue(
  tx: MandantTx,
  { window, by, figures, values }: Crossing,
  other: DimensionName,
): Promise<Part> {
  // Of all values of both, few long lists are read rather than many short ones.
  const isTurned = !values && (await hasFewer(tx, other, by));
  const [own, listed] = isTurned ? [other, by] : [by, other];
  const merkmale = numbersOf(tx, own, values);
  const together = await readTogether(tx, window, { by: own, merkmale, other: listed });
  const rows = [...together].flatMap(([merkmal, sums]) =>
    Array.from(sums.merkmale, (andere, place) => ({
      wert: isTurned ? andere : merkmal,
      schluessel: isTurned ? merkmal : andere,
      place,
      sums,
    })),
  );
  const texts = await readTexts(tx, [...new Set(rows.flatMap(({ wert, schluessel }) => [wert, schluessel]))]);
  const textsOf = (key: 'wert' | 'schluessel') => sql`${rows.map((row) => texts.get(row[key]))}::text[]`;
  const amounts = figures.map((name) => {
    const figure = FIGURE_NAMES.indexOf(name);
    return sql`${rows.map(({ sums, place }) => sums.text(place, figure))}::numeric[]`;
  });
  return sql`SELECT * FROM unnest(${textsOf('wert')}, ${textsOf('schluessel')}, ${sql.join(amounts)})
    AS u (wert, schluessel, ${sql.raw(figures.join(', '))})`;
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
 * All values of a dimension that have a call in the window (whole local hours), or of some those that have, with their figures, in no order:
 * what `consumption` answers page by page, for those who need everybody.
 */
export async function everyValue(
  tx: MandantTx,
  { window, by, values }: Pick<Crossing, 'window' | 'by' | 'values'>,
  now: Temporal.Instant,
): Promise<(SumsRow & { schluessel: string })[]> {
  const source = { window, stretches: splitWindow(window, ['woche', 'tag', 'stunde'], now) };
  const whose = values ? { dimension: by, merkmale: numbersOf(tx, by, values) } : allOf(by);
  const { rows } = await sql<SumsRow & { merkmal_id: number }>`
    SELECT merkmal_id, ${ANSWER} FROM (
      SELECT merkmal_id, ${SUMS} FROM (${rowsOf(tx, source, whose, FIGURE_NAMES)}) r
      GROUP BY merkmal_id HAVING sum(aufrufe) > 0) s`.execute(tx);
  // Put together here: before the tables have statistics the database would compare every sum with every text.
  const { rows: texts } = await sql<{ merkmal_id: number; text: string }>`
    SELECT merkmal_id, text FROM merkmale m WHERE m.mandant_id = ${tx.mandant}
      AND m.dimension = ${sql.lit(DIMENSIONS[by].number)} ${among(sql`m.text`, values)}`.execute(tx);
  const textOf = new Map(texts.map(({ merkmal_id, text }) => [merkmal_id, text]));
  return rows.map(({ merkmal_id, ...sums }) => ({ ...sums, schluessel: textOf.get(merkmal_id) as string }));
}
