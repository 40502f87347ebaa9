import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf } from '../test-exchange.ts';

test('the total says that an embedding has no output', () => {
  const answer = {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 21, total_tokens: 21 },
  };
  expect(eventOf(exchangeOf('https://api.openai.com/v1/embeddings', answer))).toStrictEqual({
    ...BLANK,
    anbieter: 'openai',
    modell: 'text-embedding-3-small',
    eingabe_token: 21,
    ausgabe_token: 0,
  });
});
