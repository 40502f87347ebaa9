/** Runs: the calls that share a `lauf_id`. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cockpitLaeufeRoute } from './routes/cockpit-laeufe.ts';
import { cockpitLaufRoute } from './routes/cockpit-lauf.ts';
import { laeufeListeRoute } from './routes/laeufe-liste.ts';
import { laufRoute } from './routes/lauf.ts';

export { calledBefore, calledSince } from './latest-call.ts';
export { readRunsAnew } from './read-runs-anew.ts';
export { type Lauf, toApi } from './rules.ts';
export { type RememberedRun, type RunChange, RunMemory } from './run-memory.ts';
export { type KeptStep, RECENT_STEPS, type RunState, type Step } from './run-state.ts';
export { runOverview } from './service.ts';
export { readRuns, runCosts } from './store/runs.ts';

export const laeufeRoutes = (context: ServiceContext): Route[] => [
  laeufeListeRoute(context),
  laufRoute(context),
  cockpitLaeufeRoute(context),
  cockpitLaufRoute(context),
];
