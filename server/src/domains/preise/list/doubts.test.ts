import type { Provider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { model } from '#test/price-lists.ts';
import { doubtsAbout } from './doubts.ts';

const provider = (id: string, models: Provider['models']): Provider => ({
  ...{ id, name: id, api_pattern: 'x' },
  models,
});
/** Ten providers of ten models each; `priceOf` may change some, null takes one away. */
const list = (priceOf: (n: number) => object | number | null = () => 1) =>
  Array.from({ length: 10 }, (_, p) => {
    const models = Array.from({ length: 10 }, (_, m) => [10 * p + m, priceOf(10 * p + m)] as const);
    return provider(
      `p${p}`,
      models.flatMap(([n, price]) => (price === null ? [] : [model(`m${n}`, { input_mtok: price })])),
    );
  });
const doubts = (priceOf: (n: number) => object | number | null) => doubtsAbout(list(priceOf), list());

test('nothing speaks against the same, against more, or against what changes a little', () => {
  expect(doubts(() => 1)).toEqual([]);
  expect(doubts((n) => (n < 10 ? null : 1))).toEqual([]);
  expect(doubts((n) => (n < 2 ? 10 : 9.9))).toEqual([]);
  expect(
    doubtsAbout(
      list(),
      list((n) => (n < 50 ? null : 1)),
    ),
  ).toEqual([]);
  // What was free costs something now.
  expect(
    doubtsAbout(
      list(),
      list(() => 0),
    ),
  ).toEqual([]);
});

test('more than a tenth of the models gone', () => {
  expect(doubts((n) => (n < 11 ? null : 1))).toEqual(['es fehlen 11 % der Modelle']);
});

test('more than a tenth of the providers gone', () => {
  expect(doubtsAbout(list().slice(2), list())).toEqual([
    'es fehlen 2 von 10 Anbietern',
    'es fehlen 20 % der Modelle',
  ]);
});

test.each([
  ['ten times as dear', 10],
  ['a tenth', 0.1],
  ['free', 0],
  ['ten times as dear below a tier', { base: 10, tiers: [{ start: 5, price: 1 }] }],
])('a price of more than one model in fifty that became %s', (_what, price) => {
  const [doubt, ...more] = doubts((n) => (n < 3 ? price : 1));
  expect(doubt).toMatch(/^bei 3 % der Modelle hat sich ein Preis .* \(p0\/m0, p0\/m1, p0\/m2 …\)$/);
  expect(more).toEqual([]);
  expect(doubts((n) => (n < 2 ? price : 1))).toEqual([]);
});
