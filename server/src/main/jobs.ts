/** Composes the jobs: every slice's, beside counting, on connections of their own. */
import { abgleichJobs } from '#domains/abgleich/index.ts';
import { alarmeJobs } from '#domains/alarme/index.ts';
import { antraegeJobs } from '#domains/antraege/index.ts';
import { aufbewahrungJobs } from '#domains/aufbewahrung/index.ts';
import { befundeJobs } from '#domains/befunde/index.ts';
import { benutzerJobs } from '#domains/benutzer/index.ts';
import { berichteJobs } from '#domains/berichte/index.ts';
import { betreiberJobs } from '#domains/betreiber/index.ts';
import { buchungJobs } from '#domains/buchung/index.ts';
import { budgetsJobs } from '#domains/budgets/index.ts';
import { detektorenJobs } from '#domains/detektoren/index.ts';
import { ereignisseJobs } from '#domains/ereignisse/index.ts';
import { importeJobs } from '#domains/importe/index.ts';
import { installationJobs } from '#domains/installation/index.ts';
import { kontingenteJobs } from '#domains/kontingente/index.ts';
import { kuendigungJobs } from '#domains/kuendigung/index.ts';
import { neubepreisungJobs } from '#domains/neubepreisung/index.ts';
import { otlpJobs } from '#domains/otlp/index.ts';
import { postausgangJobs } from '#domains/postausgang/index.ts';
import { type PriceList, preiseJobs } from '#domains/preise/index.ts';
import { regelnJobs } from '#domains/regeln/index.ts';
import { reservierungenJobs } from '#domains/reservierungen/index.ts';
import { systemJobs } from '#domains/system/index.ts';
import { verbrauchJobs } from '#domains/verbrauch/index.ts';
import { noteStatementEnd, weiterbelastungJobs } from '#domains/weiterbelastung/index.ts';
import { zaehlungJobs } from '#domains/zaehlung/index.ts';
import { zugangJobs } from '#domains/zugang/index.ts';
import { zwillingJobs } from '#domains/zwilling/index.ts';
import { type Job, type JobContext, startJobs } from '#jobs/index.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Config } from '#platform/config.ts';
import { type Connections, createPool, createRequestDatabase } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createDocuments } from '#platform/documents.ts';
import type { Log } from '#platform/log.ts';
import { createMailer } from '#platform/mail.ts';
import type { Observe } from '#platform/metrics.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { createSecretBox, loadSecretKey } from '#platform/secret-box.ts';

/** The removal of a Mandant, late prices: a request never runs this long. */
const STATEMENT_TIMEOUT = 120_000;

/** The jobs of all slices. */
export const composeJobs = (context: JobContext, prices: PriceList): Job[] => [
  ...postausgangJobs(context, [noteStatementEnd]),
  ...installationJobs(context),
  ...kontingenteJobs(context),
  ...zugangJobs(context),
  ...benutzerJobs(context),
  ...preiseJobs(context),
  ...alarmeJobs(context),
  ...ereignisseJobs(context),
  ...otlpJobs(context),
  ...verbrauchJobs(context),
  ...regelnJobs(context),
  ...zaehlungJobs(context, prices),
  ...neubepreisungJobs(context, prices),
  ...befundeJobs(context),
  ...budgetsJobs(context),
  ...antraegeJobs(context),
  ...reservierungenJobs(context),
  ...detektorenJobs(context, prices),
  ...zwillingJobs(context, prices),
  ...weiterbelastungJobs(context),
  ...berichteJobs(context),
  ...abgleichJobs(context, prices),
  ...importeJobs(context),
  ...buchungJobs(context),
  ...kuendigungJobs(context),
  ...betreiberJobs(context),
  ...systemJobs(context),
  ...aufbewahrungJobs(context),
];

/** Starts them; throws only when they are declared wrongly. */
export function startAllJobs(
  {
    config,
    connections: { connection, requests },
    log,
    observe,
  }: { config: Config; connections: Connections; log: Log; observe: Observe },
  prices: PriceList,
): { stop(): Promise<void> } {
  const options = { statementTimeout: STATEMENT_TIMEOUT };
  const owner = createOwnerDatabase(createPool({ ...options, connection, max: 4, name: 'jobs' }, log));
  const db = createRequestDatabase(
    createPool({ ...options, connection: requests, max: 2, pipeline: true, name: 'jobs-anfrage' }, log),
  );
  const mailer = createMailer(config, log);
  const secrets = createSecretBox(loadSecretKey(config.secretKey, config.dataDir));
  const outbound = createOutbound(networksOf(config.allowedNetworks));
  const documents = createDocuments(log);
  const context: JobContext = {
    owner,
    db,
    mailer,
    secrets,
    outbound,
    documents,
    clock: systemClock,
    config,
    log,
  };
  const running = startJobs(connection, {
    jobs: composeJobs(context, prices),
    db: owner,
    log,
    observe,
  });
  return {
    async stop() {
      await running.stop();
      await documents.stop();
      mailer.close();
      await Promise.all([db.close(), owner.close()]);
    },
  };
}
