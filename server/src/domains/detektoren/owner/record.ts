/** Findings written down, and runs with loops put in whose repeats are to become burnt money. Runs as the owner. */
import type pg from 'pg';
import { type Candidate, type Recorded, recordFindings } from '#domains/befunde/index.ts';
import { enqueueFor } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { wiederholungen } from '../jobs/wiederholungen.ts';

// Whoever takes a run out reads everything that was there before; only then it is put in again.
const PUT_IN = `WITH neu AS (
    INSERT INTO wiederholungen_offen (mandant_id, lauf_id) SELECT $1, l FROM unnest($2::uuid[]) AS l
    ON CONFLICT DO NOTHING RETURNING lauf_id)
  SELECT lauf_id FROM neu`;

/** Has the repeats of these runs read anew, each once however often it is put in until then. */
export async function putInRepeats(client: pg.ClientBase, mandant: string, runs: string[]): Promise<void> {
  if (runs.length === 0) return;
  const { rows } = await client.query<{ lauf_id: string }>(PUT_IN, [mandant, runs]);
  for (const { lauf_id } of rows) await enqueueFor(client, mandantId(mandant), wiederholungen, { lauf_id });
}

/** Records what rules have found, with all that follows from it. */
export async function record(
  client: pg.ClientBase,
  mandant: string,
  candidates: Candidate[],
  now: Date,
): Promise<Recorded> {
  const recorded = await recordFindings(client, mandantId(mandant), candidates, now);
  const looping = candidates
    .filter(({ regel }) => regel?.typ === 'schleife_exakt')
    .map(({ objekt }) => objekt);
  await putInRepeats(client, mandant, [...new Set(looping)].sort());
  return recorded;
}
