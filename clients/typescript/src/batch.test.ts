import { expect, test } from 'vitest';
import { exchangeOf } from './test-exchange.ts';
import { toEvents } from './to-events.ts';

const lines = (...values: (object | string)[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
const read = (uri: string, ...values: (object | string)[]) =>
  toEvents({ ...exchangeOf(uri, lines(...values)), contentType: 'application/octet-stream', method: 'GET' });

const OUTPUT = 'https://api.openai.com/v1/files/file-1/content';
const answered = (id: string, body: object, status_code = 200) => ({
  id: `batch_req_${id}`,
  custom_id: id,
  response: { status_code, request_id: 'r', body },
  error: null,
});
const chat = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'gpt-5',
  choices: [{ message: { content: 'x' } }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
};

test('the output file of OpenAI: a line, an event', () => {
  const { events, unconverted } = read(
    OUTPUT,
    answered('a', chat),
    answered('b', {
      object: 'response',
      model: 'gpt-5',
      output: [],
      usage: { input_tokens: 7, output_tokens: 2 },
    }),
    answered('c', {
      object: 'list',
      model: 'text-embedding-3-small',
      data: [{ object: 'embedding' }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    }),
    answered('d', { error: { code: 'invalid_prompt' } }, 400),
    { id: 'batch_req_e', custom_id: 'e', response: null, error: { code: 'batch_expired' } },
  );
  expect(unconverted).toEqual([]);
  expect(events).toMatchObject([
    {
      anbieter: 'openai',
      modell: 'gpt-5',
      zeitpunkt: '2025-10-09T08:53:20.000Z',
      eingabe_token: 10,
      zusatz: { preisstufe: 'batch' },
    },
    { eingabe_token: 7, ausgabe_token: 2, zusatz: { preisstufe: 'batch' } },
    { eingabe_token: 4, ausgabe_token: 0, zusatz: { preisstufe: 'batch' } },
    { eingabe_token: null, status: 'fehler', fehlercode: 'invalid_prompt' },
  ]);
});

test('the same results fetched again are the same events; every line has an id of its own', () => {
  const ids = () =>
    read(OUTPUT, answered('a', chat), answered('b', chat)).events.map((event) => event.ereignis_id);
  expect(ids()).toEqual(ids());
  expect(new Set(ids()).size).toBe(2);
});

test('what is no result, or of a form nobody knows, is said by its line', () => {
  const { events, unconverted } = read(
    OUTPUT,
    answered('a', chat),
    answered('b', { object: 'song' }),
    '{"id":"batch_req_c","cust',
  );
  expect(events).toHaveLength(1);
  expect(unconverted).toEqual(['line 2 of a batch has an unknown form', 'line 3 of a batch is no result']);
});

test('the results of Anthropic: answers, errors, and those never made', () => {
  const message = {
    id: 'msg_1',
    type: 'message',
    model: 'claude-sonnet-4-5',
    content: [],
    usage: {
      input_tokens: 1000,
      output_tokens: 500,
      cache_creation: { ephemeral_1h_input_tokens: 9 },
      service_tier: 'batch',
    },
  };
  const result = (custom_id: string, value: object) => ({ custom_id, result: value });
  const { events, unconverted } = read(
    'https://api.anthropic.com/v1/messages/batches/msgbatch_1/results',
    result('a', { type: 'succeeded', message }),
    result('b', { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error' } } }),
    result('c', { type: 'expired' }),
    result('d', { type: 'canceled' }),
  );
  expect(unconverted).toEqual([]);
  expect(events).toMatchObject([
    {
      anbieter: 'anthropic',
      modell: 'claude-sonnet-4-5',
      eingabe_token: 1000,
      zusatz: { preisstufe: 'batch', cache_schreib_1h_token: 9 },
    },
    { anbieter: 'anthropic', status: 'fehler', fehlercode: 'invalid_request_error' },
  ]);
  expect(new Set(events.map((event) => event.ereignis_id)).size).toBe(2);
});

test('the output file of Gemini', () => {
  const response = {
    candidates: [],
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r1',
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 3 },
  };
  const uri = 'https://generativelanguage.googleapis.com/download/v1beta/files/batch-1:download?alt=media';
  expect(
    read(uri, { key: 'b', error: { code: 3, message: 'x' } }, { key: 'a', response }).events,
  ).toMatchObject([
    { anbieter: 'google', status: 'fehler' },
    {
      anbieter: 'google',
      modell: 'gemini-2.5-flash',
      eingabe_token: 8,
      ausgabe_token: 3,
      zusatz: { preisstufe: 'batch' },
    },
  ]);
});

test('an error that speaks of a batch is none', () => {
  const error = exchangeOf(
    'https://api.openai.com/v1/chat/completions',
    { error: { code: 'x', param: 'custom_id' } },
    {},
    400,
  );
  expect(toEvents(error).events[0]).toMatchObject({ fehlercode: 'x', zusatz: null });
});

test('a file that is no result, and a batch just begun, are no calls', () => {
  expect(
    read(OUTPUT, { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'gpt-5' } }),
  ).toEqual({ events: [], unconverted: [] });
  const batch = { id: 'msgbatch_1', type: 'message_batch', processing_status: 'in_progress' };
  expect(toEvents(exchangeOf('https://api.anthropic.com/v1/messages/batches', batch))).toEqual({
    events: [],
    unconverted: [],
  });
});

test('a batch of Gemini that has its results in itself', () => {
  const entry = (promptTokenCount: number) => ({
    response: { candidates: [], modelVersion: 'gemini-2.5-flash', usageMetadata: { promptTokenCount } },
  });
  const inlinedResponses = [
    entry(8),
    entry(8),
    { error: { code: 3, message: 'x', status: 'INVALID_ARGUMENT' } },
  ];
  const batch = { name: 'batches/1', done: true, response: { inlinedResponses: { inlinedResponses } } };
  const { events, unconverted } = read('https://generativelanguage.googleapis.com/v1beta/batches/1', batch);
  expect(unconverted).toEqual([]);
  expect(events).toMatchObject([
    { eingabe_token: 8, zusatz: { preisstufe: 'batch' } },
    { eingabe_token: 8 },
    { status: 'fehler', fehlercode: 'INVALID_ARGUMENT' },
  ]);
  expect(new Set(events.map((event) => event.ereignis_id)).size).toBe(3);
});

test('lines without an id are told apart by their place, however the address is signed', () => {
  const response = { candidates: [], usageMetadata: { promptTokenCount: 8 } };
  const file = (signature: string) =>
    read(`https://storage.googleapis.com/b/predictions.jsonl?sig=${signature}`, { response }, { response });
  const ids = file('a').events.map((event) => event.ereignis_id);
  expect(new Set(ids).size).toBe(2);
  expect(file('b').events.map((event) => event.ereignis_id)).toEqual(ids);
});
