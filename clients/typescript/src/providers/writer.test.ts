import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';

const URI = 'https://api.writer.com/v1/chat';
const usage = {
  prompt_tokens: 44,
  completion_tokens: 9,
  total_tokens: 53,
  prompt_token_details: { cached_tokens: 32 },
};
const message = { role: 'assistant', tool_calls: [{ index: null, id: 'a', function: { name: 'wetter' } }] };
const expected = {
  ...BLANK,
  zeitpunkt: '2025-10-09T08:53:20.000Z',
  anbieter: 'writer',
  modell: 'palmyra-x5',
  eingabe_token: 44,
  ausgabe_token: 9,
  cache_lese_token: 32,
  werkzeugaufrufe: 1,
};

test('JSON answer', () => {
  const answer = { created: 1_760_000_000, model: 'palmyra-x5', choices: [{ index: 0, message }], usage };
  expect(eventOf(exchangeOf(URI, answer))).toStrictEqual(expected);
});

test('stream: a choice carries both a delta and an empty message', () => {
  const base = { object: 'chat.completion.chunk', created: 1_760_000_000, model: 'palmyra-x5' };
  const stream = sse(
    { ...base, choices: [{ index: 0, delta: message, message: { tool_calls: null } }], usage: null },
    { ...base, choices: [], usage },
  );
  expect(eventOf(exchangeOf(URI, stream))).toStrictEqual(expected);
});
