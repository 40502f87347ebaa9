/**
 * Providers count differently: Anthropic's input excludes cached tokens, OpenAI's and OpenTelemetry's includes them;
 * Gemini's thoughts come on top of its candidates, elsewhere reasoning is a part of the output. Here the counts as sent
 * become four buckets that do not overlap, so that no token is priced twice.
 */

export interface TokenCounts {
  anbieter: string | null;
  eingabe: number | null;
  ausgabe: number | null;
  cacheLese: number | null;
  cacheSchreib: number | null;
  denk: number | null;
  /** `zusatz.eingabe_umfasst_cache`; undefined: by provider. */
  eingabeUmfasstCache: boolean | undefined;
  /** `zusatz.ausgabe_umfasst_denken`; undefined: by provider. */
  ausgabeUmfasstDenken: boolean | undefined;
}

export interface TokenBuckets {
  eingabeOhneCache: number;
  cacheLese: number;
  cacheSchreib: number;
  /** Two counts may add up to more than a number holds exactly. */
  ausgabeGesamt: number | bigint;
}

const INPUT_EXCLUDES_CACHE = /anthropic|claude/i;
const THOUGHTS_ON_TOP = /google|gemini|vertex/i;

function add(a: number, b: number): number | bigint {
  const sum = a + b;
  return Number.isSafeInteger(sum) ? sum : BigInt(a) + BigInt(b);
}

/** Null when the sender gave no token count at all: then what was used is unknown, not zero. */
export function toBuckets(counts: TokenCounts): TokenBuckets | null {
  const { eingabe, ausgabe, cacheLese, cacheSchreib } = counts;
  if (eingabe === null && ausgabe === null && !cacheLese && !cacheSchreib) return null;
  const anbieter = counts.anbieter ?? '';
  const input = eingabe ?? 0;
  const read = cacheLese ?? 0;
  const write = cacheSchreib ?? 0;
  const includes = counts.eingabeUmfasstCache ?? !INPUT_EXCLUDES_CACHE.test(anbieter);
  // More cached than sent is impossible where input includes the cache: the counts must be disjoint already.
  const uncached = includes && read + write <= input ? input - read - write : input;
  const thoughtsWithin = counts.ausgabeUmfasstDenken ?? !THOUGHTS_ON_TOP.test(anbieter);
  const output = add(ausgabe ?? 0, thoughtsWithin ? 0 : (counts.denk ?? 0));
  return { eingabeOhneCache: uncached, cacheLese: read, cacheSchreib: write, ausgabeGesamt: output };
}
