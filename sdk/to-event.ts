import { anbieterOf } from './anbieter.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { Ereignis, Exchange } from './event.ts';
import { at, first } from './json.ts';
import { outcomeOf } from './outcome.ts';
import { anthropic } from './providers/anthropic.ts';
import { bedrock } from './providers/bedrock.ts';
import { cohere } from './providers/cohere.ts';
import { gemini } from './providers/gemini.ts';
import { ollama } from './providers/ollama.ts';
import { openAiChat } from './providers/openai-chat.ts';
import { openAiCompletions } from './providers/openai-completions.ts';
import { openAiEmbeddings } from './providers/openai-embeddings.ts';
import { openAiResponses } from './providers/openai-responses.ts';
import type { Shape, Usage } from './providers/shape.ts';
import { voyage } from './providers/voyage.ts';
import { writer } from './providers/writer.ts';

/** Those that look at the host or a path of their own come before OpenAI's, which share theirs with many. */
const SHAPES: readonly Shape[] = [
  bedrock,
  gemini,
  anthropic,
  voyage,
  writer,
  cohere,
  ollama,
  openAiResponses,
  openAiChat,
  openAiCompletions,
  openAiEmbeddings,
];

const YEAR_2010 = Date.UTC(2010);
const DAY_MS = 86_400_000;

/** ISO time of a Unix second or an ISO text; null where it cannot be the time of a model call (vLLM sends uptimes). */
function timeOf(value: unknown, now: Date): string | null {
  const time =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time >= YEAR_2010 && time <= now.getTime() + DAY_MS ? new Date(time).toISOString() : null;
}

function createdAt(answer: Answer, now: Date): string | null {
  return first(answer.parts, (part) => {
    const stamps = [
      at(part, 'created'),
      at(part, 'created_at'),
      at(part, 'response', 'created_at'),
      at(part, 'createTime'),
    ];
    return first(stamps, (stamp) => timeOf(stamp, now));
  });
}

/**
 * Says how the counts are meant where the service would read them otherwise. Its rule: only Anthropic's input excludes
 * the cache, only Google's thoughts come on top of the output.
 */
function meaningOf(usage: Usage, anbieter: string | null): Record<string, boolean> {
  const cacheDiffers = usage.eingabeUmfasstCache !== (anbieter !== 'anthropic');
  const thoughtsDiffer =
    usage.ausgabeUmfasstDenken !== (anbieter !== 'google') && (usage.denk_token ?? 0) > 0;
  const counted = usage.eingabe_token !== null;
  return {
    ...(cacheDiffers && counted ? { eingabe_umfasst_cache: usage.eingabeUmfasstCache } : {}),
    ...(thoughtsDiffer ? { ausgabe_umfasst_denken: usage.ausgabeUmfasstDenken } : {}),
  };
}

/**
 * The event of one exchange with a model provider, without agent and ids. Null where it is no model call (an unknown
 * address whose answer has no known form). Counts that the provider did not send are null. `now` bounds the time taken
 * from the answer, which the service would refuse if it lay ahead.
 */
export function toEvent(exchange: Exchange, now: Date = new Date()): Ereignis | null {
  const answer = readAnswer(exchange);
  const shape =
    SHAPES.find((known) => known.matchesUri(answer)) ?? SHAPES.find((known) => known.matchesBody(answer));
  if (shape === undefined) return null;
  const usage = shape.toUsage(answer);
  const anbieter = anbieterOf(answer, shape.anbieter);
  const zusatz = { ...usage.zusatz, ...meaningOf(usage, anbieter) };
  return {
    zeitpunkt: exchange.zeitpunkt ?? createdAt(answer, now),
    anbieter,
    modell: usage.modell,
    eingabe_token: usage.eingabe_token,
    ausgabe_token: usage.ausgabe_token,
    cache_lese_token: usage.cache_lese_token,
    cache_schreib_token: usage.cache_schreib_token,
    denk_token: usage.denk_token,
    werkzeugaufrufe: usage.werkzeugaufrufe,
    latenz_ms: exchange.latenzMs === undefined ? null : Math.round(exchange.latenzMs),
    ...outcomeOf(answer),
    zusatz: Object.keys(zusatz).length === 0 ? null : zusatz,
  };
}
