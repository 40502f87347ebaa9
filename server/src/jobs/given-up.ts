/** Dead letters and what waits, for those who run the installation. */
import type { RequestDatabase } from '#platform/database/index.ts';
import type { OwnerDatabase, OwnerTransaction } from '#platform/database/owner-database.ts';
import { CHANNEL } from './enqueue.ts';
import { INSTALLATION } from './store.ts';

/** How a job stands, over all Mandanten. */
export interface JobState {
  job: string;
  /** Under way ones included. */
  waiting: number;
  /** How long the oldest one that is due has waited. */
  seconds: number;
  givenUp: number;
}

/** A job that was given up. */
export interface DeadLetter {
  auftrag_id: string;
  job: string;
  /** Null for the installation's. */
  mandant: string | null;
  erstellt_am: string;
  aufgegeben_am: string;
  versuche: number;
  fehler: string | null;
}

/** Of every job of which something waits or was given up. */
export async function readJobStates(db: RequestDatabase): Promise<JobState[]> {
  const { rows } = await db.transaction((client) =>
    client.query<JobState>(
      `SELECT job, wartend AS waiting, sekunden AS seconds, aufgegeben AS "givenUp" FROM zw_auftraege_stand()`,
    ),
  );
  return rows;
}

/** The dead letters, the latest first; at most `limit`. */
export async function listDeadLetters(db: OwnerDatabase, limit: number): Promise<DeadLetter[]> {
  const { rows } = await db.query<DeadLetter & Record<string, unknown>>(
    `SELECT auftrag_id, job, nullif(mandant_id, $1) AS mandant, erstellt_am, aufgegeben_am, versuche, fehler
     FROM auftraege WHERE aufgegeben_am IS NOT NULL ORDER BY aufgegeben_am DESC, auftrag_id LIMIT $2`,
    [INSTALLATION, limit],
  );
  return rows;
}

/** Has dead letters run again, with all their attempts: one, or (null) all; resolves with how many. */
export async function requeueDeadLetters(db: OwnerTransaction, auftragId: string | null): Promise<number> {
  const { rows } = await db.query<{ anzahl: number }>(
    `WITH neu AS (
       UPDATE auftraege SET aufgegeben_am = NULL, versuche = 0, faellig_am = now()
       WHERE aufgegeben_am IS NOT NULL AND ($1::uuid IS NULL OR auftrag_id = $1) RETURNING job)
     SELECT coalesce(sum(je_job.anzahl), 0)::int AS anzahl
     FROM (SELECT count(*) AS anzahl, pg_notify('${CHANNEL}', job) FROM neu GROUP BY job) je_job`,
    [auftragId],
  );
  return rows[0]?.anzahl ?? 0;
}

/** Removes a dead letter for good; false when there is none of this id. */
export async function discardDeadLetter(db: OwnerTransaction, auftragId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'DELETE FROM auftraege WHERE auftrag_id = $1 AND aufgegeben_am IS NOT NULL',
    [auftragId],
  );
  return rowCount === 1;
}
