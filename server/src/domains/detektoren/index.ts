/** Detectors: what rules are about, looked for in the calls of the last day. */
import type { PriceList } from '#domains/preise/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { pruefenJobs } from './jobs/pruefen.ts';
import { wiederholungenJob } from './jobs/wiederholungen.ts';
import { record } from './owner/record.ts';
import { detektorenPruefenRoute } from './routes/pruefen.ts';

export type { Candidate, RecordFindings } from './candidate.ts';
export type { Calls, Look } from './detector.ts';
export { callsOf, type DetectedRule, detect } from './detectors.ts';
export { wiederholungenJob } from './jobs/wiederholungen.ts';
export { createLookout } from './owner/on-marks.ts';
export { record } from './owner/record.ts';
export { type Detected, type DetectionContext, prepare, runDetectors } from './owner/run-detectors.ts';

export const detektorenRoutes = (context: ServiceContext): Route[] => [detektorenPruefenRoute(context)];

export const detektorenJobs = (
  context: Pick<JobContext, 'owner' | 'log' | 'clock'>,
  prices: PriceList,
): Job[] => [wiederholungenJob(context), ...pruefenJobs(context, prices, record)];
