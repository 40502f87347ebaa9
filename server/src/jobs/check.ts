/**
 * Checks of all Mandanten: they come by the clock, and at once for users who may ask. A run is made by the counting side, as the
 * owner; who asks puts in a job and waits for the counters, and gets nothing else of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { datetime, Type } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx, RequestDatabase } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { enqueue } from './enqueue.ts';
import { defineJob, handle, type Job, type JobKind, onSchedule, type Schedule } from './job.ts';
import { type Counters, runShared, runSince } from './shared-run.ts';

export interface Check {
  /** What the runs share; also the id of the job on the schedule. */
  name: string;
  atOnce: JobKind<{ gefragt_am: string }>;
}

/** Declares a check. */
export const defineCheck = (name: string): Check => ({
  name,
  atOnce: defineJob({
    id: `${name}_sofort`,
    version: 1,
    payload: Type.Object({ gefragt_am: datetime() }),
  }),
});

/** The jobs of a check; `run` counts into its counters whatever it has done by then, also when it fails, and knows whether somebody asked for it. */
export function checkJobs(
  { name, atOnce }: Check,
  owner: OwnerDatabase,
  schedule: Schedule,
  run: (counters: Counters, isAskedFor: boolean) => Promise<void>,
): [Job & { run(): Promise<Record<string, unknown>> }, Job] {
  const shared = { geteilt: true };
  const bySchedule = (counters: Counters) => run(counters, false);
  const asked = (counters: Counters) => run(counters, true);
  return [
    onSchedule({
      id: name,
      ...schedule,
      run: async () => (await runShared(owner, name, bySchedule)) ?? shared,
    }),
    handle(atOnce, async ({ payload }) => (await runSince(owner, name, payload.gefragt_am, asked)) ?? shared),
  ];
}

/** How long one waits for the end of a run, in milliseconds; where none has come for long, hardly. */
const PATIENCE = 15_000;
const WITHOUT_WORKER = 300;
const LOOK = 100;

interface LatestRun {
  /** Whether it began after the instant and has ended. */
  is_done: boolean;
  /** Whether runs come at all: the latest began within the last ten minutes. */
  is_alive: boolean;
  zaehler: Counters;
}

async function readLatestRun(tx: MandantTx, name: string, since: string): Promise<LatestRun | undefined> {
  const { rows } = await sql<LatestRun>`
    SELECT beendet_am IS NOT NULL AND begonnen_am >= ${since}::timestamptz AS is_done,
      begonnen_am > clock_timestamp() - interval '10 minutes' AS is_alive, zaehler
    FROM pruefungen WHERE name = ${name}`.execute(tx);
  return rows[0];
}

/**
 * Has a run made that begins from now on, unless another does, and waits for its counters; null where none has ended by then, or
 * no worker runs: it comes later.
 */
export async function askForCheck(
  { db }: { db: RequestDatabase },
  mandant: MandantId,
  { name, atOnce }: Check,
): Promise<Counters | null> {
  const asked = await db.forMandant(mandant, async (tx) => {
    const { rows } = await sql<{ now: string }>`SELECT clock_timestamp() AS now`.execute(tx);
    const gefragt_am = rows[0]?.now as string;
    await enqueue(tx, atOnce, { gefragt_am });
    return gefragt_am;
  });
  const began = performance.now();
  for (;;) {
    const run = await db.forMandant(mandant, (tx) => readLatestRun(tx, name, asked));
    if (run?.is_done) return run.zaehler;
    if (performance.now() - began > (run?.is_alive ? PATIENCE : WITHOUT_WORKER)) return null;
    await delay(LOOK);
  }
}
