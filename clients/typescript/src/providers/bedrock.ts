import { type Answer, fromPath, modelOf } from '../answer.ts';
import { at, count, last, list, objectAt, text } from '../json.ts';
import { anthropicCounts, anthropicToolCalls, isAnthropic } from './anthropic.ts';
import { facts, tierOf } from './facts.ts';
import { chatToolCalls } from './openai-chat.ts';
import { openAiStreamCounts } from './openai-counts.ts';
import { type Counts, noCounts, type Shape, sumOf } from './shape.ts';

const PATH = /\/model\/(.+)\/(?:invoke|invoke-with-response-stream|converse|converse-stream)$/;

/** Usage of Converse and of Nova's own form; in a stream the `metadata` event carries it, wrapped or not. */
function converseUsage(part: unknown): object | null {
  const usage = objectAt(part, 'usage') ?? objectAt(part, 'metadata', 'usage');
  return at(usage, 'inputTokens') === undefined ? null : usage;
}

/** What was written to the cache for an hour; the rest lives five minutes. */
function writtenForAnHour(usage: object): number | null {
  const details = list(at(usage, 'cacheDetails')).filter((detail) => at(detail, 'ttl') === '1h');
  return sumOf(...details.map((detail) => count(at(detail, 'inputTokens'))));
}

/**
 * Input stands beside the cache counts. OpenAI's models are the exception where they stream: their input was seen to
 * contain them, so input that is large enough to contain the cache is taken to do so.
 */
function converseCounts(usage: object, modell: string | null): Counts {
  const cached = (kind: string) =>
    count(at(usage, `cache${kind}InputTokens`)) ?? count(at(usage, `cache${kind}InputTokenCount`));
  const eingabe = count(at(usage, 'inputTokens'));
  const cache = (cached('Read') ?? 0) + (cached('Write') ?? 0);
  const isOpenAi = /(^|\.)openai\./.test(modell ?? '');
  return {
    ...noCounts(),
    eingabe_token: eingabe,
    ausgabe_token: count(at(usage, 'outputTokens')),
    cache_lese_token: cached('Read'),
    cache_schreib_token: cached('Write'),
    eingabeUmfasstCache: isOpenAi && cache > 0 && (eingabe ?? 0) >= cache,
    zusatz: facts({ cache_schreib_1h_token: writtenForAnHour(usage) }),
  };
}

/** Titan counts each result of an answer; a stream ends with the sum. An embedding has no results. */
function titanOutput(parts: unknown[]): number | null {
  const streamed = last(parts, (part) => count(at(part, 'totalOutputTextTokenCount')));
  const results = parts
    .flatMap((part) => list(at(part, 'results')))
    .map((result) => count(at(result, 'tokenCount')));
  if (streamed !== null) return streamed;
  if (results.length > 0)
    return results.includes(null) ? null : results.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  return parts.some((part) => (at(part, 'embedding') ?? at(part, 'embeddings')) !== undefined) ? 0 : null;
}

/** Counts of the families that have a form of their own: Titan, Llama, and whatever streams (invocation metrics). */
function familyCounts({ parts, exchange }: Answer): Counts {
  // Embeddings of others than Amazon are counted in the headers alone.
  const header = (name: string) => {
    const said = exchange.headers?.[`x-amzn-bedrock-${name}-token-count`];
    return said === undefined || !/^\d+$/.test(said) ? null : count(Number(said));
  };
  const lastCount = (...path: string[]) => last(parts, (part) => count(at(part, ...path)));
  const metrics = 'amazon-bedrock-invocationMetrics';
  const titan = lastCount('inputTextTokenCount');
  const llama = lastCount('prompt_token_count');
  return {
    ...noCounts(),
    eingabe_token: titan ?? llama ?? lastCount(metrics, 'inputTokenCount') ?? header('input'),
    ausgabe_token:
      titanOutput(parts) ??
      lastCount('generation_token_count') ??
      lastCount(metrics, 'outputTokenCount') ??
      header('output'),
    cache_lese_token: lastCount(metrics, 'cacheReadInputTokenCount'),
    cache_schreib_token: lastCount(metrics, 'cacheWriteInputTokenCount'),
    eingabeUmfasstCache: lastCount(metrics, 'cacheReadInputTokenCount') === null,
  };
}

function countsOf(answer: Answer, modell: string | null): Counts {
  const { parts } = answer;
  if (isAnthropic(parts)) return anthropicCounts(answer);
  const converse = last(parts, converseUsage);
  if (converse !== null) return converseCounts(converse, modell);
  const openAi = parts.some((part) => at(part, 'usage', 'prompt_tokens') !== undefined);
  return openAi ? openAiStreamCounts(answer) : familyCounts(answer);
}

function converseToolCalls(parts: unknown[]): number {
  const blocks = parts.flatMap((part) => list(at(part, 'output', 'message', 'content')));
  const starts = parts.map((part) => at(part, 'start') ?? at(part, 'contentBlockStart', 'start'));
  return [...blocks, ...starts].filter((block) => objectAt(block, 'toolUse') !== null).length;
}

/**
 * The id in the address, since the price hangs on it: `global.` costs less than a region, while the answer names only
 * the vendor's model. Profiles and endpoints of one's own say nothing about the model, so there the answer's name wins.
 */
function modelIn(answer: Answer): string | null {
  const id = fromPath(answer, PATH);
  const known = id?.replace(/^arn:[^/]+:(foundation-model|inference-profile)\//, '') ?? null;
  return known?.startsWith('arn:') ? (modelOf(answer) ?? known) : (known ?? modelOf(answer));
}

function tierIn(part: unknown): string | null {
  return text(at(part, 'serviceTier', 'type')) ?? text(at(part, 'metadata', 'serviceTier', 'type'));
}

/** Amazon Bedrock: `invoke` speaks each vendor's own form, `converse` one for all; streams are AWS event streams. */
export const bedrock: Shape = {
  name: 'bedrock',
  anbieter: 'aws',
  matchesUri: ({ path }) => PATH.test(path),
  matchesBody: ({ parts }) =>
    parts.some((part) => converseUsage(part) !== null || at(part, 'inputTextTokenCount') !== undefined),
  toUsages: (answer) => {
    const { parts } = answer;
    const modell = modelIn(answer);
    const counts = countsOf(answer, modell);
    return [
      {
        ...counts,
        modell,
        werkzeugaufrufe: anthropicToolCalls(parts) + chatToolCalls(parts) + converseToolCalls(parts),
        zusatz: { ...counts.zusatz, ...facts({ preisstufe: tierOf(last(parts, tierIn)) }) },
      },
    ];
  },
};
