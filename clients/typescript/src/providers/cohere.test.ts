import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';

const usage = {
  billed_units: { input_tokens: 30, output_tokens: 12 },
  tokens: { input_tokens: 240, output_tokens: 14 },
  cached_tokens: 200,
};
const expected = {
  ...BLANK,
  anbieter: 'cohere',
  modell: 'command-a-03-2025',
  eingabe_token: 30,
  ausgabe_token: 12,
  werkzeugaufrufe: 2,
  zusatz: { verarbeitet: { eingabe_token: 240, ausgabe_token: 14, cache_lese_token: 200 } },
};
const request = { model: 'command-a-03-2025' };
const calls = [{ id: 'a' }, { id: 'b' }];

test('v2 JSON answer: what is billed is counted, what was processed is noted', () => {
  const answer = {
    id: '1',
    message: { role: 'assistant', tool_calls: calls },
    finish_reason: 'TOOL_CALL',
    usage,
  };
  expect(eventOf(exchangeOf('https://api.cohere.com/v2/chat', answer, request))).toStrictEqual(expected);
});

test('v2 stream', () => {
  const stream = sse(
    { type: 'message-start', delta: { message: { tool_calls: [] } } },
    { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: { id: 'a' } } } },
    { type: 'tool-call-start', index: 1, delta: { message: { tool_calls: { id: 'b' } } } },
    { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage } },
  );
  expect(eventOf(exchangeOf('https://api.cohere.com/v2/chat', stream, request))).toStrictEqual(expected);
});

test('v1 stream of lines', () => {
  const lines = [
    { event_type: 'stream-start', is_finished: false },
    { event_type: 'text-generation', text: 'Ahoi', is_finished: false },
    {
      event_type: 'stream-end',
      is_finished: true,
      response: { text: 'Ahoi', tool_calls: calls, meta: usage },
    },
  ];
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  expect(eventOf(exchangeOf('https://api.cohere.com/v1/chat', body, request))).toStrictEqual(expected);
});

test('an embedding bills input only', () => {
  const answer = { embeddings: { float: [[0.1]] }, meta: { billed_units: { input_tokens: 8 } } };
  expect(
    eventOf(exchangeOf('https://api.cohere.com/v2/embed', answer, { model: 'embed-v4.0' })),
  ).toStrictEqual({
    ...BLANK,
    anbieter: 'cohere',
    modell: 'embed-v4.0',
    eingabe_token: 8,
    ausgabe_token: 0,
  });
});

test('generation that ended in an error', () => {
  const answer = { message: { role: 'assistant' }, finish_reason: 'ERROR', usage };
  expect(eventOf(exchangeOf('https://api.cohere.com/v2/chat', answer, request))).toMatchObject({
    status: 'fehler',
    fehlercode: 'ERROR',
  });
});
