import { type Answer, readAnswer } from './answer.ts';
import { answerId, idOfAnswer } from './answer-id.ts';
import { type BatchLine, batchLines } from './batch.ts';
import { withEstimates } from './estimate.ts';
import type { Ereignis, Exchange } from './event.ts';
import { anbieterOf, isProvider, regionOf } from './hosts.ts';
import { isManagement, isStored } from './management.ts';
import { printsOf } from './prints/prints.ts';
import type { KeyedPrints } from './prints/sim-hash.ts';
import { anthropic } from './providers/anthropic.ts';
import { audio } from './providers/audio.ts';
import { bedrock } from './providers/bedrock.ts';
import { cohere } from './providers/cohere.ts';
import { deferredChat } from './providers/deferred-chat.ts';
import { gemini } from './providers/gemini.ts';
import { googlePredict } from './providers/google-predict.ts';
import { images } from './providers/images.ts';
import { mistralConversations } from './providers/mistral-conversations.ts';
import { mistralOcr } from './providers/mistral-ocr.ts';
import { ollama } from './providers/ollama.ts';
import { openAiChat } from './providers/openai-chat.ts';
import { openAiCompletions } from './providers/openai-completions.ts';
import { openAiEmbeddings } from './providers/openai-embeddings.ts';
import { openAiResponses } from './providers/openai-responses.ts';
import { openAiRuns } from './providers/openai-runs.ts';
import { rerank } from './providers/rerank.ts';
import { noCounts, type Shape } from './providers/shape.ts';
import { voyage } from './providers/voyage.ts';
import { writer } from './providers/writer.ts';
import { stableId } from './stable-id.ts';
import { usageEvent } from './usage-event.ts';

/** Those that look at the host or a path of their own come before OpenAI's, which share theirs with many. */
const SHAPES: readonly Shape[] = [
  bedrock,
  gemini,
  googlePredict,
  anthropic,
  mistralConversations,
  mistralOcr,
  rerank,
  voyage,
  writer,
  cohere,
  ollama,
  openAiRuns,
  openAiResponses,
  deferredChat,
  openAiChat,
  openAiCompletions,
  openAiEmbeddings,
  images,
  audio,
];

/** What became of an exchange. With neither it was no call of a model, or one whose result has yet to be fetched. */
export interface Conversion {
  /** Without agent; with an `ereignis_id` only where the same result may be seen again. */
  events: Ereignis[];
  /** Why, for each call of a model that could not be converted. */
  unconverted: string[];
}

const eventsOnly = (events: Ereignis[]): Conversion => ({ events, unconverted: [] });
const unconverted = (reason: string): Conversion => ({ events: [], unconverted: [reason] });

/** What is known besides the exchange: `now` bounds the times taken from the answer; without a key there are no prints. */
interface Knowledge {
  now: Date;
  keyed: KeyedPrints | null;
}

function eventsIn(answer: Answer, shape: Shape, now: Date): Ereignis[] {
  const usages = shape.toUsages(answer);
  // Models called on the way have said what they used, or were not called.
  return usages.map((usage, position) =>
    usageEvent(answer, shape.anbieter, position === 0 ? withEstimates(usage, answer) : usage, now),
  );
}

/** The events of one answer, with its id, and its prints on the first: models called on the way got another prompt. */
function eventsOfAnswer(answer: Answer, shape: Shape, { now, keyed }: Knowledge): Conversion {
  const id = answerId(answer);
  const events = eventsIn(answer, shape, now).map((event, position) => ({
    ...(id === null ? {} : { ereignis_id: idOfAnswer(id, position) }),
    ...event,
    ...(keyed === null || position > 0 ? {} : printsOf(answer.exchange.request, answer.parts, keyed)),
  }));
  return eventsOnly(events);
}

/** A batch costs less, whatever the tier of the single answer; its time is that of the answer, not of the download. */
function ofLine(line: BatchLine | null, position: number, exchange: Exchange, now: Date): Conversion {
  if (line === null) return unconverted(`line ${position + 1} of a batch is no result`);
  const { answer, names } = line;
  if (answer === null) return eventsOnly([]);
  const shape = SHAPES.find((known) => known.matchesBody(answer));
  const isError = answer.exchange.status >= 400;
  if (shape === undefined && !isError)
    return unconverted(`line ${position + 1} of a batch has an unknown form`);
  const events =
    shape === undefined
      ? [usageEvent(answer, undefined, { ...noCounts(), modell: null, werkzeugaufrufe: 0 }, now)]
      : eventsIn(answer, shape, now);
  return eventsOnly(
    events.map((event, index) => ({
      ...event,
      ereignis_id: stableId('batch', ...names, String(index)),
      zeitpunkt: event.zeitpunkt ?? exchange.zeitpunkt ?? null,
      zusatz: { ...event.zusatz, preisstufe: 'batch' },
    })),
  );
}

function ofAnswer(answer: Answer, known: Knowledge): Conversion {
  const { method, host, path } = answer;
  const atHome = SHAPES.find((shape) => shape.matchesUri(answer));
  if (atHome !== undefined)
    return method === 'POST' || atHome.polled ? eventsOfAnswer(answer, atHome, known) : eventsOnly([]);
  if (method !== 'POST' || isStored(path)) return eventsOnly([]);
  const shape = SHAPES.find((known) => known.matchesBody(answer));
  if (shape !== undefined) return eventsOfAnswer(answer, shape, known);
  const mayCost = answer.exchange.status < 400 && isProvider(answer) && !isManagement(path);
  return mayCost ? unconverted(`no converter for ${method} ${host}${path}`) : eventsOnly([]);
}

/** An exchange of which nothing but its address is known. */
const addressed = (method: string, uri: string): Answer =>
  readAnswer({ method, uri, request: {}, status: 200, contentType: '', body: '' });

/** Who would answer a request, and where, as its event will say. */
export function placeOfRequest(
  uri: string,
  modell: string | null,
): { anbieter: string | null; region: string | null } {
  const answer = addressed('POST', uri);
  const shape = SHAPES.find((known) => known.matchesUri(answer));
  return { anbieter: anbieterOf(answer, shape?.anbieter, modell), region: regionOf(answer, modell) };
}

/** Whether a request may be a call of a model, as far as its method and address tell. */
export function mayBeCall(method: string, uri: string): boolean {
  if (method !== 'POST') return false;
  const answer = addressed(method, uri);
  if (SHAPES.some((shape) => shape.matchesUri(answer))) return true;
  return isProvider(answer) && !isManagement(answer.path) && !isStored(answer.path);
}

/**
 * The events of one exchange with a model provider: one for a call (several where other models were called on the
 * way), one for each line where it fetched the results of a batch. Counts that the provider did not send are null.
 * `now` bounds the times taken from the answer; with the key of the Mandant the events carry prints (docs/fingerprints.md).
 */
export function toEvents(
  exchange: Exchange,
  now: Date = new Date(),
  keyed: KeyedPrints | null = null,
): Conversion {
  const batch = batchLines(exchange);
  if (batch === null) return ofAnswer(readAnswer(exchange), { now, keyed });
  const lines = batch.map((line, position) => ofLine(line, position, exchange, now));
  return {
    events: lines.flatMap(({ events }) => events),
    unconverted: lines.flatMap(({ unconverted: reasons }) => reasons),
  };
}
