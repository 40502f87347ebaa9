/** Findings and incidents: what rules have found, and what follows from it. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alteEntfernenJob } from './jobs/alte-entfernen.ts';
import { befundRoute } from './routes/befund.ts';
import { befundStatusRoute } from './routes/befund-status.ts';
import { befundeRoute } from './routes/befunde.ts';
import { vorfaelleRoute } from './routes/vorfaelle.ts';
import { vorfallSchliessenRoute } from './routes/vorfall-schliessen.ts';

export type { Candidate } from './candidate.ts';
export { avoidedWithin, foundWithin } from './found.ts';
export { liftForBudget } from './lift.ts';
export { readAgents } from './owner/known.ts';
export { type Recorded, recordFindings } from './owner/record.ts';
export { KEPT_DAYS } from './owner/remove-old.ts';
export { withdrawFindings } from './owner/withdraw.ts';
export { type AgentSettings, isAtLeast, levelOf, objectOfIntervention, untilOf } from './rules.ts';
export { listBefunde } from './service.ts';

export const befundeRoutes = (context: ServiceContext): Route[] => [
  befundeRoute(context),
  befundRoute(context),
  befundStatusRoute(context),
  vorfaelleRoute(context),
  vorfallSchliessenRoute(context),
];

export const befundeJobs = (context: Pick<JobContext, 'owner' | 'log' | 'clock'>): Job[] => [
  alteEntfernenJob(context),
];
