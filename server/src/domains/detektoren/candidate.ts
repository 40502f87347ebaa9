/** Writes findings down, inside the caller's transaction, as the owner; what has its key already is updated. */
import type pg from 'pg';
import type { Candidate } from '#domains/befunde/index.ts';

export type { Candidate };

export type RecordFindings = (
  client: pg.PoolClient,
  mandant: string,
  candidates: Candidate[],
  now: Date,
) => Promise<unknown>;
