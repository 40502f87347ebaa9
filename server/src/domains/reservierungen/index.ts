/** Reservations: money set aside before a call, so that hard limits are never crossed. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { ausgeschoepftMeldenJob } from './jobs/ausgeschoepft-melden.ts';
import { verfalleneEntfernenJob } from './jobs/verfallene-entfernen.ts';
import { anlegenRoute } from './routes/anlegen.ts';

export { limitsOfCall } from './limits-of-call.ts';
export { readScopes } from './scopes.ts';

export const reservierungenRoutes = (context: ServiceContext): Route[] => [anlegenRoute(context)];

export const reservierungenJobs = (context: Pick<JobContext, 'owner' | 'clock'>): Job[] => [
  ausgeschoepftMeldenJob(context),
  verfalleneEntfernenJob(context),
];
