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
export { type LatestEvent, readLatestEvents, readZaehlstand, type Zaehlstand } from './store.ts';

import { idempotenzAufraeumenJob } from './jobs/idempotenz-aufraeumen.ts';
import { monateAnlegenJob } from './jobs/monate-anlegen.ts';
import { annehmenRoute } from './routes/annehmen.ts';

export { idempotenzAufraeumenJob } from './jobs/idempotenz-aufraeumen.ts';
export { makeMonths } from './jobs/monate-anlegen.ts';

export const ereignisseRoutes = (context: ServiceContext): Route[] => [annehmenRoute(context)];

export const ereignisseJobs = (context: JobContext): Job[] => [
  monateAnlegenJob(context),
  idempotenzAufraeumenJob(context),
];
