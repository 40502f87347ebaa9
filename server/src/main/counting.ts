/** Composes the counting side: worker and jobs, in the thread or process that calls it. */
import { createLookout } from '#domains/detektoren/index.ts';
import { recordLastCalls } from '#domains/katalog/index.ts';
import { RunMemory } from '#domains/laeufe/index.ts';
import { followPriceList } from '#domains/preise/index.ts';
import { createArmed } from '#domains/regeln/index.ts';
import { createCountingWorker, createMarkConsumer } from '#domains/zaehlung/index.ts';
import { systemClock } from '#kernel/clock.ts';
import type { StepBack } from '#platform/back-pressure.ts';
import type { Config } from '#platform/config.ts';
import { type Connections, createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { MEMORY } from '#platform/memory.ts';
import type { Observation, Observe } from '#platform/metrics.ts';
import { startAllJobs } from './jobs.ts';

export interface Counting {
  stop(): Promise<void>;
}

/** What a thread that counts tells the one that started it: that it has started, then what it does. */
export type CountingMessage = 'started' | Observation;

/** A counting transaction writes thousands of rows; a request never runs this long. */
const STATEMENT_TIMEOUT = 120_000;

/** Starts counting and, beside it, the jobs; throws when a job is declared wrongly. */
export function startCounting(
  config: Config,
  connections: Connections,
  log: Log,
  observe: Observe,
  stepBack: StepBack = async () => undefined,
): Counting {
  const { connection } = connections;
  const pool = createPool(
    { connection, max: 6, statementTimeout: STATEMENT_TIMEOUT, name: 'counting', alone: true },
    log,
  );
  const db = createOwnerDatabase(pool);
  const list = followPriceList({ db, log });
  const { prices } = list;
  const jobs = startAllJobs({ config, connections, log, observe }, prices);
  const runs = new RunMemory(MEMORY.runs);
  const handlers = [recordLastCalls, createLookout({ log, now: systemClock.now, runs })];
  const marks = createMarkConsumer({ db, log, handlers });
  const armed = createArmed({ db, log });
  const worker = createCountingWorker({
    db,
    log,
    prices,
    substituteRate: config.usdEurRate,
    substituteDay: config.usdEurRateDay,
    onCounted: (events, duplicates) => {
      observe({ kind: 'counted', events, duplicates });
      marks.wake();
    },
    stepBack,
    isUrgent: armed.has,
    runs,
  });
  let stopping = false;
  // A cost once known stays: nothing is counted by a list that does not hold.
  const started = list.start().then(() => {
    if (stopping) return;
    worker.start();
    marks.start();
  });
  return {
    async stop() {
      stopping = true;
      await list.stop();
      await started;
      await Promise.all([jobs.stop(), worker.stop()]);
      await marks.stop();
      await armed.stop();
      await db.close();
    },
  };
}
