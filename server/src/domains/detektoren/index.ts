/** Detectors: what rules are about, looked for in the calls of the last day and, for one rule, of past ones. */
import type { PriceList } from '#domains/preise/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { pruefenJobs } from './jobs/pruefen.ts';
import { rueckblickJob } from './jobs/rueckblick.ts';
import { rueckblickeEntfernenJob } from './jobs/rueckblicke-entfernen.ts';
import { wiederholungenJob } from './jobs/wiederholungen.ts';
import { record } from './owner/record.ts';
import { detektorenPruefenRoute } from './routes/pruefen.ts';
import { rueckblickRoute } from './routes/rueckblick.ts';
import { rueckblickEntfernenRoute } from './routes/rueckblick-entfernen.ts';
import { entwurfRueckblickRoute } from './routes/rueckblick-entwurf.ts';
import { regelRueckblickRoute } from './routes/rueckblick-regel.ts';

export { overCalls } from './calls/over-calls.ts';
export type { Calls, Look } from './detector.ts';
export { callsOf, type DetectedRule, detect, isOfCause } from './detectors.ts';
export { createLookout } from './owner/on-marks.ts';
export { record } from './owner/record.ts';
export { lookBack } from './owner/rueckblick.ts';
export { prepare, runDetectors } from './owner/run-detectors.ts';

export const detektorenRoutes = (context: ServiceContext): Route[] => [
  detektorenPruefenRoute(context),
  regelRueckblickRoute(context),
  entwurfRueckblickRoute(context),
  rueckblickRoute(context),
  rueckblickEntfernenRoute(context),
];

export const detektorenJobs = (
  context: Pick<JobContext, 'owner' | 'db' | 'log' | 'clock'>,
  prices: PriceList,
): Job[] => [
  wiederholungenJob(context),
  ...pruefenJobs(context, prices, record),
  rueckblickJob(context, prices),
  rueckblickeEntfernenJob(context),
];
