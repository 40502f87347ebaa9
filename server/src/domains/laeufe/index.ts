/** Runs: the calls that share a `lauf_id`. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alteZustaendeEntfernenJob } from './jobs/alte-zustaende-entfernen.ts';
import { cockpitLaeufeRoute } from './routes/cockpit-laeufe.ts';
import { cockpitLaufRoute } from './routes/cockpit-lauf.ts';
import { laeufeListeRoute } from './routes/laeufe-liste.ts';
import { laufRoute } from './routes/lauf.ts';

export { rereadRuns } from './reread-runs.ts';
export { type Lauf, toApi } from './rules.ts';
export {
  advance,
  compareSteps,
  type KeptStep,
  newRun,
  RECENT_STEPS,
  type RunState,
  type Step,
} from './run-state.ts';
export { readRunState, writeRunState } from './run-state-bytes.ts';
export { runOverview } from './service.ts';
export { readRuns, runCosts } from './store/runs.ts';

export const laeufeRoutes = (context: ServiceContext): Route[] => [
  laeufeListeRoute(context),
  laufRoute(context),
  cockpitLaeufeRoute(context),
  cockpitLaufRoute(context),
];

export const laeufeJobs = (context: Pick<JobContext, 'owner'>): Job[] => [alteZustaendeEntfernenJob(context)];
