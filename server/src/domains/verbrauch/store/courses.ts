/** Groups divided by time: what each of some values, and all others together, came to in each day or hour. */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, FIGURE_NAMES } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { ANSWER, DIFFERENCES, SUMS, type SumsRow } from './figures.ts';
import { bucketsTogether } from './pairs.ts';
import { type Filter, ofChosen, ofValue, type Part, rowsOf, type Source } from './sums.ts';
import { readNumbers } from './together.ts';

export interface Courses {
  by: DimensionName;
  /** The values, at most a few. */
  values: string[];
  where: Filter | null;
  byHour: boolean;
  source: Source;
  /** SELECT of `bucket` and all figures of all values together. */
  total: Part;
}

/** `schluessel` null: all other values. `bucket`: `YYYY-MM-DD`, or ISO 8601 in UTC. */
export type CourseRow = SumsRow & { schluessel: string | null; bucket: string };

/** SELECT of `bucket`, `merkmal_id` and all figures of the chosen values among the calls of the filter. */
async function rowsTogether(
  tx: MandantTx,
  { by, values, where, byHour, source }: Omit<Courses, 'total' | 'where'> & { where: Filter },
): Promise<Part> {
  const buckets = await bucketsTogether(tx, source.window, where, by, byHour);
  const chosen = await readNumbers(tx, by, values);
  const rows = Array.from(buckets, ([bucket, sums]) =>
    chosen
      .filter((merkmal) => sums.has(merkmal))
      .map((merkmal) => ({ bucket, merkmal, place: sums.placeOf(merkmal), sums })),
  ).flat();
  const figures = FIGURE_NAMES.map(
    (_, figure) => sql`${rows.map(({ sums, place }) => sums.text(place, figure))}::numeric[]`,
  );
  return sql`SELECT * FROM unnest(${rows.map(({ bucket }) => bucket)}::${sql.raw(byHour ? 'timestamptz' : 'date')}[],
      ${rows.map(({ merkmal }) => merkmal)}::int[], ${sql.join(figures)})
    AS u (bucket, merkmal_id, ${sql.raw(FIGURE_NAMES.join(', '))})`;
}

/** In the order of time; what had no call is left out. */
export async function readCourses(
  tx: MandantTx,
  { by, values, where, byHour, source, total }: Courses,
): Promise<CourseRow[]> {
  const isOther = where !== null && where.dimension !== by;
  const whose = where ? ofValue(tx, where) : ofChosen(by);
  const rows = isOther
    ? await rowsTogether(tx, { by, values, where, byHour, source })
    : rowsOf(tx, source, whose, FIGURE_NAMES, byHour);
  const { rows: found } = await sql<CourseRow>`
    WITH ${sql.join([
      sql`chosen AS MATERIALIZED (
        SELECT merkmal_id, text FROM merkmale WHERE mandant_id = ${tx.mandant}
          AND dimension = ${sql.lit(DIMENSIONS[by].number)} AND text = ANY(${values}))`,
      sql`parts AS MATERIALIZED (
        SELECT c.text, r.bucket, ${SUMS} FROM (${rows}) r JOIN chosen c USING (merkmal_id) GROUP BY c.text, r.bucket)`,
      sql`whole AS (SELECT bucket, ${SUMS} FROM (${total}) r GROUP BY bucket)`,
      sql`others AS (SELECT g.bucket, ${DIFFERENCES} FROM whole g
        LEFT JOIN (SELECT bucket, ${SUMS} FROM parts GROUP BY bucket) z USING (bucket))`,
    ])}
    SELECT s.text AS schluessel, to_json(s.bucket) #>> '{}' AS bucket, ${ANSWER} FROM parts s WHERE s.aufrufe > 0
    UNION ALL SELECT NULL, to_json(s.bucket) #>> '{}', ${ANSWER} FROM others s WHERE s.aufrufe > 0
    ORDER BY bucket, schluessel`.execute(tx);
  return found;
}
