/** Usage as providers and frameworks write it in JSON, told apart by its names. */
import { at, countIn, isObject } from './read.ts';

/** Tokens of a call: the input with all that was cached, the output with all that was thought. Null is unknown. */
export interface Counts {
  eingabe: number | null;
  ausgabe: number | null;
  cacheLese: number | null;
  cacheSchreib: number | null;
  /** Of those written, the ones kept for an hour. */
  cacheSchreib1h: number | null;
  denk: number | null;
}

export const NO_COUNTS: Counts = {
  eingabe: null,
  ausgabe: null,
  cacheLese: null,
  cacheSchreib: null,
  cacheSchreib1h: null,
  denk: null,
};

type Json = Record<string, unknown>;

const sum = (...counts: (number | null)[]): number | null =>
  counts.every((count) => count === null)
    ? null
    : counts.reduce((all: number, count) => all + (count ?? 0), 0);

/** The first that is a count. */
const first = (usage: Json, ...paths: (readonly string[])[]): number | null => {
  for (const path of paths) {
    const count = countIn(at(usage, ...path));
    if (count !== null) return count;
  }
  return null;
};

/** Gemini: what was thought stands beside the output. */
function ofGemini(usage: Json): Counts {
  const denk = first(usage, ['thoughtsTokenCount']);
  return {
    ...NO_COUNTS,
    eingabe: sum(first(usage, ['promptTokenCount']), first(usage, ['toolUsePromptTokenCount'])),
    ausgabe: sum(first(usage, ['candidatesTokenCount']), denk),
    cacheLese: first(usage, ['cachedContentTokenCount']) ?? 0,
    cacheSchreib: 0,
    denk: denk ?? 0,
  };
}

/** Anthropic and Bedrock: what was cached stands beside the input. */
function ofAnthropic(usage: Json): Counts {
  const cacheLese = first(usage, ['cache_read_input_tokens'], ['cacheReadInputTokens']);
  const cacheSchreib = first(
    usage,
    ['cache_creation_input_tokens'],
    ['cacheWriteInputTokens'],
    ['cacheCreationInputTokens'],
  );
  const uncached = first(usage, ['input_tokens'], ['inputTokens']);
  return {
    eingabe: uncached === null ? null : sum(uncached, cacheLese, cacheSchreib),
    ausgabe: first(usage, ['output_tokens'], ['outputTokens']),
    cacheLese,
    cacheSchreib,
    cacheSchreib1h: first(usage, ['cache_creation', 'ephemeral_1h_input_tokens']),
    denk: null,
  };
}

const INPUT_DETAILS = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details'];
const OUTPUT_DETAILS = ['completion_tokens_details', 'output_tokens_details', 'output_token_details'];
const CACHE_READ = ['cached_tokens', 'cache_read', 'cache_read_tokens'];
const CACHE_WRITTEN = ['cache_write_tokens', 'cache_creation', 'cache_creation_tokens'];

const within = (groups: string[], names: string[]): string[][] =>
  groups.flatMap((group) => names.map((name) => [group, name]));

/** OpenAI, both of its forms, and what LangChain and LiteLLM make of others: parts are named among the details. */
function ofOpenAi(usage: Json): Counts {
  const details = INPUT_DETAILS.some((name) => isObject(usage[name]));
  return {
    eingabe: first(usage, ['prompt_tokens'], ['input_tokens']),
    ausgabe: first(usage, ['completion_tokens'], ['output_tokens']),
    cacheLese:
      first(usage, ...within(INPUT_DETAILS, CACHE_READ), ['cache_read_input_tokens'], ['cached_tokens']) ??
      (details ? 0 : null),
    cacheSchreib:
      first(usage, ...within(INPUT_DETAILS, CACHE_WRITTEN), ['cache_creation_input_tokens']) ??
      (details ? 0 : null),
    cacheSchreib1h: first(usage, ...within(INPUT_DETAILS, ['ephemeral_1h_input_tokens'])),
    denk: first(usage, ...within(OUTPUT_DETAILS, ['reasoning_tokens', 'reasoning']), ['reasoning_tokens']),
  };
}

/** Which counts a bucket of that name is part of. */
function countsOfBucket(name: string): (keyof Counts)[] {
  const parts: (keyof Counts)[] = [];
  if (/reason|thought/.test(name)) parts.push('denk');
  if (/cache/.test(name)) parts.push(/creat|writ/.test(name) ? 'cacheSchreib' : 'cacheLese');
  if (/^output/.test(name)) parts.push('ausgabe');
  else if (/^(input|cache)/.test(name)) parts.push('eingabe');
  return parts;
}

/** Langfuse's own: buckets that do not overlap, under names that begin with what they are part of. */
function ofBuckets(usage: Json): Counts {
  const counts: Counts = { ...NO_COUNTS };
  for (const [name, value] of Object.entries(usage))
    for (const part of countsOfBucket(name)) counts[part] = sum(counts[part], countIn(value));
  // A bucket is named only when something is in it.
  if (counts.eingabe !== null) {
    counts.cacheLese ??= 0;
    counts.cacheSchreib ??= 0;
  }
  return counts;
}

const has = (usage: Json, ...names: string[]): boolean => names.some((name) => Object.hasOwn(usage, name));

/** Reads a usage of any provider; all is null in what is none. */
export function readUsage(value: unknown): Counts {
  if (!isObject(value)) return NO_COUNTS;
  if (has(value, 'promptTokenCount', 'candidatesTokenCount')) return ofGemini(value);
  if (has(value, 'input', 'output')) return ofBuckets(value);
  if (has(value, 'prompt_tokens', 'completion_tokens', ...INPUT_DETAILS, ...OUTPUT_DETAILS))
    return ofOpenAi(value);
  if (
    has(
      value,
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'inputTokens',
      'cacheReadInputTokens',
    )
  )
    return ofAnthropic(value);
  return ofOpenAi(value);
}

/** What the AI SDK's metadata say, each provider in its own way. */
export function readProviderMetadata(metadata: unknown): Counts {
  if (!isObject(metadata)) return NO_COUNTS;
  const { openai, azure, anthropic, google, vertex, bedrock } = metadata;
  const ofGoogle = at(google ?? vertex, 'usageMetadata');
  if (isObject(ofGoogle)) return readUsage(ofGoogle);
  if (isObject(anthropic)) {
    const whole = ofAnthropic(isObject(anthropic.usage) ? anthropic.usage : {});
    const beside = ofAnthropic(anthropic);
    return {
      ...whole,
      cacheLese: whole.cacheLese ?? beside.cacheLese,
      cacheSchreib: whole.cacheSchreib ?? beside.cacheSchreib,
    };
  }
  if (isObject(bedrock)) return ofAnthropic(isObject(bedrock.usage) ? bedrock.usage : {});
  const open = openai ?? azure;
  if (!isObject(open)) return NO_COUNTS;
  return {
    ...NO_COUNTS,
    cacheLese: countIn(open.cachedPromptTokens),
    denk: countIn(open.reasoningTokens),
  };
}
