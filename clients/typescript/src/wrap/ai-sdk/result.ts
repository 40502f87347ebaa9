/** What the AI SDK says of a call, put into the form of an exchange: from there on it is a call like any other. */
import type { Recorded } from '../../client.ts';
import type { Exchange } from '../../event.ts';
import { at, count, list, text } from '../../json.ts';

/** What is known of the model, in all versions. */
export interface Model {
  provider: string;
  modelId: string;
}

/** What came of a call, as a whole or in the parts of a stream. */
export interface Outcome {
  id: string | null;
  modelId: string | null;
  usage: unknown;
  metadata: unknown;
  /** Blocks of the answer; of a stream those that are whole. */
  content: unknown[];
  /** Text that passed, where the stream was cut off. */
  passed: string;
}

/** Names of the AI SDK for providers that the price list has under another. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/^(google|vertex)/, 'google'],
  [/^azure/, 'azure'],
  [/^(amazon-bedrock|bedrock)/, 'aws'],
  [/^xai/, 'x-ai'],
];

/** `openai.chat`, `google.generative-ai`: what stands before the dot is the provider. */
function anbieterOf({ provider }: Model): Recorded {
  const own = /^[a-z0-9-]+/.exec(provider.toLowerCase())?.[0];
  const anbieter = PROVIDERS.find(([pattern]) => pattern.test(provider.toLowerCase()))?.[1] ?? own;
  // A gateway is no provider: the name of the model tells who is behind it.
  return anbieter === undefined || anbieter === 'gateway' ? {} : { anbieter };
}

/** From version 3 on counts have parts; input includes the cache, output the reasoning. */
function countsInParts(usage: unknown): Recorded {
  return {
    eingabe_token: count(at(usage, 'inputTokens', 'total')),
    ausgabe_token: count(at(usage, 'outputTokens', 'total')),
    cache_lese_token: count(at(usage, 'inputTokens', 'cacheRead')),
    cache_schreib_token: count(at(usage, 'inputTokens', 'cacheWrite')),
    denk_token: count(at(usage, 'outputTokens', 'reasoning')),
    zusatz: { eingabe_umfasst_cache: true, ausgabe_umfasst_denken: true },
  };
}

/** In version 2 they are as the provider means them: Anthropic's stand beside the cache, Google's thoughts beside the output. */
function plainCounts(usage: unknown, metadata: unknown, { provider, modelId }: Model): Recorded {
  const eingabe = count(at(usage, 'inputTokens'));
  const ausgabe = count(at(usage, 'outputTokens'));
  const total = count(at(usage, 'totalTokens'));
  const denk = count(at(usage, 'reasoningTokens'));
  const written = count(at(metadata, 'anthropic', 'cacheCreationInputTokens'));
  const isBeside = /anthropic|claude/i.test(`${provider} ${modelId}`);
  const besideOutput =
    denk !== null && denk > 0 && total !== null && total === (eingabe ?? 0) + (ausgabe ?? 0) + denk;
  return {
    eingabe_token: eingabe,
    ausgabe_token: ausgabe,
    cache_lese_token: count(at(usage, 'cachedInputTokens')),
    cache_schreib_token: written ?? count(at(metadata, 'bedrock', 'usage', 'cacheWriteInputTokens')),
    denk_token: denk,
    zusatz: { eingabe_umfasst_cache: !isBeside, ausgabe_umfasst_denken: !besideOutput },
  };
}

function countsOf({ usage, metadata }: Outcome, model: Model): Recorded {
  const hasParts = typeof at(usage, 'inputTokens') === 'object';
  const counts = hasParts ? countsInParts(usage) : plainCounts(usage, metadata, model);
  // What is not said here the form of the exchange says, or nobody.
  return counts.eingabe_token === null && counts.ausgabe_token === null ? {} : counts;
}

/** Messages as providers have them; what a tool returned is a text or a value. */
function messageOf(message: unknown): object {
  const content = at(message, 'content');
  if (!Array.isArray(content)) return { role: at(message, 'role'), content };
  const blocks = content.map((block) =>
    at(block, 'type') === 'tool-result'
      ? { type: 'tool_result', content: at(block, 'output', 'value') ?? at(block, 'result') }
      : block,
  );
  return { role: at(message, 'role'), content: blocks };
}

const toolCallOf = (block: unknown) => {
  const input = at(block, 'input');
  return {
    id: at(block, 'toolCallId'),
    type: 'function',
    function: {
      name: at(block, 'toolName'),
      arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    },
  };
};

/** An exchange in the form of OpenAI's chat. */
export function exchangeOf(
  model: Model,
  params: unknown,
  outcome: Outcome,
  times: Pick<Exchange, 'latenzMs' | 'zeitpunkt' | 'aborted'>,
): { exchange: Exchange; call: Recorded } {
  const calls = outcome.content.filter(
    (block) => at(block, 'type') === 'tool-call' && at(block, 'providerExecuted') !== true,
  );
  const name = outcome.modelId ?? model.modelId;
  const message = { role: 'assistant', content: outcome.passed, tool_calls: calls.map(toolCallOf) };
  const answer = { id: outcome.id ?? '', model: name, choices: [{ delta: message, message }] };
  const exchange = {
    ...askedOf(model, params),
    ...times,
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(answer),
  };
  return { exchange, call: { ...anbieterOf(model), ...countsOf(outcome, model) } };
}

/** The request: values are embedded, a prompt is answered. */
function askedOf({ modelId }: Model, params: unknown): Pick<Exchange, 'method' | 'uri' | 'request'> {
  const values = at(params, 'values');
  const chat = { model: modelId, messages: list(at(params, 'prompt')).map(messageOf) };
  return values === undefined
    ? { method: 'POST', uri: 'ai-sdk:/chat/completions', request: chat }
    : { method: 'POST', uri: 'ai-sdk:/embeddings', request: { model: modelId, input: values } };
}

/** An exchange in the form of OpenAI's embeddings. */
export function embeddingOf(
  model: Model,
  params: unknown,
  embedded: unknown,
  times: Pick<Exchange, 'latenzMs' | 'zeitpunkt'>,
): { exchange: Exchange; call: Recorded } {
  const tokens = count(at(embedded, 'usage', 'tokens'));
  const usage = tokens === null ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } };
  const exchange = {
    ...askedOf(model, params),
    ...times,
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ object: 'list', data: [], model: model.modelId, ...usage }),
  };
  return { exchange, call: anbieterOf(model) };
}

/** A refusal, as the AI SDK tells of it; null where the provider has not answered. */
export function refusalOf(
  model: Model,
  params: unknown,
  error: unknown,
  times: Pick<Exchange, 'latenzMs' | 'zeitpunkt'>,
): { exchange: Exchange; call: Recorded } | null {
  const status = count(at(error, 'statusCode'));
  if (status === null) return null;
  const body = text(at(error, 'responseBody')) ?? '{}';
  const exchange = { ...askedOf(model, params), ...times, status, contentType: 'application/json', body };
  return { exchange, call: { modell: model.modelId, ...anbieterOf(model) } };
}
