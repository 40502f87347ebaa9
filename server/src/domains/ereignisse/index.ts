/** Events: the way in. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';

export {
  type ColumnOfEvents,
  type CountingColumn,
  EVENT_COLUMNS,
  type EventColumn,
  SHOWN_COLUMNS,
} from './columns.ts';
export {
  BITS,
  COLUMNS as PACKED_COLUMNS,
  FINGERPRINT_BYTES,
  POSITIONS,
  type Values,
} from './packed/format.ts';
export { type PackedBatch, unpackBatch, type WaitingBatch, waitingEvents } from './packed/read.ts';
export { type LatestEvent, readLatestEvents, readZaehlstand, type Zaehlstand } from './store.ts';

import { annehmenRoute } from './routes/annehmen.ts';

export { idempotenzAufraeumen } from './jobs/idempotenz-aufraeumen.ts';
export { makeMonths, monateAnlegen } from './jobs/monate-anlegen.ts';

export const ereignisseRoutes = (context: ServiceContext): Route[] => [annehmenRoute(context)];
