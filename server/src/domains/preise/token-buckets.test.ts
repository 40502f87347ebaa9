import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countingRule, type TokenCounts, toBuckets } from './token-buckets.ts';

type Sent = Partial<Omit<TokenCounts, 'rule'>> & { anbieter?: string | null; modell?: string | null };

const counts = ({ anbieter = null, modell = null, ...more }: Sent): TokenCounts => ({
  rule: countingRule(anbieter, modell),
  eingabe: null,
  ausgabe: null,
  cacheLese: null,
  cacheSchreib: null,
  denk: null,
  eingabeUmfasstCache: undefined,
  ausgabeUmfasstDenken: undefined,
  ...more,
});
/** In the order: uncached input, cache read, cache write, output. */
const bucketsOf = (more: Sent) => {
  const buckets = toBuckets(counts(more));
  return (
    buckets && [buckets.eingabeOhneCache, buckets.cacheLese, buckets.cacheSchreib, buckets.ausgabeGesamt]
  );
};

const SENT = { eingabe: 1_000, ausgabe: 100, cacheLese: 300, cacheSchreib: 200, denk: 40 };

describe('the counts as the providers send them', () => {
  test.each([
    // Input includes the cache, output the reasoning.
    ['openai', [500, 300, 200, 100]],
    ['azure', [500, 300, 200, 100]],
    ['deepseek', [500, 300, 200, 100]],
    ['eigener-server', [500, 300, 200, 100]],
    [null, [500, 300, 200, 100]],
    ['', [500, 300, 200, 100]],
    // Input excludes the cache.
    ['anthropic', [1_000, 300, 200, 100]],
    ['Anthropic', [1_000, 300, 200, 100]],
    ['claude', [1_000, 300, 200, 100]],
    // Thoughts come on top of the output.
    ['google', [500, 300, 200, 140]],
    ['gemini', [500, 300, 200, 140]],
    ['vertex_ai', [500, 300, 200, 140]],
  ])('%s', (anbieter, expected) => {
    expect(bucketsOf({ ...SENT, anbieter })).toEqual(expected);
  });
});

describe('the counts of a model that somebody else serves, or nobody is named for', () => {
  const CLAUDE = 'claude-sonnet-4-5';
  test.each([
    [null, CLAUDE, [1_000, 300, 200, 100]],
    ['aws', 'anthropic.claude-sonnet-4-5-20250929-v1:0', [1_000, 300, 200, 100]],
    ['aws.bedrock', CLAUDE, [1_000, 300, 200, 100]],
    // Its thinking is a part of the output wherever it runs.
    ['google', CLAUDE, [1_000, 300, 200, 100]],
    ['vertex_ai', 'claude-opus-4-6@default', [1_000, 300, 200, 100]],
    [null, 'gemini-2.5-flash', [500, 300, 200, 140]],
    // Gateways count as OpenAI does, whatever they serve.
    ['openrouter', 'anthropic/claude-sonnet-4.5', [500, 300, 200, 100]],
    ['openrouter', 'google/gemini-2.5-flash', [500, 300, 200, 100]],
    ['azure', CLAUDE, [1_000, 300, 200, 100]],
    [null, 'gpt-4o', [500, 300, 200, 100]],
  ])('%s %s', (anbieter, modell, expected) => {
    expect(bucketsOf({ ...SENT, anbieter, modell })).toEqual(expected);
  });
});

describe('what the sender says about its counts', () => {
  test.each([
    ['anthropic', { eingabeUmfasstCache: true }, [500, 300, 200, 100]],
    ['openai', { eingabeUmfasstCache: false }, [1_000, 300, 200, 100]],
    ['google', { ausgabeUmfasstDenken: true }, [500, 300, 200, 100]],
    ['x-ai', { ausgabeUmfasstDenken: false }, [500, 300, 200, 140]],
  ])('comes before the provider: %s %o', (anbieter, said, expected) => {
    expect(bucketsOf({ ...SENT, anbieter, ...said })).toEqual(expected);
  });

  test('cannot be that more was cached than sent: then the counts are disjoint', () => {
    const more = { ...SENT, anbieter: 'openai', cacheLese: 801, eingabeUmfasstCache: true };
    expect(bucketsOf(more)).toEqual([1_000, 801, 200, 100]);
    expect(bucketsOf({ ...more, cacheLese: 800 })).toEqual([0, 800, 200, 100]);
  });
});

describe('counts that are missing', () => {
  test.each([{}, { denk: 40 }, { cacheLese: 0, cacheSchreib: 0 }])('all of them: %o is unknown', (more) => {
    expect(toBuckets(counts(more))).toBeNull();
  });

  test.each([
    [{ eingabe: 7 }, [7, 0, 0, 0]],
    [{ ausgabe: 7 }, [0, 0, 0, 7]],
    [{ cacheLese: 7 }, [0, 7, 0, 0]],
    [{ cacheSchreib: 7 }, [0, 0, 7, 0]],
    [{ eingabe: 0 }, [0, 0, 0, 0]],
    [{ ausgabe: 0, denk: 9 }, [0, 0, 0, 0]],
  ])('some of them: %o', (more, expected) => {
    expect(bucketsOf({ anbieter: 'openai', ...more })).toEqual(expected);
  });
});

test('an output beyond 2^53 stays exact', () => {
  const more = { anbieter: 'google', ausgabe: Number.MAX_SAFE_INTEGER, denk: 2 };
  expect(toBuckets(counts(more))?.ausgabeGesamt).toBe(9_007_199_254_740_993n);
});

test('no token is in two buckets and none is lost', () => {
  const count = fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
  const sent = fc.record({
    anbieter: fc.constantFrom('openai', 'anthropic', 'google', null),
    eingabe: count,
    ausgabe: count,
    cacheLese: count,
    cacheSchreib: count,
    denk: count,
    eingabeUmfasstCache: fc.constantFrom(undefined, true, false),
    ausgabeUmfasstDenken: fc.constantFrom(undefined, true, false),
  });
  fc.assert(
    fc.property(sent, (each) => {
      const [uncached = 0, read = 0, write = 0, output = 0] = bucketsOf(each) ?? [];
      const input = BigInt(uncached) + BigInt(read) + BigInt(write);
      const alone = BigInt(each.eingabe);
      const disjoint = alone + BigInt(each.cacheLese) + BigInt(each.cacheSchreib);
      expect([alone, disjoint]).toContain(input);
      expect([BigInt(each.ausgabe), BigInt(each.ausgabe) + BigInt(each.denk)]).toContain(BigInt(output));
      expect([read, write]).toEqual([each.cacheLese, each.cacheSchreib]);
    }),
  );
});
