/** The exact prices against the library's own, over the whole list but what is corrected: they differ by its rounding only. */
import { calcPrice, type ModelPrice, type Provider, waitForUpdate } from '@pydantic/genai-prices';
import { Decimal } from 'decimal.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { USD_SCALE } from '#kernel/money.ts';
import { isWhole } from '#test/depth.ts';
import { costOf } from './cost.ts';
import { type PriceFacts, toPriceFacts } from './facts.ts';
import { createPriceList, priceCall } from './price-list.ts';
import { countingRule, type TokenBuckets, toBuckets } from './token-buckets.ts';

let providers: Provider[];
beforeAll(async () => {
  providers = (await waitForUpdate()) ?? [];
});

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });
const toUsd = (scaled: bigint) => new Exact(scaled.toString()).div(new Exact(10).pow(USD_SCALE));
const NOON = Date.UTC(2026, 9, 1, 12);

const mix = (uncached: number, read: number, write: number, output: number): TokenBuckets => ({
  eingabeOhneCache: uncached,
  cacheLese: read,
  cacheSchreib: write,
  ausgabeGesamt: output,
});
const MIXES = [
  mix(1, 0, 0, 0),
  mix(0, 1, 0, 0),
  mix(0, 0, 1, 0),
  mix(0, 0, 0, 1),
  mix(1_234, 567, 89, 4_321),
  mix(150_000, 49_999, 1, 1_000),
  mix(1_000_000, 0, 0, 1_000_000),
];

/** The cost by the library, as a float; null where it has no price for some of the tokens. */
function libraryCost(provider: string, model: string, buckets: TokenBuckets, at: number): number | null {
  const { eingabeOhneCache, cacheLese, cacheSchreib, ausgabeGesamt } = buckets;
  const usage = {
    input_tokens: eingabeOhneCache + cacheLese + cacheSchreib,
    cache_read_tokens: cacheLese,
    cache_write_tokens: cacheSchreib,
    output_tokens: Number(ausgabeGesamt),
  };
  const found = calcPrice(usage, model, { providerId: provider, timestamp: new Date(at) });
  if (!found) return null;
  const { input_mtok, output_mtok } = found.model_price;
  const isUnpriced =
    (usage.input_tokens > 0 && input_mtok === undefined) ||
    (usage.output_tokens > 0 && output_mtok === undefined);
  return isUnpriced ? null : found.total_price;
}

function ownCost(provider: string, model: string, buckets: TokenBuckets, at: number): Decimal | null {
  const rates = createPriceList().model(provider, model)(at);
  const cost = rates && costOf(buckets, rates);
  return cost === null ? null : toUsd(cost);
}

/** Whether the price is the list's alone; what the supplement corrects has tests of its own. */
const isOfList = (provider: string, model: string, at: number): boolean =>
  !createPriceList().model(provider, model)(at)?.source.includes('zaehlwerk');

function expectAlike(provider: string, model: string, buckets: TokenBuckets, at = NOON): void {
  if (!isOfList(provider, model, at)) return;
  const theirs = libraryCost(provider, model, buckets, at);
  const ours = ownCost(provider, model, buckets, at);
  const what = `${provider}/${model} ${Object.values(buckets)} ${new Date(at).toISOString()}: ${ours} ${theirs}`;
  expect(ours === null, what).toBe(theirs === null);
  if (ours === null || theirs === null) return;
  expect(ours.minus(theirs).abs().lte(new Exact(theirs).mul(1e-12)), what).toBe(true);
}

const tiersOf = (prices: ModelPrice) =>
  Object.values(prices).flatMap((price) => (typeof price === 'object' ? price.tiers : []));
const allPrices = () =>
  providers.flatMap((provider) =>
    provider.models.flatMap((model) => {
      const list = Array.isArray(model.prices) ? model.prices.map(({ prices }) => prices) : [model.prices];
      return list.map((prices) => ({ provider: provider.id, model: model.id, prices }));
    }),
  );

test('every model of the list costs what the library says, for every mix of tokens', () => {
  const ofList = allPrices().filter(({ provider, model }) => isOfList(provider, model, NOON));
  expect(ofList.length).toBeGreaterThan(1_000);
  for (const [index, { provider, model }] of allPrices().entries())
    for (const [nth, buckets] of MIXES.entries())
      if (isWhole || (index + nth) % 5 === 0) expectAlike(provider, model, buckets);
});

test('a tier applies to the whole call, and only when the input, cache included, exceeds its start', () => {
  const tiered = allPrices().filter(({ prices }) => tiersOf(prices).length > 0);
  expect(tiered.length).toBeGreaterThan(20);
  for (const { provider, model, prices } of tiered) {
    for (const { start } of tiersOf(prices)) {
      for (const input of [start - 1, start, start + 1]) {
        expectAlike(provider, model, mix(input - 300, 200, 100, 5_000));
        expectAlike(provider, model, mix(input, 0, 0, 0));
      }
    }
  }
  const long = ownCost('google', 'gemini-2.5-pro', mix(200_001, 0, 0, 1_000), NOON);
  expect(long?.toFixed()).toBe('0.5150025');
});

describe('prices that change with time', () => {
  const HALF_HOUR = 30 * 60_000;
  const borders = () =>
    providers.flatMap((provider) =>
      provider.models.flatMap((model) => {
        if (!Array.isArray(model.prices)) return [];
        return model.prices.flatMap(({ constraint }) => {
          if (!constraint) return [];
          const instants =
            constraint.type === 'start_date'
              ? [`${constraint.start_date}T00:00:00Z`]
              : [constraint.start_time, constraint.end_time].map((time) => `2026-10-01T${time}`);
          return instants.map((instant) => ({
            provider: provider.id,
            model: model.id,
            at: Date.parse(instant),
          }));
        });
      }),
    );

  test('do so on half hours only, which is what answers are remembered by', () => {
    expect(borders().length).toBeGreaterThan(20);
    for (const { provider, model, at } of borders()) expect(at % HALF_HOUR, `${provider}/${model}`).toBe(0);
  });

  test('hold from their border on, not an instant sooner or later', () => {
    for (const { provider, model, at } of borders())
      for (const shift of [-HALF_HOUR, -1, 0, 1, HALF_HOUR])
        expectAlike(provider, model, mix(1_000, 100, 0, 10), at + shift);
  });

  test('are told apart by one list, in any order', () => {
    const list = createPriceList();
    const at = (instant: string) => list.model('deepseek', 'deepseek-chat')(Date.parse(instant))?.input?.base;
    const night = at('2025-08-01T20:00:00Z');
    const day = at('2025-08-01T12:00:00Z');
    expect(night).toBe(135_000_000_000_000_000n);
    expect(day).toBe(270_000_000_000_000_000n);
    expect([at('2025-08-02T00:29:59.999Z'), at('2025-08-02T00:30:00Z')]).toEqual([night, day]);
    expect([at('2025-08-02T16:29:59.999Z'), at('2025-08-02T16:30:00Z')]).toEqual([day, night]);
  });
});

test('no published price has more decimals than are kept', () => {
  for (const { provider, model, prices } of allPrices()) {
    for (const [name, price] of Object.entries(prices)) {
      if (!name.endsWith('_mtok') || price === undefined) continue;
      const values =
        typeof price === 'number' ? [price] : [price.base, ...price.tiers.map((tier) => tier.price)];
      for (const value of values)
        expect(new Exact(value).decimalPlaces(), `${provider}/${model} ${name}`).toBeLessThanOrEqual(
          USD_SCALE - 6,
        );
    }
  }
});

describe('a single call', () => {
  test.each([
    ['openai', 'gpt-4o-mini', mix(1_000_000, 0, 0, 0), '0.15'],
    ['openai', 'gpt-4o-mini', mix(1, 0, 0, 0), '0.00000015'],
    ['openai', 'gpt-4o-mini', mix(0, 3, 0, 7), '0.000004425'],
    ['anthropic', 'claude-sonnet-4-5', mix(1_000, 2_000, 3_000, 4_000), '0.07485'],
    // A cache bucket without a rate of its own costs what input costs.
    ['voyageai', 'voyage-3', mix(1_000, 1_000, 1_000, 0), '0.00018'],
    // A fee per call on top of the tokens.
    ['perplexity', 'sonar', mix(0, 0, 0, 0), '0.005'],
    ['perplexity', 'sonar', mix(1_000_000, 0, 0, 1_000_000), '2.005'],
  ])('%s %s %o costs exactly', (provider, model, buckets, usd) => {
    expect(ownCost(provider, model, buckets, NOON)?.toFixed()).toBe(usd);
  });

  test('of more tokens than a number holds is still exact', () => {
    const buckets = { ...mix(0, 0, 0, 0), ausgabeGesamt: 9_007_199_254_740_993n };
    expect(ownCost('openai', 'gpt-4o-mini', buckets, NOON)?.toFixed()).toBe('5404319552.8445958');
  });

  test.each([
    ['openai', 'gibt-es-nicht'],
    ['openai', null],
    ['openai', ''],
    [null, null],
    [null, 'gibt-es-nicht'],
    // Anybody's own server may call its model what it likes.
    ['eigener-server', 'gpt-4o-mini'],
  ])('of %s %s has no price', (provider, model) => {
    expect(createPriceList().model(provider, model)(NOON)).toBeNull();
  });

  test.each([null, ''])('of a known model without a provider (%j) has the price of its maker', (provider) => {
    const rates = createPriceList().model(provider, 'gpt-4o-mini')(NOON);
    expect(rates?.source).toMatch(/^genai-prices \d+\.\d+\.\d+ openai\/gpt-4o-mini$/);
    expect(rates?.input?.base).toBe(150_000_000_000_000_000n);
  });

  test('with output has no price where only input has one', () => {
    expect(ownCost('voyageai', 'voyage-3', mix(1_000, 0, 0, 1), NOON)).toBeNull();
    expect(ownCost('voyageai', 'voyage-3', mix(1_000, 0, 0, 0), NOON)?.toFixed()).toBe('0.00006');
  });
});

describe('a count that is unknown beside the other', () => {
  const unsaid = { eingabeUmfasstCache: undefined, ausgabeUmfasstDenken: undefined, denk: null };
  const priced = (
    modell: string,
    eingabe: number | null,
    ausgabe: number | null,
    facts: PriceFacts | null,
  ) => {
    const rates = createPriceList().model('openai', modell)(NOON);
    const counts = { ...unsaid, rule: countingRule('openai', modell), cacheLese: 0, cacheSchreib: 0 };
    const buckets = toBuckets({ ...counts, eingabe, ausgabe });
    return rates && buckets && priceCall(buckets, 0, facts, rates, NOON);
  };
  const tools = toPriceFacts({ websuchen: 1 });

  test.each([
    ['gpt-4o', 1_000, null, true],
    ['gpt-4o', null, 500, true],
    ['gpt-4o', 1_000, 0, false],
    ['text-embedding-3-small', 1_000, null, false],
  ])('%s, %s in, %s out: a part only is %s', (modell, eingabe, ausgabe, partial) => {
    expect(priced(modell, eingabe, ausgabe, null)?.partial).toBe(partial);
    expect(priced(modell, eingabe, ausgabe, null)?.usd).not.toBeNull();
  });

  test('makes it a part with facts, too', () => {
    expect(priced('gpt-4o', 1_000, 5, tools)?.partial).toBe(false);
    expect(priced('gpt-4o', 1_000, null, tools)?.partial).toBe(true);
  });
});
