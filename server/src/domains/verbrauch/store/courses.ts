/** Groups divided by time: what each of some values, and all others together, came to in each day or hour. */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, FIGURE_NAMES } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { ANSWER, DIFFERENCES, SUMS, type SumsRow } from './figures.ts';
import { bucketsTogether } from './pairs.ts';
import { type Filter, ofChosen, ofValue, type Part, rowsOf, type Source } from './sums.ts';

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

/** In the order of time; what had no call is left out. */
export async function readCourses(
  tx: MandantTx,
  { by, values, where, byHour, source, total }: Courses,
): Promise<CourseRow[]> {
  const isOther = where !== null && where.dimension !== by;
  const together = isOther ? await bucketsTogether(tx, source.window, where, by, byHour) : null;
  const whose = where ? ofValue(tx, where) : ofChosen(by);
  const rows = together?.rows ?? rowsOf(tx, source, whose, FIGURE_NAMES, byHour);
  const { rows: found } = await sql<CourseRow>`
    WITH ${sql.join([
      ...(together?.ctes ?? []),
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
