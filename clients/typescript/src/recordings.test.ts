import { expect, test } from 'vitest';
import { agentOfSource, eventsOfRecordings } from './recordings.ts';
import { summaryOf } from './replay-table.ts';

const recording = (more: object = {}) =>
  JSON.stringify({
    id: 'test_a#0',
    source: 'packages/opentelemetry-instrumentation-groq/tests/cassettes/test_chat/a.yaml',
    method: 'POST',
    uri: 'https://api.groq.com/openai/v1/chat/completions',
    request: { model: 'llama' },
    status: 200,
    content_type: 'application/json',
    body: JSON.stringify({ model: 'llama', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }),
    ...more,
  });
const now = new Date('2026-01-02T03:04:05Z');

test('an event with agent, time of the replay and the name of its recording', () => {
  expect(eventsOfRecordings([recording()], { now }).events).toMatchObject([
    {
      agent: 'groq/test_chat',
      zeitpunkt: '2026-01-02T03:04:05.000Z',
      anbieter: 'groq',
      eingabe_token: 5,
      zusatz: { aufzeichnung: 'test_a#0' },
    },
  ]);
});

test('ids are the same every time, and differ where only the source differs', () => {
  const lines = [recording(), recording({ source: 'other/folder/a.yaml' })];
  const ids = () => eventsOfRecordings(lines).events.map((event) => event.ereignis_id);
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(2);
  expect(ids()[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a given agent replaces the folder; what is no model call and empty lines give nothing', () => {
  const lines = [recording(), '', recording({ uri: 'https://example.org/', body: 'x' })];
  expect(eventsOfRecordings(lines, { agent: 'probe' }).events.map((event) => event.agent)).toEqual(['probe']);
});

test('a line that is no recording names itself', () => {
  expect(() => eventsOfRecordings([recording(), '{"id":"x"}'])).toThrow('Line 2: "source"');
});

test.each([
  ['packages/traceloop-sdk/tests/cassettes/test_tasks/x.yaml', 'traceloop-sdk/test_tasks'],
  [
    'packages/opentelemetry-instrumentation-openai/tests/traces/cassettes/test_azure/x.yaml',
    'openai/test_azure',
  ],
  ['solo/x.yaml', 'solo'],
  ['x.yaml', 'aufzeichnung'],
])('agent of %s is %s', (source, agent) => {
  expect(agentOfSource(source)).toBe(agent);
});

test('the table sums per provider and model and shows unknown as a dash', () => {
  const failed = { status: 429, body: '{"error":{"code":"limit"}}' };
  const table = summaryOf(eventsOfRecordings([recording(), recording(), recording(failed)]).events);
  const [head, row, all] = table.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(head?.slice(0, 7)).toEqual(['provider', 'model', 'calls', 'errors', 'uncounted', 'input', 'output']);
  expect(row).toEqual(['groq', 'llama', '3', '1', '1', '10', '4', '–', '–', '–']);
  expect(all).toEqual(['all', '3', '1', '1', '10', '4', '–', '–', '–']);
});
