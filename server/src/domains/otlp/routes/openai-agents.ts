import { otlpOpenaiAgents } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { Log } from '#platform/log.ts';
import type { Doors } from '../service/accept.ts';
import { readOpenAiAgents } from '../wire/openai-agents.ts';
import { answerOf, neverBroken, readersOfJson } from './door.ts';

/** POST /v1/traces/ingest: 200 once what was sent is durable. */
export const openaiAgentsRoute = (doors: Doors, log: Log): Route =>
  route(
    otlpOpenaiAgents,
    ({ principal, body: { records, form } }) =>
      neverBroken(log, async () => answerOf(form, await doors.take(principal, records), 'span')),
    readersOfJson(readOpenAiAgents),
  );
