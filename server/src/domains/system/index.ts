/** Health and public status. */
import type { Acceptance } from '#domains/ereignisse/index.ts';
import { readPriceListAge } from '#domains/preise/index.ts';
import type { Route } from '#http/index.ts';
import { readJobStates } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createClockWatch } from './clock-watch.ts';
import { createDiskProbe } from './disk.ts';
import { createProbe } from './probe.ts';
import { gesundRoute } from './routes/gesund.ts';
import { statusRoute } from './routes/status.ts';
import { readBacklog } from './store.ts';

export function systemRoutes(context: ServiceContext, acceptance: Pick<Acceptance, 'trouble'>): Route[] {
  const backlog = createProbe(() => readBacklog(context.db));
  context.metrics.onBacklog(backlog);
  context.metrics.onJobs(createProbe(() => readJobStates(context.db)));
  context.metrics.onPriceList(createProbe(() => readPriceListAge(context)));
  const trouble = createProbe(acceptance.trouble);
  return [
    gesundRoute(context, trouble),
    statusRoute(context, {
      backlog,
      trouble,
      room: createDiskProbe(context.config),
      sinceJump: createClockWatch(),
    }),
  ];
}
