import { otlpLogs, otlpLogsShort } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { Log } from '#platform/log.ts';
import type { Doors } from '../service/accept.ts';
import { answerOf, neverBroken, readersOf } from './door.ts';

/** POST …/v1/logs: 200 once what was sent is durable. */
export const protokolleRoutes = (doors: Doors, log: Log): Route[] =>
  [otlpLogs, otlpLogsShort].map((operation) =>
    route(
      operation,
      ({ principal, body }) =>
        neverBroken(log, async () => answerOf(body.form, await doors.take(principal, body), 'log')),
      readersOf('logs', doors, log),
    ),
  );
