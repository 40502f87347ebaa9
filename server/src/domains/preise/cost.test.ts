import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AllRates, costOf, priceOf } from './cost.ts';
import { toPriceFacts } from './facts.ts';
import { NO_FACTS } from './price-list.ts';
import { type Rate, withAlike } from './rates.ts';
import type { TokenBuckets } from './token-buckets.ts';

const at = (base: bigint): Rate => ({ base, tiers: [] });

/** Rates of which every key costs what `priceOfKey` says. */
function ratesWith(priceOfKey: (key: string) => bigint | null): AllRates {
  const keys = [
    ...['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok', 'output_mtok'],
    ...['audio', 'image', 'video'].flatMap((modality) => [
      `input_${modality}_mtok`,
      `cache_${modality}_read_mtok`,
      `output_${modality}_mtok`,
    ]),
    ...['output_reasoning_mtok', 'output_citation_mtok', 'web_searches_kcount'],
  ];
  const all = new Map(
    keys.flatMap((key): [string, Rate][] => {
      const price = priceOfKey(key);
      return price === null ? [] : [[key, at(price)]];
    }),
  );
  const rate = (key: string) => all.get(key) ?? null;
  return {
    all,
    input: rate('input_mtok'),
    cacheRead: rate('cache_read_mtok') ?? rate('input_mtok'),
    cacheWrite: rate('cache_write_mtok') ?? rate('input_mtok'),
    output: rate('output_mtok'),
    perCall: null,
    leastSeconds: 0,
  };
}

const KINDS = ['audio', 'image', 'video'].flatMap((kind) => [`input_${kind}`, `output_${kind}`]);
const count = fc.nat({ max: 1_000 });
const buckets: fc.Arbitrary<TokenBuckets> = fc.record({
  eingabeOhneCache: count,
  cacheLese: count,
  cacheSchreib: count,
  ausgabeGesamt: count,
});
/** Parts as the door lets them in, and as batches that wait from before it was there may hold them. */
const parts = fc.record({
  cache_schreib_1h_token: count,
  audio_eingabe_token: count,
  bild_eingabe_token: count,
  video_eingabe_token: count,
  audio_cache_lese_token: count,
  bild_cache_lese_token: count,
  audio_ausgabe_token: count,
  bild_ausgabe_token: count,
  video_ausgabe_token: count,
});

describe('a call whose tokens are taken apart', () => {
  test('has each token priced once, whatever it says of its parts', () => {
    const same = ratesWith(() => 3n);
    fc.assert(
      fc.property(buckets, parts, count, (each, zusatz, denk) => {
        const facts = toPriceFacts(zusatz);
        const tokens =
          each.eingabeOhneCache + each.cacheLese + each.cacheSchreib + Number(each.ausgabeGesamt);
        if (facts) expect(priceOf(each, denk, facts, same).usd).toBe(3n * BigInt(tokens));
      }),
    );
  });

  test('costs at least what it costs without them where the list has no special rate', () => {
    const KEYS = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'output_mtok'];
    const general = ratesWith((key) => (KEYS.includes(key) ? BigInt(2 + KEYS.indexOf(key)) : null));
    fc.assert(
      fc.property(buckets, parts, count, (each, { cache_schreib_1h_token: _hour, ...zusatz }, denk) => {
        const facts = toPriceFacts(zusatz);
        if (!facts) return;
        const { usd, partial } = priceOf(each, denk, facts, general);
        // A modality has no cached rate of its own here, so the cached tokens keep theirs.
        expect(usd).toBe(costOf(each, general));
        const { counts } = facts;
        const isOut = [...counts.keys()].some((name) => name.endsWith('_ausgabe_token'));
        const isIn = counts.size > 0 && [...counts.keys()].some((name) => !name.endsWith('_ausgabe_token'));
        const input = each.eingabeOhneCache + each.cacheLese;
        const inCache = ['audio_cache_lese_token', 'bild_cache_lese_token'] as const;
        const onlyCached = [...counts.keys()].every(
          (name) => name.endsWith('_ausgabe_token') || inCache.some((cached) => cached === name),
        );
        const asText =
          (isOut && Number(each.ausgabeGesamt) > 0) || (isIn && (onlyCached ? each.cacheLese : input) > 0);
        expect(partial).toBe(asText);
        // What the list says to cost the same is no part.
        const alike = { ...general, all: withAlike(general.all, KINDS) };
        expect(priceOf(each, denk, facts, alike)).toEqual({ usd, partial: false });
      }),
    );
  });

  test('never has more of a part priced than its whole holds', () => {
    const special = ratesWith((key) => (key === 'output_image_mtok' ? 100n : 1n));
    fc.assert(
      fc.property(buckets, count, (each, bild_ausgabe_token) => {
        const facts = toPriceFacts({ bild_ausgabe_token });
        if (!facts) return;
        const images = BigInt(Math.min(bild_ausgabe_token, Number(each.ausgabeGesamt)));
        const plain =
          priceOf(
            each,
            0,
            facts,
            ratesWith(() => 1n),
          ).usd ?? 0n;
        expect(priceOf(each, 0, facts, special).usd).toBe(plain + 99n * images);
      }),
    );
  });
});

describe('facts that are not of their kind', () => {
  test.each([
    {},
    { websuchen: '3', seiten: 1.5, bilder: -1, zeichen: Number.NaN, sekunden: 'drei', preisstufe: 7 },
    { websuchen: null, sekunden: null, preisstufe: null, region: '' },
    { preisstufe: 'Default', region: 'global', sekunden: '0.0', websuchen: 0 },
  ])('say nothing: %o', (free) => {
    expect(toPriceFacts(free)).toBeNull();
  });
});

describe('an input that is the sum of several prompts', () => {
  const FEES = ['web_searches_kcount', 'storage_searches_kcount', 'code_executions_kcount'].map(
    (key): [string, Rate] => [key, { base: 0n, tiers: [] }],
  );
  const tiered = (start: number): Rate => ({ base: 2n, tiers: [{ start, price: 5n }] });
  const rates = {
    ...ratesWith(() => 1n),
    all: new Map([
      ['input_mtok', tiered(200_000)],
      ['output_mtok', tiered(200_000)],
    ]),
  };
  const buckets = { eingabeOhneCache: 250_000, cacheLese: 0, cacheSchreib: 0, ausgabeGesamt: 100 };
  const priced = (free: object) => priceOf(buckets, 0, toPriceFacts({ ...free }) ?? NO_FACTS, rates);
  const [short, long] = [2n * 250_100n, 5n * 250_100n];

  test.each([
    [{}, { usd: long, partial: false }],
    [{ laengste_eingabe_token: 60_000 }, { usd: short, partial: false }],
    [{ laengste_eingabe_token: 200_001 }, { usd: long, partial: false }],
    [{ eingabe_ist_summe: true }, { usd: short, partial: true }],
    // Tools of the provider ask again and again, unless it is said otherwise.
    [{ eingabe_ist_summe: false }, { usd: long, partial: false }],
    [
      { eingabe_ist_summe: true, laengste_eingabe_token: 210_000 },
      { usd: long, partial: false },
    ],
  ])('%o', (free, expected) => {
    expect(priced(free)).toEqual(expected);
  });

  test.each(['websuchen', 'dateisuchen', 'codeausfuehrungen'])('is taken for one with %s', (tool) => {
    const withTools = { ...rates, all: new Map([...rates.all, ...FEES]) };
    const of = (free: object, more: object = {}) =>
      priceOf(buckets, 0, toPriceFacts({ [tool]: 1, ...free }) ?? NO_FACTS, { ...withTools, ...more });
    expect(of({})).toEqual({ usd: short, partial: true });
    expect(of({ laengste_eingabe_token: 60_000 })).toEqual({ usd: short, partial: false });
    expect(of({ eingabe_ist_summe: false })).toEqual({ usd: long, partial: false });
    expect(of({}, { isOnePrompt: true })).toEqual({ usd: long, partial: false });
  });

  test('is priced as any other below the limit', () => {
    const few = { ...buckets, eingabeOhneCache: 200_000 };
    expect(priceOf(few, 0, toPriceFacts({ eingabe_ist_summe: true }) ?? NO_FACTS, rates)).toEqual({
      usd: 2n * 200_100n,
      partial: false,
    });
  });
});
