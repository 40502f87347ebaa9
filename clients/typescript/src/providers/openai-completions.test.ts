import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';

test('JSON answer of a server in the own network', () => {
  const answer = {
    object: 'text_completion',
    created: 63_400,
    model: 'haus/modell',
    choices: [{ index: 0, text: ' Ulm', finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
  };
  expect(eventOf(exchangeOf('http://gpu.intern:8000/v1/completions', answer))).toStrictEqual({
    ...BLANK,
    anbieter: null,
    modell: 'haus/modell',
    eingabe_token: 9,
    ausgabe_token: 4,
  });
});

test('stream without usage: counts unknown', () => {
  const stream = sse({ object: 'text_completion', model: 'davinci-002', choices: [{ index: 0, text: 'U' }] });
  expect(eventOf(exchangeOf('https://api.openai.com/v1/completions', stream))).toStrictEqual({
    ...BLANK,
    anbieter: 'openai',
    modell: 'davinci-002',
  });
});
