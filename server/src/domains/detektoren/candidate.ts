/** Writes findings down, inside the caller's transaction, as the owner; what has its key already is updated. */
import type pg from 'pg';
import type { Candidate } from '#domains/befunde/index.ts';

export type { Candidate };

/** What a detector finds. */
export interface Found extends Candidate {
  /** The call with which the rule came to hold, ISO 8601; left out where only the hour or the day is known. */
  feuertAm?: string | null;
}

export type RecordFindings = (
  client: pg.PoolClient,
  mandant: string,
  candidates: Candidate[],
  now: Date,
) => Promise<unknown>;
