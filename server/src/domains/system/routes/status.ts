import { status } from '#contracts';
import { type Route, route, speak } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Board } from '../board.ts';
import { meaningOf } from '../words.ts';

/** Public, and 200 even when the database is away: the page that says so must not fail with it. */
export const statusRoute = (context: ServiceContext, board: Board): Route =>
  route(status, async ({ request, reply }) => {
    const { parts, backlogSeconds, preisstand, status: worst } = await board.standing();
    const language = speak(request, reply);
    return {
      status: worst,
      version: context.version,
      zeit: context.clock.now().toISOString(),
      komponenten: parts.map((part) => ({
        name: part.name,
        status: part.status,
        seit: new Date(part.since * 1_000).toISOString(),
        zuletzt: part.zuletzt,
        bedeutung: meaningOf(part)?.[language] ?? null,
      })),
      preisstand,
      rueckstand_sekunden: backlogSeconds,
    };
  });
