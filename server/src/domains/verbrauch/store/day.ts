/** One local day by project and end customer. */
import { sql } from 'kysely';
import { DIMENSIONS, FIGURE_NAMES } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { unnested } from '../rollup.ts';
import { answer, type Groups, PLACE } from './answer.ts';
import { SUMS, type SumsRow } from './figures.ts';
import { eventsOf, readSources } from './pairs.ts';
import type { Part } from './sums.ts';

/** Behind which row a page begins. */
export interface ProjectPosition {
  /** Its place in the order of costs. */
  place: string;
  projekt: string;
  endkunde: string;
}

export type ProjectRow = SumsRow & ProjectPosition;

const FIGURES = FIGURE_NAMES.join(', ');

function condensed(tx: MandantTx, tag: string): Part {
  return sql`SELECT p.text AS projekt, e.text AS endkunde, ${sql.raw(FIGURES)} FROM (
      SELECT p.merkmal_id, ${sql.raw(unnested(FIGURE_NAMES))} FROM verbrauch_paar p
      WHERE p.mandant_id = ${tx.mandant} AND p.nach = ${DIMENSIONS.endkunde.number} AND p.tag = ${tag}::date
        AND p.merkmal_id = ANY(ARRAY(SELECT merkmal_id FROM verbrauch_tag
          WHERE mandant_id = ${tx.mandant} AND dimension = ${DIMENSIONS.projekt.number} AND tag = ${tag}::date
          UNION SELECT projekt FROM verbrauch_einzeln WHERE mandant_id = ${tx.mandant} AND tag = ${tag}::date))) pairs
    JOIN merkmale p ON p.mandant_id = ${tx.mandant} AND p.merkmal_id = pairs.merkmal_id
    JOIN merkmale e ON e.mandant_id = ${tx.mandant} AND e.merkmal_id = pairs.andere`;
}

/** No call of the day. */
const NONE = sql`SELECT '' AS projekt, '' AS endkunde, ${sql.raw(FIGURE_NAMES.map((name) => `0::numeric AS ${name}`).join(', '))} WHERE false`;

async function rowsOfDay(tx: MandantTx, day: Window): Promise<Part> {
  const {
    condensed: [tag],
    open,
  } = await readSources(tx, day);
  if (tag) return condensed(tx, tag);
  return open.length > 0 ? eventsOf(tx, open, { projekt: 'projekt', endkunde: 'endkunde' }) : NONE;
}

/**
 * A page of the day by project and end customer, most expensive first, unknown costs last; `total` selects the figures of all
 * its calls. `day` is the whole day.
 */
export async function readDay(
  tx: MandantTx,
  day: Window,
  total: Part,
  { limit, after }: { limit: number; after: ProjectPosition | null },
): Promise<Groups<ProjectRow>> {
  const order = sql`place, projekt COLLATE "C", endkunde COLLATE "C"`;
  const behind = after
    ? sql`WHERE (place, projekt COLLATE "C", endkunde COLLATE "C") > (${after.place}::numeric, ${after.projekt}, ${after.endkunde})`
    : sql``;
  const ctes = [
    sql`all_groups AS MATERIALIZED (SELECT *, ${PLACE} AS place FROM (${await rowsOfDay(tx, day)}) r)`,
    sql`after_position AS (SELECT * FROM all_groups ${behind})`,
    sql`shown AS (SELECT row_number() OVER (ORDER BY ${order}) AS ordinal, projekt, endkunde, place::text, ${sql.raw(FIGURES)}
      FROM (SELECT * FROM after_position ORDER BY ${order} LIMIT ${limit}) s)`,
    sql`whole AS (SELECT ${SUMS} FROM (${total}) r)`,
  ];
  return answer<ProjectRow>(tx, ctes, ['projekt', 'endkunde']);
}
