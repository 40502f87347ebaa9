import { otlpOpenaiAgents } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { Log } from '#platform/log.ts';
import type { Doors } from '../service/accept.ts';
import { answerOf, neverBroken, readersOf } from './door.ts';

/** POST /v1/traces/ingest: 200 once what was sent is durable. */
export const openaiAgentsRoute = (doors: Doors, log: Log): Route =>
  route(
    otlpOpenaiAgents,
    ({ principal, body }) =>
      neverBroken(log, async () => answerOf(body.form, await doors.take(principal, body), 'span')),
    readersOf('openaiAgents', doors, log),
  );
