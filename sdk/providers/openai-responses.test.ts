import { expect, test } from 'vitest';
import { BLANK, exchangeOf, sse } from '../test-exchange.ts';
import { toEvent } from '../to-event.ts';

const URI = 'https://api.openai.com/v1/responses';
const response = (more: object) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  status: 'completed',
  error: null,
  model: 'gpt-5-2025-08-07',
  output: [],
  usage: null,
  ...more,
});
const finished = response({
  output: [
    { type: 'reasoning', summary: [] },
    { type: 'web_search_call', status: 'completed' },
    { type: 'function_call', name: 'wetter', arguments: '{}' },
    { type: 'message', content: [] },
  ],
  usage: {
    input_tokens: 400,
    input_tokens_details: { cached_tokens: 128 },
    output_tokens: 90,
    output_tokens_details: { reasoning_tokens: 64 },
    total_tokens: 490,
  },
});
const expected = {
  ...BLANK,
  zeitpunkt: '2025-10-09T08:53:20.000Z',
  anbieter: 'openai',
  modell: 'gpt-5-2025-08-07',
  eingabe_token: 400,
  ausgabe_token: 90,
  cache_lese_token: 128,
  denk_token: 64,
  werkzeugaufrufe: 2,
};

test('JSON answer', () => {
  expect(toEvent(exchangeOf(URI, finished))).toStrictEqual(expected);
});

test('stream: the last event carries the response', () => {
  const stream = sse(
    { type: 'response.created', response: response({ status: 'in_progress' }) },
    { type: 'response.output_text.delta', delta: 'Ulm' },
    { type: 'response.completed', response: finished },
  );
  expect(toEvent(exchangeOf(URI, stream))).toStrictEqual(expected);
});

test('a response that failed is an error in a 200 answer', () => {
  const failed = response({ status: 'failed', error: { code: 'server_error', message: 'x' } });
  const stream = sse({ type: 'response.failed', response: failed });
  expect(toEvent(exchangeOf(URI, stream))).toMatchObject({
    eingabe_token: null,
    status: 'fehler',
    fehlercode: 'server_error',
  });
});

test('a stream that broke off: counts unknown, the tool calls begun are counted', () => {
  const stream = sse(
    { type: 'response.created', response: response({ status: 'in_progress' }) },
    { type: 'response.output_item.added', item: { type: 'function_call', name: 'wetter' } },
  );
  expect(toEvent(exchangeOf(URI, stream))).toMatchObject({ ausgabe_token: null, werkzeugaufrufe: 1 });
});
