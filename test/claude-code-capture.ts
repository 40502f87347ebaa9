/** A session as Claude Code tells of it twice: by OpenTelemetry and by its transcripts (tests only). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'captures/claude-code');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** Transcripts, in the order in which they came about. */
export const TRANSCRIPTS = ['session.jsonl', 'agent.jsonl', 'forked.jsonl'].map((file) => join(FOLDER, file));

/** Bodies of requests, with their paths. */
export const telemetry = (): { path: string; body: string }[] => [
  { path: '/v1/logs', body: read('logs.json') },
  { path: '/v1/traces', body: read('traces.json') },
];

/** … as earlier versions send them, which name no request. */
export const telemetryWithoutRequests = (): { path: string; body: string }[] =>
  telemetry().map(({ path, body }) => ({
    path,
    body: body.replaceAll('"request_id"', '"unknown_id"').replaceAll('"gen_ai.response.id"', '"unknown_id"'),
  }));

/** A call as the provider answered it. */
export interface TrueCall {
  id: string;
  model: string;
  input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  output_tokens: number;
}

/** All calls of the session, in their order. */
export const trueCalls = (): TrueCall[] =>
  read('truth.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TrueCall);
