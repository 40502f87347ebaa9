/** Events: the way in. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';

export { type Arrival, readArrivals } from './arrivals.ts';
export {
  type ColumnOfEvents,
  type CountingColumn,
  EVENT_COLUMNS,
  type EventColumn,
} from './columns.ts';
export { packEvents, type SentContent } from './content.ts';
export { DELIBERATE, isDeliberate } from './deliberate.ts';
export { FAILURE, isFailure, SUCCESS } from './outcome.ts';
export {
  BITS,
  COLUMNS as PACKED_COLUMNS,
  FINGERPRINT_BYTES,
  POSITIONS,
  type Values,
} from './packed/format.ts';
export { type PackedBatch, packAgain, unpackBatch, type WaitingBatch, waitingEvents } from './packed/read.ts';
export { compress } from './packed/write.ts';
export { PARENT_RUN, parentRunIn } from './parent-run.ts';
export { annehmenAside, createReader } from './routes/annehmen-body.ts';
export { FUTURE_LIMIT } from './rules.ts';
export { type Acceptance, createAcceptance, refuseOld, storeInTransaction } from './service.ts';
export {
  type Backlog,
  type Gaps,
  readBacklog,
  readGaps,
  readLatestEvents,
  readZaehlstand,
  type Zaehlstand,
} from './store.ts';
export type { Trouble } from './trouble.ts';

import { idempotenzAufraeumenJob } from './jobs/idempotenz-aufraeumen.ts';
import { monateAnlegenJob } from './jobs/monate-anlegen.ts';
import { annehmenRoute } from './routes/annehmen.ts';
import type { Acceptance } from './service.ts';

export { makeMonths } from './jobs/monate-anlegen.ts';

export const ereignisseRoutes = (acceptance: Acceptance): Route[] => [annehmenRoute(acceptance)];

export const ereignisseJobs = (context: JobContext): Job[] => [
  monateAnlegenJob(context),
  idempotenzAufraeumenJob(context),
];
