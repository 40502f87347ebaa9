/** Leaving: cancellation, and the removal of everything after 30 days. */
import type { AsOperator } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { erinnernJob } from './jobs/erinnern.ts';
import { loeschenJob } from './jobs/loeschen.ts';
import { verwaisteKuendigenJob } from './jobs/verwaiste-kuendigen.ts';
import { kuendigenRoute } from './routes/kuendigen.ts';
import { zuruecknehmenRoute } from './routes/zuruecknehmen.ts';

export { takeBackKuendigung } from './owner/take-back.ts';
export { loeschungAb } from './rules.ts';

export const kuendigungRoutes = (context: ServiceContext, asOperator: AsOperator): Route[] => [
  kuendigenRoute(context),
  zuruecknehmenRoute(context, asOperator),
];

export const kuendigungJobs = (context: JobContext): Job[] => [
  erinnernJob(context),
  loeschenJob(context),
  verwaisteKuendigenJob(context),
];
