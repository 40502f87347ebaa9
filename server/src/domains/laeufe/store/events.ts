/** SQL of the events of a run. */
import { sql } from 'kysely';
import { EVENT_COLUMNS } from '#domains/ereignisse/index.ts';
import { toCount } from '#kernel/count.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Ereignis, LaufRow } from '../rules.ts';

const EVENT = sql.join(
  EVENT_COLUMNS.map(({ name, expression }) => sql`${sql.raw(expression)} AS ${sql.ref(name)}`),
);

/** Where an event stands among those of its run: its step (`Infinity` without one), time and id. */
export interface StepPlace {
  place: string;
  zeitpunkt: string;
  ereignisId: string;
}

/** Free data of the events of an answer together, in bytes; where it is more, the answer ends with that event. */
const FREE_DATA = 8 * 1024 * 1024;

const PLACE = sql`coalesce(schritt_nr::numeric, 'Infinity')`;
const BEFORE = sql`ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;

/**
 * Events of a run in the order of their steps, at most `limit`, those behind `after`; and how many there are up to that limit,
 * were it not for their size. Free data may be megabytes an event and are compressed: they are looked at only as far as the
 * bytes stored, then the bytes unpacked allow.
 */
export async function readEventsOfRun(
  tx: MandantTx,
  { lauf_id, beginn, ende }: LaufRow,
  limit: number,
  after: StepPlace | null,
): Promise<{ events: Ereignis[]; found: number }> {
  // The bounds of the run are there for the planner: they leave out the months it does not touch.
  const own = sql`e.mandant_id = ${tx.mandant} AND e.zeitpunkt >= ${beginn}::timestamptz AND e.zeitpunkt <= ${ende}::timestamptz`;
  const behind = after
    ? sql`AND (${PLACE}, zeitpunkt, ereignis_id) > (${after.place}::numeric, ${after.zeitpunkt}::timestamptz, ${after.ereignisId}::uuid)`
    : sql``;
  const { rows } = await sql<Ereignis & { found: number }>`
    WITH steps AS MATERIALIZED (
      SELECT zeitpunkt, ereignis_id, ${PLACE} AS place, pg_column_size(zusatz) AS stored FROM ereignisse e
      WHERE ${own} AND lauf_id = ${lauf_id} ${behind}
      ORDER BY ${PLACE}, zeitpunkt, ereignis_id LIMIT ${limit}),
    packed AS MATERIALIZED (
      SELECT *, coalesce(sum(stored) OVER (ORDER BY place, zeitpunkt, ereignis_id ${BEFORE}), 0) AS before FROM steps),
    unpacked AS MATERIALIZED (
      SELECT zeitpunkt, ereignis_id, p.place,
        coalesce(sum(octet_length(e.zusatz::text)) OVER (ORDER BY p.place, zeitpunkt, ereignis_id ${BEFORE}), 0) AS before
      FROM packed p JOIN ereignisse e USING (zeitpunkt, ereignis_id) WHERE ${own} AND p.before < ${FREE_DATA})
    SELECT ${EVENT}, (SELECT count(*) FROM steps)::int AS found
    FROM unpacked u JOIN ereignisse e USING (zeitpunkt, ereignis_id)
    WHERE ${own} AND u.before < ${FREE_DATA} ORDER BY u.place, zeitpunkt, ereignis_id`.execute(tx);
  const events = rows.map(({ found: _, ausgabe_gesamt: output, ...event }) => ({
    ...event,
    ausgabe_gesamt: output === null ? null : toCount(output),
  }));
  return { events, found: rows[0]?.found ?? 0 };
}
