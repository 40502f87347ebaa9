/** SQL of the jobs that wait, as the owner. */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { mandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { CHANNEL, enqueueFor } from './enqueue.ts';
import type { Claim, Job, JobKind } from './job.ts';

/** Stands for the installation where a Mandant would stand. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';

/** Seconds for which a claim holds unless it is prolonged; twice as long with every attempt, so that a crash in a circle does not use them up. */
export const CLAIM_SECONDS = 15;
/** Whose process lives but prolongs nothing any more is stuck after this time (seconds); before, another one would do the job twice. */
const STUCK_SECONDS = 300;

/** First key of the advisory locks that tell who lives; the second one is the number of the process. */
const LIVING = 0x5a57_4152;

/** Who runs jobs: a process, as long as it lives. */
export interface Worker {
  /** Its number, of which it holds a lock; null where nobody could tell that it lives. */
  id: number | null;
  claimSeconds: number;
}

/** Held by a connection, and let go by the server when the process dies. Shared: one connection may follow another. */
export const showLife = async (client: Pick<pg.ClientBase, 'query'>, id: number): Promise<void> => {
  await client.query('SELECT pg_advisory_lock_shared($1, $2)', [LIVING, id]);
};

const LIVES = `EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LIVING} AND objid = bearbeiter::oid
    AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
/** The claim has lapsed, and nobody is at it who only stands still. */
const IS_FREE = `faellig_am <= now() AND (bearbeiter IS NULL
    OR faellig_am <= now() - interval '${STUCK_SECONDS} seconds' OR NOT ${LIVES})`;
/** When a claim of this length (seconds) lapses; `attempt` is the number of the attempt. */
const lapses = (seconds: string, attempt: string) =>
  `now() + make_interval(secs => ${seconds} * 2 ^ least(${attempt} - 1, 5))`;

/** How long a job may wait that no instance understands. */
const STRANDED = '1 day';

// Claimed by moving the next attempt ahead: durable before the work begins, and no transaction is open while it is done.
const claimNext = (turn: string) => `
  UPDATE auftraege SET versuche = versuche + 1, bearbeiter = $3, faellig_am = ${lapses('$4', '(versuche + 1)')}
  WHERE (mandant_id, auftrag_id) = (
    SELECT mandant_id, auftrag_id FROM auftraege
    WHERE job = $1 AND fassung <= $2 AND aufgegeben_am IS NULL AND ${IS_FREE} ${turn}
    ORDER BY mandant_id, faellig_am LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING mandant_id, auftrag_id, fassung, nutzlast, versuche, fehler`;
const CLAIM_AFTER = claimNext('AND mandant_id > $5');
const CLAIM_FIRST = claimNext('');

/**
 * Claims the next job that is due: the oldest of the next Mandant after the one whose turn it was (null: of the first), so
 * that each has a turn before one has a second. Jobs with a payload newer than this version are left for those who know it.
 */
export async function claim(
  db: OwnerDatabase,
  { id, version }: Job,
  { id: worker, claimSeconds }: Worker,
  after: string | null,
): Promise<Claim | null> {
  const by = [id, version, worker, claimSeconds];
  if (after !== null) {
    const { rows } = await db.query<Claim & Record<string, unknown>>(CLAIM_AFTER, [...by, after]);
    if (rows[0]) return rows[0];
  }
  const { rows } = await db.query<Claim & Record<string, unknown>>(CLAIM_FIRST, by);
  return rows[0] ?? null;
}

// A worker that has lost its claim (it lapsed, the Mandant was removed) changes nothing any more.
const MINE = 'mandant_id = $1 AND auftrag_id = $2 AND versuche = $3 AND aufgegeben_am IS NULL';
const mine = ({ mandant_id, auftrag_id, versuche }: Claim) => [mandant_id, auftrag_id, versuche];

export async function prolong(db: OwnerDatabase, held: Claim, { claimSeconds }: Worker): Promise<void> {
  await db.query(`UPDATE auftraege SET faellig_am = ${lapses('$4', '$3::int')} WHERE ${MINE}`, [
    ...mine(held),
    claimSeconds,
  ]);
}

export async function remove(db: OwnerDatabase, held: Claim): Promise<void> {
  await db.query(`DELETE FROM auftraege WHERE ${MINE}`, mine(held));
}

/** The next attempt is after this many seconds, but not later than `latest` (ISO 8601, null for no such limit). */
export async function postpone(
  db: OwnerDatabase,
  held: Claim,
  reason: string,
  seconds: number,
  latest: string | null,
): Promise<void> {
  await db.query(
    `UPDATE auftraege SET fehler = $4, bearbeiter = NULL, faellig_am = least(now() + make_interval(secs => $5), $6::timestamptz) WHERE ${MINE}`,
    [...mine(held), reason, seconds, latest],
  );
}

/** It becomes a dead letter. */
export async function giveUp(db: OwnerDatabase, held: Claim, reason: string): Promise<void> {
  await db.query(`UPDATE auftraege SET fehler = $4, bearbeiter = NULL, aufgegeben_am = now() WHERE ${MINE}`, [
    ...mine(held),
    reason,
  ]);
}

/** Which of these jobs are due, and seconds until the next one is that is not due yet (null: there is none). */
export async function lookAhead(
  db: OwnerDatabase,
  ids: string[],
): Promise<{ due: string[]; seconds: number | null }> {
  const { rows } = await db.query<{ due: string[]; seconds: number | null }>(
    `SELECT ARRAY(SELECT k.job FROM unnest($1::text[]) AS k (job) WHERE EXISTS (SELECT FROM auftraege a
         WHERE a.job = k.job AND aufgegeben_am IS NULL AND faellig_am <= now())) AS due,
       (SELECT extract(epoch FROM min(faellig_am) - now())::float8 FROM auftraege
        WHERE job = ANY($1) AND aufgegeben_am IS NULL AND faellig_am > now()) AS seconds`,
    [ids],
  );
  return rows[0] ?? { due: [], seconds: null };
}

// $1 the installation, $2 the id of the run, $3 the job. Adds nothing while a run waits or is under way; one that was given up begins anew.
const PUT_RUN = (source: string) => `
  INSERT INTO auftraege AS a (mandant_id, auftrag_id, job, fassung, nutzlast, geplant)
  SELECT $1::uuid, $2::uuid, $3::text, 1, '{}', true ${source}
  ON CONFLICT (mandant_id, job) WHERE geplant DO UPDATE
    SET auftrag_id = excluded.auftrag_id, faellig_am = now(), versuche = 0, aufgegeben_am = NULL
    WHERE a.aufgegeben_am IS NOT NULL`;
const PUT_SCHEDULED = `WITH lauf AS (${PUT_RUN('')}) SELECT pg_notify('${CHANNEL}', $3)`;
// One statement: the time is never taken without its run.
const CLAIM_TIME = `
  WITH zeit AS (UPDATE zeitplan SET zuletzt = $5 WHERE job = $3 AND zuletzt = $4 RETURNING job),
    lauf AS (${PUT_RUN('FROM zeit')})
  SELECT pg_notify('${CHANNEL}', job) FROM zeit`;

/** Puts in a run of the schedule, unless one waits or is under way; one that was given up begins anew. */
export async function putScheduled(db: OwnerDatabase, id: string): Promise<void> {
  await db.query(PUT_SCHEDULED, [INSTALLATION, uuidv7(), id]);
}

/** Jobs that the schedule does not know yet are due at their next time, not at their latest. */
export async function joinSchedule(db: OwnerDatabase, ids: string[]): Promise<void> {
  await db.query(
    `INSERT INTO zeitplan (job, zuletzt) SELECT unnest($1::text[]), clock_timestamp() ON CONFLICT DO NOTHING`,
    [ids],
  );
}

/** For which time a run of each job was put in last, and the time by the clock of the database; instants as it writes them. */
export async function readSchedule(
  db: OwnerDatabase,
): Promise<{ job: string; zuletzt: string; now: string }[]> {
  const { rows } = await db.query<{ job: string; zuletzt: string; now: string }>(
    'SELECT job, zuletzt, clock_timestamp() AS now FROM zeitplan',
  );
  return rows;
}

/** Puts in the run for a time, unless another instance has done so since `previous` was read. */
export async function claimTime(db: OwnerDatabase, id: string, previous: string, time: Date): Promise<void> {
  await db.query(CLAIM_TIME, [INSTALLATION, uuidv7(), id, previous, time.toISOString()]);
}

/** Puts in a job of the installation, which is no Mandant's. */
export const enqueueForInstallation = <P>(
  client: Pick<pg.ClientBase, 'query'>,
  kind: JobKind<P>,
  payload: P,
): Promise<void> => enqueueFor(client, mandantId(INSTALLATION), kind, payload);

/** Runs of the schedule whose job is not there any more go. */
export async function removeUnscheduled(db: OwnerDatabase, scheduled: string[]): Promise<void> {
  await db.query('DELETE FROM auftraege WHERE geplant AND job <> ALL($1)', [scheduled]);
}

/**
 * What has been due for a day and is understood by nobody becomes a dead letter: a job that is not there any more, or a
 * payload of a later version (while instances of two versions run, the newer ones do those). Resolves with how many.
 */
export async function giveUpStranded(db: OwnerDatabase, jobs: Job[]): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE auftraege a SET aufgegeben_am = now(), fehler = CASE WHEN k.job IS NULL
         THEN 'no instance knows this job' ELSE 'no instance reads payloads of version ' || a.fassung END
     FROM auftraege b LEFT JOIN unnest($1::text[], $2::int[]) AS k (job, fassung) ON k.job = b.job
     WHERE (a.mandant_id, a.auftrag_id) = (b.mandant_id, b.auftrag_id) AND a.aufgegeben_am IS NULL
       AND a.faellig_am < now() - interval '${STRANDED}' AND (k.job IS NULL OR a.fassung > k.fassung)`,
    [jobs.map(({ id }) => id), jobs.map(({ version }) => version)],
  );
  return rowCount ?? 0;
}
