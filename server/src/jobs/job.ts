/** A job: something done for all Mandanten, on a schedule, by one instance at a time. Each must be safe to repeat. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';

export interface JobContext {
  db: OwnerDatabase;
  log: Log;
}

export interface Job {
  /** Stable dotted name: queue, log and metrics. */
  id: string;
  /** Cron expression in Europe/Berlin. */
  cron: string;
  /** Also once when the service starts. */
  atStart: boolean;
  /** Resolves with what was done, for the log. */
  run(context: JobContext): Promise<Record<string, unknown>>;
}

export const job = (declaration: Job): Job => declaration;
