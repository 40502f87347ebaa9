/** Requests of programs for more, which a person grants or declines. */
import type { InForce } from '#domains/eingriffe/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alteEntfernenJob } from './jobs/alte-entfernen.ts';
import { antragEntscheidenRoute } from './routes/entscheiden.ts';
import { antraegeRoute } from './routes/liste.ts';

export { antraegeOfKey, makeAntrag } from './service.ts';

export const antraegeRoutes = (context: ServiceContext, inForce: InForce): Route[] => [
  antraegeRoute(context),
  antragEntscheidenRoute(context, inForce),
];

export const antraegeJobs = (context: Pick<JobContext, 'owner' | 'log'>): Job[] => [
  alteEntfernenJob(context),
];
