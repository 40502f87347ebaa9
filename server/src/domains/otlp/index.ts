/** OpenTelemetry, and what is like it: calls of models that libraries tell of, each counted once. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Quota } from '#platform/quota.ts';
import { alteEntfernenJob } from './jobs/alte-entfernen.ts';
import { nachholenJob } from './jobs/nachholen.ts';
import { langsmithInfoRoute } from './routes/langsmith-info.ts';
import { messwerteRoutes } from './routes/messwerte.ts';
import { openaiAgentsRoute } from './routes/openai-agents.ts';
import { protokolleRoutes } from './routes/protokolle.ts';
import { spansRoutes } from './routes/spans.ts';
import { createDoors, type Doors } from './service/accept.ts';
import { createWake } from './service/wake.ts';

/** What all doors of this slice share, made once; `stop` ends its clocks. */
export function createOtlp(
  context: ServiceContext,
  quota: Pick<Quota, 'take'>,
): { doors: Doors; stop(): void } {
  const wake = createWake(context);
  return { doors: createDoors(context, quota, wake.note), stop: wake.stop };
}

export { otlpAside } from './routes/body.ts';

export const otlpRoutes = ({ log }: Pick<ServiceContext, 'log'>, doors: Doors): Route[] => [
  ...spansRoutes(doors, log),
  ...protokolleRoutes(doors, log),
  ...messwerteRoutes(),
  openaiAgentsRoute(doors, log),
  langsmithInfoRoute(),
];

export const otlpJobs = (context: JobContext): Job[] => [nachholenJob(context), alteEntfernenJob(context)];
