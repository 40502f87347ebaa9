import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf } from '../test-exchange.ts';

const results = [{ index: 0, relevance_score: 0.9 }];

test('Cohere bills searches', () => {
  const answer = { id: '1', results, meta: { billed_units: { search_units: 2 } } };
  expect(
    eventOf(exchangeOf('https://api.cohere.com/v2/rerank', answer, { model: 'rerank-v3.5' })),
  ).toStrictEqual({
    ...BLANK,
    anbieter: 'cohere',
    modell: 'rerank-v3.5',
    zusatz: { reranksuchen: 2 },
  });
});

test.each([
  ['https://api.voyageai.com/v1/rerank', 'voyageai'],
  ['https://api.jina.ai/v1/rerank', 'jina'],
])('%s bills tokens', (uri, anbieter) => {
  const answer = { model: 'reranker', results, usage: { total_tokens: 26 } };
  expect(eventOf(exchangeOf(uri, answer))).toStrictEqual({
    ...BLANK,
    anbieter,
    modell: 'reranker',
    eingabe_token: 26,
    ausgabe_token: 0,
  });
});
