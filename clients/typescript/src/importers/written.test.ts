/** Rows that the services' own code has made, and what is read of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idOfAnswer } from '../answer-id.ts';
import { runIdOf } from '../run-id.ts';
import { csv, readExport } from './test-export.ts';

/** Model, input, output, read from the cache, written to it, thought, status. */
const countsOf = (event: ReturnType<typeof readExport>['events'][number]) => [
  ...[event.modell, event.eingabe_token, event.ausgabe_token, event.cache_lese_token],
  ...[event.cache_schreib_token, event.denk_token, event.status ?? null],
];

/** Calls that both of LiteLLM's forms have. */
const OTHER_PROVIDERS = [
  ['claude-sonnet-4-5', 140 + 1_024 + 256, 44, 1_024, 256, 0, null],
  ['claude-sonnet-4-5', 150 + 1_024 + 256, 45, 1_024, 256, 0, null],
  ['gemini-2.5-flash', 1_184, 46 + 64, 1_024, null, 64, null],
  ['text-embedding-3-small', 170, 0, null, null, null, null],
  ['gpt-4o-mini', 1_204, 112, 1_024, null, 64, null],
];

test('LiteLLM 1.110.2: what its callback was given of nine calls, to the token of what the provider had answered', () => {
  const file = readFileSync(join(import.meta.dirname, 'testdata/litellm-1.110.2.jsonl'), 'utf8');
  const { service, rows, events } = readExport(file);
  expect({ service, rows }).toEqual({ service: 'LiteLLM', rows: 9 });
  expect(events.map(countsOf)).toEqual([
    ['gpt-4o-mini', 1_134, 105, 1_024, null, 64, null],
    ['gpt-4o-mini', 1_144, 106, 1_024, null, 64, null],
    // A stream that did not ask for its counts: these are LiteLLM's guess, the provider's were 1,154 and 107.
    ['gpt-4o-mini', 13, 8, null, null, 0, null],
    ...OTHER_PROVIDERS,
    ['gpt-4o-mini', null, null, undefined, undefined, undefined, 'fehler'],
  ]);
  // The provider's ids, but for Anthropic's, which LiteLLM replaces.
  for (const [index, id] of [
    [0, 'chatcmpl-4af42a5c8db740618360a490eee88f59'],
    [5, '666cec5467a44c9092a5d653bab83b98'],
    [7, 'resp_23394fd1843a475692c6446dc896c99c'],
  ] as const)
    expect(events[index]?.ereignis_id).toBe(idOfAnswer(id, 0));
});

const SPEND_LOGS = readFileSync(
  join(import.meta.dirname, 'testdata/litellm-spend-logs-1.110.2.jsonl'),
  'utf8',
);

test.each([
  ['as JSON', SPEND_LOGS],
  [
    'as CSV',
    csv(
      ...SPEND_LOGS.trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ),
  ],
])('LiteLLM 1.110.2: the rows that its proxy makes for its table of eleven calls, %s', (_form, file) => {
  const { rows, events, left, cost } = readExport(file);
  expect({ rows, left: [...left] }).toEqual({ rows: 11, left: [['eigener_cache', 1]] });
  expect(events.map(countsOf)).toEqual([
    ['gpt-4o-mini', 1_134, 105, 1_024, null, 64, null],
    ['gpt-4o-mini', 1_144, 106, 1_024, null, 64, null],
    ['claude-sonnet-4-5', 130 + 1_024 + 256, 43, 1_024, 256, 0, null],
    ...OTHER_PROVIDERS,
    // Refused by the provider: the thirteen tokens of its row are LiteLLM's guess.
    ['gpt-4o-mini', null, null, undefined, undefined, undefined, 'fehler'],
    ['gpt-4o-mini', 1_224, 114, 1_024, null, 64, null],
  ]);
  expect(cost).toBe('0.00805962');
  // The provider's ids, but for chats with Anthropic and responses, which have LiteLLM's own, and embeddings, which have none.
  for (const [index, id] of [
    [0, 'chatcmpl-f06b1ef05f8c49a3b03685509d9bac16'],
    [1, 'chatcmpl-3460078a78f04a34a325b8d49dc4dccb'],
    [4, 'msg_018b55f305bc104458b08b399d9c2fc27b'],
    [5, '7b4d4818230641af822efa91434161c0'],
    [9, 'chatcmpl-fe484987f50a47bdae5e01f3d4ba29e5'],
  ] as const)
    expect(events[index]?.ereignis_id).toBe(idOfAnswer(id, 0));
  expect(events[1]).toMatchObject({ endkunde_ref: 'kunde-7', lauf_id: runIdOf('s-1') });
  expect(events[8]).toMatchObject({ fehlercode: '400' });
});

const OBSERVATION = {
  id: 'a1b2c3',
  traceId: '0192f5c17d2e7c3a9b610a4f5e6d7c8b',
  projectId: 'p',
  startTime: '2026-03-02T10:00:00.000Z',
  endTime: '2026-03-02T10:00:02.000Z',
  completionStartTime: '2026-03-02T10:00:00.500Z',
  parentObservationId: null,
  type: 'GENERATION',
  name: 'answer',
  model: 'gpt-4o-mini',
  level: 'DEFAULT',
  userId: 'u-1',
  totalCost: 0.00001234,
};

// What the integrations of Langfuse 5.11.1 (JavaScript) and 5.0.4 (Python) make of a provider's usage; of each provider all tokens are counted, none twice.
test.each([
  [
    "OpenAI's chat, @langfuse/openai",
    {
      ...{ input: 100, output: 186, total: 1_439, input_audio_tokens: 10, input_cached_tokens: 1_024 },
      ...{ output_audio_tokens: 20, output_reasoning_tokens: 64 },
      ...{ output_accepted_prediction_tokens: 30, output_rejected_prediction_tokens: 5 },
    },
    [110, 241, 1_024, null, 64],
  ],
  [
    "OpenAI's responses, @langfuse/openai",
    {
      ...{ input: 80, output: 48, total: 1_316, input_cached_tokens: 1_024 },
      ...{ input_cache_write_tokens: 100, output_reasoning_tokens: 64 },
    },
    [80, 48, 1_024, 100, 64],
  ],
  [
    'Anthropic by LangChain, langfuse',
    {
      ...{ input: 130, output: 79, total: 1_553, input_cache_read: 1_024, input_cache_creation: 0 },
      ...{ input_ephemeral_5m_input_tokens: 200, input_ephemeral_1h_input_tokens: 56, output_reasoning: 64 },
    },
    [130, 79, 1_024, 256, 64],
  ],
  [
    'Anthropic as it answers, langfuse',
    {
      ...{ input: 130, output: 43, cache_read_input_tokens: 1_024, cache_creation_input_tokens: 256 },
      ...{ cache_creation_ephemeral_5m_input_tokens: 200, cache_creation_ephemeral_1h_input_tokens: 56 },
    },
    [130, 43, 1_024, 256, null],
  ],
  [
    "Google's, langfuse",
    {
      ...{ thoughts_token_count: 64, cached_content_token_count: 1_024, input: 0, output: 0, total: 1_294 },
      ...{ input_modality_TEXT: 160, output_modality_TEXT: 46, cached_modality_TEXT: 1_024 },
    },
    [160, 46, 1_024, null, 64],
  ],
  [
    'OpenAI by LangChain, langfuse',
    {
      ...{ input: 100, output: 221, total: 1_439, input_audio: 10, input_cache_read: 1_024 },
      ...{ input_priority: 100, output_audio: 20, output_reasoning: 64, output_priority: 50 },
    },
    [110, 241, 1_024, null, 64],
  ],
])('Langfuse: the buckets of %s', (_of, usageDetails, expected) => {
  const row = { ...OBSERVATION, usageDetails };
  for (const file of [JSON.stringify({ data: [row], meta: {} }), csv(row)]) {
    const { events, cost } = readExport(file);
    expect(events.map((event) => countsOf(event).slice(1, 6))).toEqual([expected]);
    expect(events[0]).toMatchObject({ erste_zeichen_ms: 500, latenz_ms: 2_000, benutzer_ref: 'u-1' });
    expect(cost).toBe('0.00001234');
  }
});

/** As the tool of Helicone's repository writes it, in which the quotes of what is JSON are doubled before those of every cell are. */
const cellOfHelicone = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '""') : String(value);
  return `"${text.replaceAll('"', '""')}"`;
};

const REQUEST = {
  response_id: '5d1f1c1e-0000-4000-8000-000000000001',
  response_created_at: '2026-03-02T10:00:02.000Z',
  response_status: 200,
  request_created_at: '2026-03-02T10:00:00.000Z',
  request_body: { messages: [{ role: 'user', content: 'He said "hot".' }] },
  request_properties: { 'Helicone-Session-Id': 's-1', 'Helicone-Session-Name': 'support' },
  request_user_id: 'u-1',
  model: 'gpt-4o-mini',
  prompt_tokens: 12,
  completion_tokens: 3,
};

test('Helicone: a session and its name, as the tool writes CSV and JSON', () => {
  const told = { agent: 'support', lauf_id: runIdOf('s-1'), eingabe_token: 12, ausgabe_token: 3 };
  const names = [...Object.keys(REQUEST), 'latency', 'cost_usd'];
  // Its columns for latency and cost are empty: the interface calls them otherwise.
  const line = [...Object.values(REQUEST).map(cellOfHelicone), '', ''];
  const read = readExport(`${names.join(',')}\n${line.join(',')}\n`);
  expect(read).toMatchObject({ service: 'Helicone', cost: null, events: [told] });
  // It ends a list with a comma.
  const row = { ...REQUEST, request_id: 'r-1', delay_ms: 2_000, costUSD: 0.1, provider: 'OPENAI' };
  const list = readExport(`[\n${JSON.stringify(row, null, 2)},\n]\n`);
  expect(list).toMatchObject({ rows: 1, cost: '0.1', events: [{ ...told, latenz_ms: 2_000 }] });
});
