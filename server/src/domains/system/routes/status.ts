import { ereignisseAnnehmen, status } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { assess, type Backlog } from '../rules.ts';

/** Public, and 200 even when the database is away: the page that says so must not fail with it. */
export const statusRoute = (context: ServiceContext, backlog: () => Promise<Backlog>): Route =>
  route(status, async () => {
    const known = await backlog().catch((error: unknown) => {
      context.log.warn({ err: error }, 'status: no answer from the database');
      return null;
    });
    const sinceRefusal = context.metrics.secondsSinceFailure(ereignisseAnnehmen.id);
    return {
      ...assess(known, sinceRefusal),
      version: context.version,
      zeit: context.clock.now().toISOString(),
    };
  });
