import { otlpLangfuse, otlpLangsmith, otlpTraces, otlpTracesShort } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { Log } from '#platform/log.ts';
import type { Doors } from '../service/accept.ts';
import { answerOf, neverBroken, readersOf } from './door.ts';

/** POST …/v1/traces, under each of the paths that exporters know: 200 once what was sent is durable. */
export const spansRoutes = (doors: Doors, log: Log): Route[] =>
  [otlpTraces, otlpTracesShort, otlpLangfuse, otlpLangsmith].map((operation) =>
    route(
      operation,
      ({ principal, body }) =>
        neverBroken(log, async () => answerOf(body.form, await doors.take(principal, body), 'span')),
      readersOf('spans', doors, log),
    ),
  );
