/** Health and public status. */
import type { Route } from '#http/index.ts';
import { readJobStates } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createProbe } from './probe.ts';
import { gesundRoute } from './routes/gesund.ts';
import { statusRoute } from './routes/status.ts';
import { readBacklog } from './store.ts';

export function systemRoutes(context: ServiceContext): Route[] {
  const backlog = createProbe(() => readBacklog(context.db));
  context.metrics.onBacklog(backlog);
  context.metrics.onJobs(createProbe(() => readJobStates(context.db)));
  return [gesundRoute(context), statusRoute(context, backlog)];
}
