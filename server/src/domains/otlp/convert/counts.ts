/** How many tokens a call used, as its record says it, made alike: each library has its names, and two meanings for each. */
import type { Attributes, OtlpRecord } from '../wire/record.ts';
import type { Dialect } from './kinds.ts';
import { firstCount, firstText, parsed, scannedCounts } from './read.ts';
import { type Counts, NO_COUNTS, readProviderMetadata, readUsage } from './usage.ts';

/** Where a record has each count, the names that are trusted most first. */
interface Names {
  eingabe: readonly string[];
  ausgabe: readonly string[];
  cacheLese: readonly string[];
  cacheSchreib: readonly string[];
  cacheSchreib1h: readonly string[];
  denk: readonly string[];
  gesamt: readonly string[];
}

const COMMON: Names = {
  eingabe: [
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'ai.usage.tokens',
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.usage.prompt_tokens',
    'llm.token_count.prompt',
  ],
  ausgabe: [
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.usage.completion_tokens',
    'llm.token_count.completion',
  ],
  cacheLese: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.input_tokens.cached',
    'gen_ai.usage.cached_input_tokens',
    'llm.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'ai.usage.cachedInputTokens',
  ],
  cacheSchreib: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_write_input_tokens',
    'llm.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ],
  cacheSchreib1h: ['anthropic.usage.cache_creation.ephemeral_1h_input_tokens'],
  denk: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.details.thoughts_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.outputTokenDetails.reasoningTokens',
    'ai.usage.reasoningTokens',
  ],
  gesamt: [
    'gen_ai.usage.total_tokens',
    'llm.usage.total_tokens',
    'llm.token_count.total',
    'ai.usage.totalTokens',
    'gen_ai.client.token.usage',
  ],
};

/** Bare names, which mean this of these senders alone. */
const CLAUDE_CODE: Names = {
  eingabe: ['input_tokens'],
  ausgabe: ['output_tokens'],
  cacheLese: ['cache_read_tokens'],
  cacheSchreib: ['cache_creation_tokens'],
  cacheSchreib1h: ['cache_creation_1h_tokens'],
  denk: [],
  gesamt: [],
};
const AGENT_LOGS: Names = {
  eingabe: ['input_token_count'],
  ausgabe: ['output_token_count'],
  cacheLese: ['cached_token_count', 'cached_content_token_count'],
  cacheSchreib: ['cache_write_token_count'],
  cacheSchreib1h: [],
  denk: ['reasoning_token_count', 'thoughts_token_count'],
  gesamt: ['total_token_count'],
};
const NAMES: Partial<Record<Dialect, Names>> = {
  'claude-code': CLAUDE_CODE,
  codex: AGENT_LOGS,
  'gemini-cli': AGENT_LOGS,
};

/** Usage that a record has as JSON. */
const NESTED: Partial<Record<Dialect, (attributes: Attributes) => Counts>> = {
  'ai-sdk': (attributes) => readProviderMetadata(parsed(attributes['ai.response.providerMetadata'])),
  langfuse: (attributes) => readUsage(parsed(attributes['langfuse.observation.usage_details'])),
  langsmith: (attributes) => readUsage(parsed(attributes['langsmith.metadata.usage_metadata'])),
  litellm: ofLiteLlm,
};

function ofLiteLlm(attributes: Attributes): Counts {
  const usage = attributes['metadata.usage_object'];
  const read = readUsage(parsed(usage));
  if (read.eingabe !== null || typeof usage !== 'string') return read;
  return readUsage(scannedCounts(usage));
}

/** Dialects that name what was cached whenever there was something: nothing named is nothing cached. */
const NAMES_ALL_CACHE: ReadonlySet<Dialect> = new Set([
  'anthropic-sdk',
  'claude-code',
  'codex',
  'gemini-cli',
  'langfuse',
]);

const isAnthropic = (provider: string): boolean => /anthropic|bedrock|claude/.test(provider);

/** Scopes whose input is without what was cached, though nothing in the record says so. */
function isExclusiveByScope({ origin, attributes }: OtlpRecord, dialect: Dialect): boolean {
  if (dialect === 'claude-code') return true;
  const { scope } = origin;
  if (/^opentelemetry\.instrumentation\.bedrock/.test(scope)) return true;
  const provider = (
    firstText(attributes, ['ai.model.provider', 'gen_ai.provider.name', 'gen_ai.system']) ?? ''
  ).toLowerCase();
  if (/^openlit/.test(scope)) return isAnthropic(provider) || isAnthropic(scope);
  // Versions 4 and 5; later ones say what was not cached.
  if (dialect === 'ai-sdk')
    return isAnthropic(provider) && attributes['ai.usage.inputTokenDetails.noCacheTokens'] === undefined;
  return false;
}

function plainCounts(attributes: Attributes, names: Names): Counts {
  return {
    eingabe: firstCount(attributes, names.eingabe),
    ausgabe: firstCount(attributes, names.ausgabe),
    cacheLese: firstCount(attributes, names.cacheLese),
    cacheSchreib: firstCount(attributes, names.cacheSchreib),
    cacheSchreib1h: firstCount(attributes, names.cacheSchreib1h),
    denk: firstCount(attributes, names.denk),
  };
}

/** With the input as it is once what was cached is in it. */
function withCache(counts: Counts, exclusive: boolean, gesamt: number | null): Counts {
  const { eingabe, ausgabe } = counts;
  if (eingabe === null) return counts;
  const cached = (counts.cacheLese ?? 0) + (counts.cacheSchreib ?? 0);
  if (cached === 0) return counts;
  // More cached than sent, or a total that is more by just what was cached, is a proof; a smaller total is none.
  const beside = gesamt === null ? 0 : gesamt - eingabe - (ausgabe ?? 0);
  const proven = cached > eingabe || (beside === cached && beside !== counts.denk);
  return exclusive || proven ? { ...counts, eingabe: eingabe + cached } : counts;
}

/** With what was thought in the output: where the total is more than both, that is what it is more by. */
function withThoughts(counts: Counts, gesamt: number | null, isGoogle: boolean): Counts {
  const { eingabe, ausgabe, denk } = counts;
  if (ausgabe === null) return counts;
  // More thought than said in all is a proof.
  if (denk !== null && denk > ausgabe) return { ...counts, ausgabe: ausgabe + denk };
  if (gesamt === null || eingabe === null) return counts;
  const beside = gesamt - eingabe - ausgabe;
  if (beside <= 0 || !(beside === denk || (isGoogle && denk === null))) return counts;
  return { ...counts, ausgabe: gesamt - eingabe };
}

const GOOGLE = /google|gemini|gcp|vertex/;

/** What is nothing because it cannot be anything. */
function withNothing(counts: Counts, namesAll: boolean, isEmbedding: boolean): Counts {
  if (counts.eingabe === null && counts.ausgabe === null) return counts;
  if (isEmbedding) return { ...counts, ausgabe: counts.ausgabe ?? 0, cacheLese: 0, cacheSchreib: 0 };
  if (!namesAll && counts.cacheLese === null && counts.cacheSchreib === null) return counts;
  return { ...counts, cacheLese: counts.cacheLese ?? 0, cacheSchreib: counts.cacheSchreib ?? 0 };
}

const isEmbedding = ({ name, attributes }: OtlpRecord): boolean =>
  /embed/i.test(String(attributes['gen_ai.operation.name'] ?? attributes['ai.operationId'] ?? '')) ||
  /^embedding$/i.test(
    String(attributes['openinference.span.kind'] ?? attributes['langfuse.observation.type'] ?? ''),
  ) ||
  /\bembeddings?\b/i.test(name);

/** The tokens of a call. What a record does not say is null, never 0. */
export function countsOf(record: OtlpRecord, dialect: Dialect): Counts {
  const { attributes } = record;
  const names = NAMES[dialect] ?? COMMON;
  const gesamt = firstCount(attributes, names.gesamt);
  const plain = withCacheOf(plainCounts(attributes, names), attributes, dialect);
  const nested = NESTED[dialect]?.(attributes) ?? NO_COUNTS;
  const merged = merge(plain, nested, isExclusiveByScope(record, dialect), gesamt);
  const provider = firstText(attributes, [
    'ai.model.provider',
    'gen_ai.provider.name',
    'gen_ai.system',
    'llm.provider',
  ]);
  const isGoogle =
    GOOGLE.test((provider ?? '').toLowerCase()) ||
    dialect === 'gemini-cli' ||
    GOOGLE.test(record.origin.scope);
  const thought = withThoughts(merged, gesamt, isGoogle);
  const namesAll =
    NAMES_ALL_CACHE.has(dialect) || attributes['ai.usage.inputTokenDetails.noCacheTokens'] !== undefined;
  return withNothing(thought, namesAll, isEmbedding(record));
}

/** LangSmith's wrappers name details beside the counts. */
function withCacheOf(plain: Counts, attributes: Attributes, dialect: Dialect): Counts {
  if (dialect !== 'langsmith') return plain;
  const input = parsed(attributes['gen_ai.usage.input_token_details']);
  const output = parsed(attributes['gen_ai.usage.output_token_details']);
  const details = readUsage({ input_token_details: input, output_token_details: output });
  if (input === undefined && output === undefined) return plain;
  return {
    ...plain,
    cacheLese: details.cacheLese,
    cacheSchreib: details.cacheSchreib,
    denk: plain.denk ?? details.denk,
  };
}

/** Both together: what is nested is a provider's own words, and has its whole meaning; the rest is as the scope has it. */
function merge(plain: Counts, nested: Counts, exclusive: boolean, gesamt: number | null): Counts {
  const parts = {
    cacheLese: plain.cacheLese ?? nested.cacheLese,
    cacheSchreib: plain.cacheSchreib ?? nested.cacheSchreib,
    cacheSchreib1h: plain.cacheSchreib1h ?? nested.cacheSchreib1h,
    denk: plain.denk ?? nested.denk,
  };
  if (plain.eingabe === null || (nested.eingabe !== null && nested.ausgabe !== null)) {
    const whole = nested.eingabe !== null || nested.ausgabe !== null;
    if (whole) return { eingabe: nested.eingabe, ausgabe: nested.ausgabe, ...parts };
  }
  return withCache({ ...plain, ...parts }, exclusive, gesamt);
}
