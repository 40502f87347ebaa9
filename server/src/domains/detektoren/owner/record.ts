/** Findings written down, and runs with loops put in whose repeats are to become burnt money. Runs as the owner. */
import type pg from 'pg';
import { type Candidate, type Recorded, recordFindings } from '#domains/befunde/index.ts';
import { wiederholungen } from '#domains/zaehlung/index.ts';
import { enqueueFor } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { isOfCause } from '../detectors.ts';

// The process that takes a run out reads everything that was there before; only then it is put in again. One that has been in for an hour was
// given up: its job failed for good.
const GIVEN_UP_AFTER = 60 * 60_000;
const PUT_IN = `INSERT INTO wiederholungen_offen AS w (mandant_id, lauf_id, seit)
  SELECT z.mandant_id, l, $3::timestamptz FROM zaehlstaende z CROSS JOIN unnest($2::uuid[]) AS l WHERE z.mandant_id = $1
  ON CONFLICT (mandant_id, lauf_id) DO UPDATE SET seit = excluded.seit WHERE w.seit < $4::timestamptz
  RETURNING lauf_id`;

/** Has the repeats of these runs read anew, each once however often it is put in until then. */
export async function putInRepeats(
  client: pg.ClientBase,
  mandant: string,
  runs: string[],
  now: Date,
): Promise<void> {
  if (runs.length === 0) return;
  const inOrder = [...new Set(runs)].sort();
  const { rows } = await client.query<{ lauf_id: string }>(PUT_IN, [
    mandant,
    inOrder,
    now,
    new Date(now.getTime() - GIVEN_UP_AFTER),
  ]);
  for (const { lauf_id } of rows) await enqueueFor(client, mandantId(mandant), wiederholungen, { lauf_id });
}

/** Records what rules have found, with all that follows from it. */
export async function record(
  client: pg.ClientBase,
  mandant: string,
  candidates: Candidate[],
  now: Date,
): Promise<Recorded> {
  // First the runs, then the findings: the job that reads a run locks in this order, too.
  const looping = candidates
    .filter(({ regel }) => regel && isOfCause(regel, 'wiederholungen'))
    .map(({ objekt }) => objekt);
  await putInRepeats(client, mandant, looping, now);
  return recordFindings(client, mandantId(mandant), candidates, now);
}
