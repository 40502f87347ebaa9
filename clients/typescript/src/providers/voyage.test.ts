import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf } from '../test-exchange.ts';

test('its one total is input', () => {
  const answer = {
    object: 'list',
    data: [{ object: 'embedding' }],
    model: 'voyage-3.5',
    usage: { total_tokens: 17 },
  };
  expect(eventOf(exchangeOf('https://api.voyageai.com/v1/embeddings', answer))).toStrictEqual({
    ...BLANK,
    anbieter: 'voyageai',
    modell: 'voyage-3.5',
    eingabe_token: 17,
    ausgabe_token: 0,
  });
});
