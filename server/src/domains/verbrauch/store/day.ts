/** One local day by project and end customer. */
import { sql } from 'kysely';
import { DIMENSIONS, FIGURE_NAMES } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { ANSWER, type SumsRow } from './figures.ts';
import { eventsOf, readSources } from './pairs.ts';
import type { Part } from './sums.ts';

export type ProjectRow = SumsRow & { projekt: string; endkunde: string };

const FIGURES = FIGURE_NAMES.join(', ');

function condensed(tx: MandantTx, tag: string): Part {
  return sql`SELECT p.text AS projekt, e.text AS endkunde, ${sql.raw(FIGURES)} FROM (
      SELECT v.merkmal_id, u.* FROM verbrauch_paar v
      CROSS JOIN LATERAL unnest(${sql.raw(['andere', ...FIGURE_NAMES].map((name) => `v.${name}`).join(', '))})
        AS u (andere, ${sql.raw(FIGURES)})
      WHERE v.mandant_id = ${tx.mandant} AND v.nach = ${DIMENSIONS.endkunde.number} AND v.tag = ${tag}::date
        AND v.merkmal_id = ANY(ARRAY(SELECT merkmal_id FROM verbrauch_tag
          WHERE mandant_id = ${tx.mandant} AND dimension = ${DIMENSIONS.projekt.number} AND tag = ${tag}::date
          UNION SELECT projekt FROM verbrauch_einzeln WHERE mandant_id = ${tx.mandant} AND tag = ${tag}::date))) pairs
    JOIN merkmale p ON p.mandant_id = ${tx.mandant} AND p.merkmal_id = pairs.merkmal_id
    JOIN merkmale e ON e.mandant_id = ${tx.mandant} AND e.merkmal_id = pairs.andere`;
}

/** The day by project and end customer ('' for none), most expensive first, unknown costs last. `day` is the whole day. */
export async function readDay(tx: MandantTx, day: Window): Promise<ProjectRow[]> {
  const {
    condensed: [tag],
    open,
  } = await readSources(tx, day);
  if (!tag && open.length === 0) return [];
  const rows = tag ? condensed(tx, tag) : eventsOf(tx, open, { projekt: 'projekt', endkunde: 'endkunde' });
  const result = await sql<ProjectRow>`
    SELECT projekt, endkunde, ${ANSWER} FROM (${rows}) s
    ORDER BY CASE WHEN s.aufrufe > s.unbepreist THEN s.kosten_eur END DESC NULLS LAST,
      s.projekt COLLATE "C", s.endkunde COLLATE "C"`.execute(tx);
  return result.rows;
}
