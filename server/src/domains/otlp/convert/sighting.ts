/** What is kept of a record: no word of a prompt or an answer. */
import type { KeyedPrints } from '#client/prints/sim-hash.ts';
import type { Attributes, OtlpRecord } from '../wire/record.ts';
import { answerIdOf, requestIdOf } from './answer.ts';
import { type CodingAgent, codingAgentOf, isPaidBySubscription } from './coding.ts';
import { countsOf } from './counts.ts';
import { type Classified, classify, type Dialect, eventNameOf, type Kind } from './kinds.ts';
import { readContent } from './prompt.ts';
import { amountIn, countIn, firstText, parsed, textIn } from './read.ts';
import type { Counts } from './usage.ts';
import { type CustomNames, type Who, whoOf, whoOfResource } from './who.ts';

/** What is known of a call from one record. */
export interface SeenCall {
  dialect: Dialect;
  anbieter: string | null;
  modell: string | null;
  antwort: string | null;
  counts: Counts;
  fehlercode: string | null;
  ersteZeichenMs: number | null;
  werkzeuge: number | null;
  prompt: string | null;
  werkzeug: string | null;
  stufe: string | null;
  /** As the sender reports it, in USD. */
  kosten: number | null;
  /** Whether a subscription pays for it; null where nothing says so. */
  abo: boolean | null;
}

/** A record, reduced. */
export interface Sighting {
  signal: OtlpRecord['signal'];
  kind: Kind;
  /** Which library it comes from, and which version of it. */
  quelle: string;
  version: string | null;
  /** The process, as far as the resource tells it from others. */
  instanz: string;
  /** Names what belongs together where there is no trace. */
  spur: string;
  /** Tells it from others of its `spur`. */
  id: string;
  parent: string | null;
  begin: number;
  end: number;
  failed: boolean;
  /** What it says itself. */
  who: Who;
  /** Of which coding agent it is: their runs are sessions. */
  programmiert: CodingAgent | null;
  /** What its resource says, which is trusted least. */
  resource: Who;
  call: SeenCall | null;
}

const MODELL = [
  'gen_ai.response.model',
  'ai.response.model',
  'langfuse.observation.model.name',
  'llm.response.model_name',
  'llm.model_name',
  'embedding.model_name',
  'model',
  'model_name',
  'gen_ai.request.model',
  'ai.model.id',
  'llm.request.model_name',
];
const ANBIETER = [
  'gen_ai.provider.name',
  'gen_ai.system',
  'ai.model.provider',
  'llm.provider',
  'llm.system',
  'langsmith.metadata.ls_provider',
  'traceloop.association.properties.ls_provider',
  'langfuse.observation.metadata.ls_provider',
];
/** Frameworks that name themselves where the provider should stand. */
const NO_PROVIDERS = new Set([
  'strands-agents',
  'langchain',
  'langgraph',
  'litellm',
  'traceloop',
  'pydantic-ai',
  'unknown',
]);
/** How they are called here. */
const ANBIETER_NAMES: [RegExp, string][] = [
  [/^(gemini|google|gcp\.|vertex|google_)/, 'google'],
  [/^(aws|amazon|bedrock)/, 'aws'],
  [/^(azure|az\.)/, 'azure'],
  [/^openai/, 'openai'],
  [/^anthropic/, 'anthropic'],
  [/^(mistral)/, 'mistral'],
  [/^(x_ai|xai)/, 'x-ai'],
];
const OF_DIALECT: Partial<Record<Dialect, string>> = {
  'claude-code': 'anthropic',
  codex: 'openai',
  'gemini-cli': 'google',
  'anthropic-sdk': 'anthropic',
};
/** Where nothing names the provider, the model's name does. */
const BY_MODEL: [RegExp, string][] = [
  [/^((us|eu|apac|global)\.)?(anthropic|amazon|meta)\./, 'aws'],
  [/^claude/, 'anthropic'],
  [/^(gpt-|o\d|chatgpt|text-embedding|davinci)/, 'openai'],
  [/^gemini/, 'google'],
];

const matching = (table: [RegExp, string][], text: string | null): string | null =>
  text === null ? null : (table.find(([pattern]) => pattern.test(text))?.[1] ?? null);

function anbieterOf(attributes: Attributes, dialect: Dialect, modell: string | null): string | null {
  for (const name of ANBIETER) {
    const said = textIn(parsed(attributes[name]) ?? attributes[name], 60)?.toLowerCase();
    if (said === undefined || NO_PROVIDERS.has(said)) continue;
    return matching(ANBIETER_NAMES, said) ?? said.split('.', 1)[0] ?? null;
  }
  return OF_DIALECT[dialect] ?? matching(BY_MODEL, modell);
}

function modelOf(attributes: Attributes, anbieter: string | null): string | null {
  const answered = firstText(attributes, MODELL, 200);
  const asked = firstText(attributes, ['gen_ai.request.model'], 200);
  // Which region an inference profile is of stands in what was asked for alone, and has a price.
  return anbieter === 'aws' && asked !== null && /^(us|eu|apac|global)\./.test(asked) ? asked : answered;
}

/** First token, in milliseconds; of each name its unit. */
const FIRST: [name: string, milliseconds: number][] = [
  ['gen_ai.response.time_to_first_chunk', 1_000],
  ['gen_ai.client.operation.time_to_first_chunk', 1_000],
  ['ai.response.msToFirstChunk', 1],
  ['ttft_ms', 1],
];

function firstTokenOf({ attributes, events, begin, origin }: OtlpRecord): number | null {
  for (const [name, unit] of FIRST) {
    const amount = amountIn(attributes[name]);
    if (amount !== null) return Math.round(amount * unit);
  }
  const server = amountIn(attributes['gen_ai.server.time_to_first_token']);
  // Seconds by convention; one sender means milliseconds.
  if (server !== null) return Math.round(server * (origin.scope.startsWith('strands') ? 1 : 1_000));
  const started = parsed(attributes['langfuse.observation.completion_start_time']);
  const at = typeof started === 'string' ? Date.parse(started) * 1_000 : undefined;
  const first = at ?? events.find(({ name }) => name === 'First Token Stream Event')?.at;
  return first !== undefined && first >= begin ? Math.round((first - begin) / 1_000) : null;
}

const ERROR_CODES = ['error.type', 'http.response.status_code', 'status_code'];

/** Class or status: what a message says may be of the prompt. */
function errorOf({ attributes, events }: OtlpRecord): string | null {
  const said = firstText(attributes, ERROR_CODES, 200);
  if (said !== null) return said;
  const thrown = events.find(({ name }) => name === 'exception')?.attributes['exception.type'];
  return textIn(thrown, 200)?.split('.').at(-1) ?? null;
}

const ASKS_FOR_TOOLS = /tool[-_ ]?(call|use)/i;

function toolsByReason(attributes: Attributes): number | null {
  const reason =
    attributes['gen_ai.response.finish_reasons'] ??
    attributes['ai.response.finishReason'] ??
    attributes['llm.finish_reason'] ??
    attributes['anthropic.message.stop_reason'] ??
    attributes.stop_reason;
  if (reason === undefined) return null;
  return ASKS_FOR_TOOLS.test(JSON.stringify(reason)) ? 1 : 0;
}

const STUFE = [
  'anthropic.response.service_tier',
  'openai.response.service_tier',
  'gen_ai.openai.response.service_tier',
  'gen_ai.response.service_tier',
];

function callOf(
  record: OtlpRecord,
  { dialect }: Classified,
  keyed: KeyedPrints | null,
): Omit<SeenCall, 'abo'> {
  const { attributes } = record;
  const modell = firstText(attributes, MODELL, 200);
  const anbieter = anbieterOf(attributes, dialect, modell);
  const content = readContent(record, keyed);
  return {
    dialect,
    anbieter,
    modell: modelOf(attributes, anbieter),
    antwort: dialect === 'claude-code' ? requestIdOf(attributes) : answerIdOf(attributes),
    counts: countsOf(record, dialect),
    fehlercode: errorOf(record),
    ersteZeichenMs: firstTokenOf(record),
    werkzeuge: content.werkzeuge || toolsByReason(attributes),
    prompt: content.prompt_fingerabdruck,
    werkzeug: content.werkzeug_fingerabdruck,
    stufe: firstText(attributes, STUFE, 40),
    kosten: amountIn(attributes.cost_usd) ?? amountIn(attributes['gen_ai.cost.total_cost']),
  };
}

/** What tells processes apart. */
function instanceOf({ resource }: OtlpRecord['origin']): string {
  const said = textIn(resource['service.instance.id'], 200);
  if (said !== null) return said;
  return ['service.name', 'host.name', 'process.pid']
    .map((name) => textIn(resource[name], 60) ?? '')
    .join(' ');
}

/** Logs that stand in no trace are of a session. */
function placeOfLog(record: OtlpRecord, call: SeenCall | null): { spur: string; id: string } {
  const { attributes } = record;
  const session =
    firstText(attributes, ['conversation.id', 'session.id', 'gen_ai.conversation.id'], 200) ?? '';
  const sequence = countIn(attributes['event.sequence']);
  const counts = call ? Object.values(call.counts).join('.') : '';
  const own =
    sequence !== null
      ? `${session} ${sequence}`
      : `${session} ${firstText(attributes, ['prompt_id'], 200) ?? ''} ${record.begin} ${counts} ${call?.antwort ?? ''}`;
  return { spur: record.trace ?? `log ${session || call?.antwort || record.begin}`, id: own };
}

/** A log record tells of the end; how long it took stands in it. */
function beginOf(record: OtlpRecord): number {
  if (record.signal === 'span') return record.begin;
  const took = amountIn(record.attributes.duration_ms) ?? 0;
  return Math.round(record.begin - took * 1_000);
}

const isFailure = (record: OtlpRecord): boolean =>
  record.failed ||
  record.attributes['error.type'] !== undefined ||
  record.attributes['langfuse.observation.level'] === 'ERROR' ||
  /\.?api_error$/.test(record.signal === 'log' ? eventNameOf(record) : '');

/** Which library, in the words of its scope; programs that give none are named by their service. */
const sourceOf = ({ origin }: OtlpRecord): string =>
  textIn(origin.scope, 120) ?? textIn(origin.resource['service.name'], 120) ?? 'unbekannt';

/** Null for what is of no use: a log record that tells of no call, a span without ids. */
export function sight(record: OtlpRecord, names: CustomNames, keyed: KeyedPrints | null): Sighting | null {
  const classified = classify(record);
  const { kind } = classified;
  if (record.signal === 'log' && kind !== 'call') return null;
  if (record.signal === 'span' && (record.span === null || record.trace === null)) return null;
  const coding = codingAgentOf(record, classified.dialect);
  const abo = isPaidBySubscription(record, coding);
  const call = kind === 'call' ? { ...callOf(record, classified, keyed), abo } : null;
  const place =
    record.signal === 'span'
      ? { spur: record.trace as string, id: record.span as string }
      : placeOfLog(record, call);
  return {
    signal: record.signal,
    kind,
    quelle: sourceOf(record),
    version: textIn(record.origin.version ?? record.origin.resource['service.version'], 60),
    instanz: instanceOf(record.origin),
    ...place,
    parent: record.signal === 'log' ? record.span : record.parent,
    begin: beginOf(record),
    end: Math.max(record.end, record.begin),
    failed: isFailure(record),
    who: whoOf(record, classified, names, coding),
    programmiert: coding,
    resource: whoOfResource(record.origin.resource, names),
    call,
  };
}
