import { ereignisseAnnehmen, status } from '#contracts';
import type { Trouble } from '#domains/ereignisse/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Room } from '../disk.ts';
import { assess, type Backlog } from '../rules.ts';

/** How the parts are asked. */
export interface Probes {
  backlog: () => Promise<Backlog>;
  trouble: () => Promise<Trouble>;
  room: () => Promise<Room | null>;
  sinceJump: () => number | null;
}

/** Public, and 200 even when the database is away: the page that says so must not fail with it. */
export const statusRoute = (context: ServiceContext, probes: Probes): Route =>
  route(status, async () => {
    const [backlog, trouble, room] = await Promise.all([
      probes.backlog().catch((error: unknown) => {
        context.log.warn({ err: error }, 'status: no answer from the database');
        return null;
      }),
      probes.trouble().catch((): Trouble => 'unreachable'),
      probes.room(),
    ]);
    const sinceRefusal = context.metrics.secondsSinceFailure(ereignisseAnnehmen.id);
    return {
      ...assess({ backlog, trouble, sinceRefusal, room, sinceJump: probes.sinceJump() }),
      version: context.version,
      zeit: context.clock.now().toISOString(),
    };
  });
