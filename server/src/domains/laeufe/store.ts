/** SQL of runs. */
import { sql } from 'kysely';
import { SHOWN_COLUMNS } from '#domains/ereignisse/index.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import type { Ereignis, LaufRow } from './rules.ts';

const RUN = [
  'lauf_id',
  'agent',
  'projekt',
  'endkunde_ref',
  'status',
  'beginn',
  'ende',
  'aufrufe',
  'fehler',
  'unbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
] as const;

const selectRuns = (tx: MandantTx) =>
  tx
    .selectFrom('laeufe')
    .select(RUN)
    .select(({ ref }) => [
      sql<number | string>`(extract(epoch FROM ende - beginn) * 1000)::bigint`.as('dauer_ms'),
      exactText(ref('kosten_eur')).as('kosten_eur'),
      exactText(ref('kosten_usd')).as('kosten_usd'),
      exactText(ref('verbranntes_geld_eur')).as('verbranntes_geld_eur'),
    ])
    .where('mandant_id', '=', tx.mandant);

export interface RunFilter {
  /** Key of the agent. */
  agent?: string | undefined;
  status?: string | undefined;
  /** Only runs with at least one failed call. */
  nurFehler?: boolean | undefined;
  limit: number;
  /** Behind the run that ended then (ISO 8601 in UTC) and has this id. */
  after?: { ende: string; laufId: string } | null;
}

/** Runs that meet the filter, those that ended last first, at the same time by id. */
export function readLatestRuns(
  tx: MandantTx,
  { agent, status, nurFehler, limit, after = null }: RunFilter,
): Promise<LaufRow[]> {
  return selectRuns(tx)
    .$if(agent !== undefined, (query) => query.where('agent', '=', agent as string))
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(nurFehler === true, (query) => query.where('fehler', '>', 0))
    .$if(after !== null, (query) => {
      const { ende, laufId } = after as NonNullable<typeof after>;
      // The first condition is what the index is searched by.
      return query
        .where('ende', '<=', ende)
        .where((eb) => eb.or([eb('ende', '<', ende), eb('lauf_id', '>', laufId)]));
    })
    .orderBy('ende', 'desc')
    .orderBy('lauf_id')
    .limit(limit)
    .execute();
}

/** Undefined when the Mandant has no such run. */
export const readRun = (tx: MandantTx, laufId: string): Promise<LaufRow | undefined> =>
  selectRuns(tx).where('lauf_id', '=', laufId).executeTakeFirst();

const EVENT = sql.join(
  SHOWN_COLUMNS.map(({ name, expression }) => sql`${sql.raw(expression)} AS ${sql.ref(name)}`),
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
  return { events: rows.map(({ found: _, ...event }) => event as Ereignis), found: rows[0]?.found ?? 0 };
}
