import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import { toInstant } from '#kernel/instant.ts';
import type { RequestClient, RequestDatabase } from '#platform/database/index.ts';
import type { Seen, Span } from './history.ts';
import type { ArchiveState, Backlog, BackupState, Part } from './rules.ts';

/** Throws when the database does not answer. */
export async function ping(db: RequestDatabase): Promise<void> {
  await db.transaction((client) => sql`SELECT`.execute(client));
}

/** How far `theirs` is ahead of the time between `before` and `after`, in the unit of the three. */
export const skewOf = (theirs: number, before: number, after: number): number =>
  theirs - Math.min(Math.max(theirs, before), after);

/** Seconds since 1970 by the clock of the database; undefined only by the letter of the types. */
async function readClock(client: RequestClient): Promise<number | undefined> {
  const { rows } = await sql<{ sekunden: number }>`
    SELECT extract(epoch FROM clock_timestamp())::double precision AS sekunden`.execute(client);
  return rows[0]?.sekunden;
}

/** Null where nobody has ever tried to make one. Throws when the database does not answer. */
export async function readBackupState(db: RequestDatabase): Promise<BackupState | null> {
  const { rows } = await db.transaction((client) =>
    sql<{ age: number | null; made: string | null; bytes: string | null; fails: boolean }>`
      SELECT extract(epoch FROM clock_timestamp() - gelungen_am)::float8 AS age, gelungen_am AS made,
        umfang AS bytes, fehler_am IS NOT NULL AS fails FROM sicherungsstand`.execute(client),
  );
  const [row] = rows;
  if (!row) return null;
  const { age, made, bytes, fails } = row;
  return { age, madeAt: made && toInstant(made), bytes: bytes === null ? null : toCount(bytes), fails };
}

/** Null where the server archives no log. Throws when the database does not answer. */
export async function readArchiver(db: RequestDatabase): Promise<Omit<ArchiveState, 'baseAge'> | null> {
  const { rows } = await db.transaction((client) =>
    sql<{ age: number; at: string | null; fails: boolean; waiting: string }>`
      SELECT extract(epoch FROM clock_timestamp() - greatest(last_archived_time, stats_reset))::float8 AS age,
        last_archived_time AS at,
        coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS fails,
        coalesce(greatest(0, floor((pg_current_wal_lsn() - archived) / size) - 1) * size, 0)::bigint::text AS waiting
      FROM pg_stat_archiver,
        LATERAL (SELECT substring(last_archived_wal FROM '^[0-9A-F]{24}$') AS name) AS file,
        LATERAL (SELECT setting::bigint AS size FROM pg_settings WHERE name = 'wal_segment_size') AS segment,
        LATERAL (SELECT (substr(name, 9, 8) || '/' ||
          to_hex(('x' || substr(name, 17, 8))::bit(32)::bigint * size))::pg_lsn AS archived) AS place
      WHERE current_setting('archive_mode') <> 'off'`.execute(client),
  );
  const [row] = rows;
  if (!row) return null;
  const { age, at, fails, waiting } = row;
  return { age, archivedAt: at && toInstant(at), waiting: toCount(waiting), fails };
}

/** Over all Mandanten, naming none. */
export async function readBacklog(db: RequestDatabase): Promise<Backlog> {
  return db.transaction(async (client) => {
    const found = await client.ask('zw_rueckstand');
    const before = Date.now();
    const sekunden = (await readClock(client)) ?? before / 1_000;
    const after = Date.now();
    return {
      seconds: found?.sekunden ?? 0,
      uncountable: toCount(found?.unzaehlbar ?? 0),
      skew: skewOf(sekunden, before / 1_000, after / 1_000),
    };
  });
}

/** Of more the latest are read; the days before are unknown then. Years of restarts, or weeks of a part that comes and goes. */
const MAX_SPANS = 50_000;

/** The spans of each part that end after the instant (seconds since 1970), whole seconds. Throws when the database does not answer. */
export async function readSpans(db: RequestDatabase, since: number): Promise<Map<string, Span[]>> {
  const rows = await db.transaction((client) =>
    client
      .selectFrom('zustand_spannen')
      .select(['komponente', 'status'])
      .select(sql<number>`floor(extract(epoch FROM von))::float8`.as('from'))
      .select(sql<number>`floor(extract(epoch FROM bis))::float8`.as('to'))
      .where('bis', '>', sql<string>`to_timestamp(${since}::float8)`)
      .orderBy('bis', 'desc')
      .limit(MAX_SPANS)
      .execute(),
  );
  const byPart = Map.groupBy(rows, ({ komponente }) => komponente);
  return new Map(
    [...byPart].map(([name, spans]) => [name, spans.map(({ status, from, to }) => ({ status, from, to }))]),
  );
}

/** A sighting as the database keeps it, in milliseconds since 1970 by its clock. */
export interface SpanRow {
  id: string;
  name: Part['name'];
  status: Seen;
  from: number;
  to: number;
}

/** Who writes has that for so long, renewed with every writing. */
const TERM_SECONDS = 90;

/** Whether this observer writes for all: it did so before, or the one that did has gone, or its term lies where no clock leads. */
async function claimWriting(client: RequestClient, observer: string): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO zustand_beobachter AS b (nummer, beobachter, gilt_bis)
    VALUES (1, ${observer}, clock_timestamp() + make_interval(secs => ${TERM_SECONDS}))
    ON CONFLICT (nummer) DO UPDATE SET beobachter = excluded.beobachter, gilt_bis = excluded.gilt_bis
    WHERE b.beobachter = excluded.beobachter
      OR b.gilt_bis NOT BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => ${TERM_SECONDS})
    RETURNING beobachter`.execute(client);
  return rows.length > 0;
}

/** Lets another one write at once. */
export async function endWriting(db: RequestDatabase, observer: string): Promise<void> {
  await db.transaction((client) =>
    sql`UPDATE zustand_beobachter SET gilt_bis = '-infinity' WHERE beobachter = ${observer}`.execute(client),
  );
}

/** What was written while the clock was ahead: nobody has seen what is still to come. */
async function forgetFuture(client: RequestClient): Promise<void> {
  const soon = sql<string>`clock_timestamp() + interval '5 seconds'`;
  await client.deleteFrom('zustand_spannen').where('von', '>', soon).execute();
  await client
    .updateTable('zustand_spannen')
    .set({ bis: sql`greatest(von, clock_timestamp())` })
    .where('bis', '>', soon)
    .execute();
}

async function put(client: RequestClient, spans: readonly SpanRow[]): Promise<void> {
  if (spans.length === 0) return;
  await sql`
    INSERT INTO zustand_spannen (spanne_id, komponente, status, von, bis)
    SELECT id, name, status, to_timestamp("from" / 1000), to_timestamp("to" / 1000)
    FROM jsonb_to_recordset(${JSON.stringify(spans)}::jsonb)
      AS s (id uuid, name text, status text, "from" float8, "to" float8)
    ON CONFLICT (spanne_id) DO UPDATE SET bis = excluded.bis`.execute(client);
}

/**
 * Writes what `choose` picks, given the time of the database in milliseconds since 1970 and whether this observer writes for all.
 * Throws when the database does not answer or cannot write; nothing is written then.
 */
export async function writeSpans(
  db: RequestDatabase,
  observer: string,
  choose: (now: number, isWriter: boolean) => readonly SpanRow[],
): Promise<void> {
  await db.transaction(async (client) => {
    const isWriter = await claimWriting(client, observer);
    const now = ((await readClock(client)) ?? 0) * 1_000;
    await forgetFuture(client);
    await put(client, choose(now, isWriter));
  });
}
