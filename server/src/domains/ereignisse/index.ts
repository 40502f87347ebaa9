/** Events: the way in. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';

export { unpackBatch, type WaitingBatch } from './pack-batch.ts';
export {
  FINGERPRINT_BYTES,
  GESCHAETZT,
  HAS_FINGERPRINT,
  HAS_PARENT,
  type PackedBatch,
} from './packed-batch.ts';
export { NO_AGENT } from './rules.ts';
export {
  type Acceptance,
  createAcceptance,
  type EingriffeInForce,
  type Outcome,
  SentBatch,
} from './service.ts';
export { type LatestEvent, readLatestEvents, readZaehlstand, type Zaehlstand } from './store.ts';

import { idempotenzAufraeumenJob } from './jobs/idempotenz-aufraeumen.ts';
import { monateAnlegenJob } from './jobs/monate-anlegen.ts';
import { annehmenRoute } from './routes/annehmen.ts';
import type { Acceptance } from './service.ts';

export { idempotenzAufraeumenJob } from './jobs/idempotenz-aufraeumen.ts';
export { makeMonths } from './jobs/monate-anlegen.ts';

export const ereignisseRoutes = (context: ServiceContext, acceptance: Acceptance): Route[] => [
  annehmenRoute(context, acceptance),
];

export const ereignisseJobs = (context: JobContext): Job[] => [
  monateAnlegenJob(context),
  idempotenzAufraeumenJob(context),
];
