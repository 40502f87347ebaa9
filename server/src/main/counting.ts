/** Composes the counting side: worker and jobs, in the thread or process that calls it. */
import type pg from 'pg';
import { alteEinladungenEntfernen } from '#domains/benutzer/index.ts';
import { createAboBeenden } from '#domains/buchung/index.ts';
import { idempotenzAufraeumen, monateAnlegen } from '#domains/ereignisse/index.ts';
import { createErinnern, kontenLoeschen } from '#domains/kuendigung/index.ts';
import { createPostSender } from '#domains/postausgang/index.ts';
import { createKurseHolen, createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker, createNachpreisen } from '#domains/zaehlung/index.ts';
import { abgelaufenesEntfernen, alteSitzungenEntfernen } from '#domains/zugang/index.ts';
import { startScheduler } from '#jobs/index.ts';
import { systemClock } from '#kernel/clock.ts';
import type { StepBack } from '#platform/back-pressure.ts';
import type { Config } from '#platform/config.ts';
import { createPool, createRequestDatabase } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { createMailer } from '#platform/mail.ts';
import { createSecretBox, loadSecretKey } from '#platform/secret-box.ts';

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
  stepBack: StepBack = async () => undefined,
): Promise<Counting> {
  const pool = createPool({ connection, max: 6, statementTimeout: STATEMENT_TIMEOUT, name: 'counting' }, log);
  const db = createOwnerDatabase(pool);
  const prices = createPriceList();
  const worker = createCountingWorker({
    db,
    log,
    prices,
    substituteRate: config.usdEurRate,
    onCounted,
    stepBack,
  });
  worker.start();
  const secrets = createSecretBox(loadSecretKey(config.secretKey, config.dataDir));
  const post = createPostSender({ db, mailer: createMailer(config, log), secrets, log });
  post.start();
  // Jobs that do for one Mandant what a request could do see no more than a request does.
  const asRequest = createRequestDatabase(
    createPool(
      { connection, max: 1, statementTimeout: STATEMENT_TIMEOUT, pipeline: true, name: 'jobs' },
      log,
    ),
  );
  const context = { db: asRequest, clock: systemClock, secrets, config, log };
  const jobs = [
    monateAnlegen,
    idempotenzAufraeumen,
    createKurseHolen(),
    createNachpreisen(prices),
    alteSitzungenEntfernen,
    alteEinladungenEntfernen,
    abgelaufenesEntfernen,
    createAboBeenden(context),
    createErinnern(context),
    kontenLoeschen,
  ];
  const scheduler = await startScheduler(connection, jobs, db, log);
  return {
    async stop() {
      await scheduler.stop();
      await post.stop();
      await worker.stop();
      await asRequest.close();
      await db.close();
    },
  };
}
