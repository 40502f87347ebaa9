/**
 * Providers count differently: Anthropic's input excludes cached tokens, OpenAI's and OpenTelemetry's includes them;
 * Gemini's thoughts come on top of its candidates, elsewhere reasoning is a part of the output. Here the counts as sent
 * become four buckets that do not overlap, so that no token is priced twice.
 */

/** How the counts of a call are meant. */
export interface CountingRule {
  eingabeUmfasstCache: boolean;
  ausgabeUmfasstDenken: boolean;
}

export interface TokenCounts {
  /** How the maker of the model counts. */
  rule: CountingRule;
  eingabe: number | null;
  ausgabe: number | null;
  cacheLese: number | null;
  cacheSchreib: number | null;
  denk: number | null;
  /** `zusatz.eingabe_umfasst_cache`; undefined: by the rule. */
  eingabeUmfasstCache: boolean | undefined;
  /** `zusatz.ausgabe_umfasst_denken`; undefined: by the rule. */
  ausgabeUmfasstDenken: boolean | undefined;
}

export interface TokenBuckets {
  eingabeOhneCache: number;
  cacheLese: number;
  cacheSchreib: number;
  /** Two counts may add up to more than a number holds exactly. */
  ausgabeGesamt: number | bigint;
  /** The count that nobody knows while the other is known; what it holds is then not priced. */
  fehlt?: Missing;
}

export type Missing = 'eingabe' | 'ausgabe';

/** Which of the two counts is unknown beside a known one; an empty object where none or both are. */
export function missingOf(eingabe: number | null, ausgabe: number | null): { fehlt?: Missing } {
  if ((eingabe === null) === (ausgabe === null)) return {};
  return { fehlt: eingabe === null ? 'eingabe' : 'ausgabe' };
}

const ANTHROPIC = /anthropic|claude/i;
const CLAUDE = /claude/i;
const GOOGLE = /google|gemini|vertex/i;
const AMAZON = /aws|amazon|bedrock/i;
const MICROSOFT = /azure|microsoft|foundry/i;

/**
 * How counts are meant that say nothing of it. A model is counted as its maker counts where its maker, Amazon, Google or Microsoft
 * serves it, or nobody is named; others, gateways among them, count as OpenAI does.
 */
export function countingRule(anbieter: string | null, modell: string | null): CountingRule {
  const provider = anbieter ?? '';
  const model = modell ?? '';
  const isClaude = CLAUDE.test(model);
  const isGoogle = GOOGLE.test(provider);
  const servesClaude = provider === '' || isGoogle || AMAZON.test(provider) || MICROSOFT.test(provider);
  return {
    eingabeUmfasstCache: !(ANTHROPIC.test(provider) || (isClaude && servesClaude)),
    ausgabeUmfasstDenken: !((isGoogle && !isClaude) || (provider === '' && /gemini/i.test(model))),
  };
}

/** Whether the input includes the cache by that rule, in SQL over two texts that are never null. */
export const includesCacheSql = (anbieter: string, modell: string): string => {
  const serves = [GOOGLE, AMAZON, MICROSOFT].map(({ source }) => source).join('|');
  return `NOT (${anbieter} ~* '${ANTHROPIC.source}'
    OR ${modell} ~* '${CLAUDE.source}' AND (${anbieter} = '' OR ${anbieter} ~* '${serves}'))`;
};

function add(a: number, b: number): number | bigint {
  const sum = a + b;
  return Number.isSafeInteger(sum) ? sum : BigInt(a) + BigInt(b);
}

/** Null when the sender gave no token count at all: then what was used is unknown, not zero. */
export function toBuckets(counts: TokenCounts): TokenBuckets | null {
  const { eingabe, ausgabe, cacheLese, cacheSchreib } = counts;
  if (eingabe === null && ausgabe === null && !cacheLese && !cacheSchreib) return null;
  const input = eingabe ?? 0;
  const read = cacheLese ?? 0;
  const write = cacheSchreib ?? 0;
  const includes = counts.eingabeUmfasstCache ?? counts.rule.eingabeUmfasstCache;
  // More cached than sent is impossible where input includes the cache: the counts must be disjoint already.
  const uncached = includes && read + write <= input ? input - read - write : input;
  const thoughtsWithin = counts.ausgabeUmfasstDenken ?? counts.rule.ausgabeUmfasstDenken;
  const output = add(ausgabe ?? 0, thoughtsWithin ? 0 : (counts.denk ?? 0));
  return {
    eingabeOhneCache: uncached,
    cacheLese: read,
    cacheSchreib: write,
    ausgabeGesamt: output,
    ...missingOf(eingabe, ausgabe),
  };
}
