/** Composes the counting side: worker and jobs, in the thread or process that calls it. */
import type pg from 'pg';
import { idempotenzAufraeumen, monateAnlegen } from '#domains/ereignisse/index.ts';
import { createKurseHolen, createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker, createNachpreisen } from '#domains/zaehlung/index.ts';
import { alteSitzungenEntfernen } from '#domains/zugang/index.ts';
import { startScheduler } from '#jobs/index.ts';
import type { Config } from '#platform/config.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';

export interface Counting {
  stop(): Promise<void>;
}

/** A counting transaction writes thousands of rows; a request never runs this long. */
const STATEMENT_TIMEOUT = 120_000;

export async function startCounting(
  config: Config,
  connection: pg.ClientConfig,
  log: Log,
  onCounted: (events: number, duplicates: number) => void,
): Promise<Counting> {
  const pool = createPool({ connection, max: 6, statementTimeout: STATEMENT_TIMEOUT, name: 'counting' }, log);
  const db = createOwnerDatabase(pool);
  const prices = createPriceList();
  const worker = createCountingWorker({ db, log, prices, substituteRate: config.usdEurRate, onCounted });
  worker.start();
  const jobs = [
    monateAnlegen,
    idempotenzAufraeumen,
    createKurseHolen(),
    createNachpreisen(prices),
    alteSitzungenEntfernen,
  ];
  const scheduler = await startScheduler(connection, jobs, db, log);
  return {
    async stop() {
      await scheduler.stop();
      await worker.stop();
      await db.close();
    },
  };
}
