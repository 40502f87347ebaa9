/** Which record is a call, by the marks of who emits it, before any number is looked at: agents' totals have the names of calls. */
import type { OtlpRecord } from '../wire/record.ts';

/** `wrapper`: something around calls. `foreign`: of no interest but as somebody's parent. */
export type Kind = 'call' | 'agent' | 'tool' | 'wrapper' | 'foreign';

/** Ways to write down calls, told apart where the same name means different things. */
export type Dialect =
  | 'semconv'
  | 'anthropic-sdk'
  | 'ai-sdk'
  | 'openinference'
  | 'langfuse'
  | 'langsmith'
  | 'litellm'
  | 'claude-code'
  | 'codex'
  | 'gemini-cli';

export interface Classified {
  kind: Kind;
  dialect: Dialect;
}

const CALLS = new Set([
  'chat',
  'chat.completions',
  'generate_content',
  'text_completion',
  'text.completions',
  'embeddings',
  'embedding',
  'responses',
]);
const AGENTS = new Set(['invoke_agent', 'create_agent']);

const is = (kind: Kind, dialect: Dialect): Classified => ({ kind, dialect });
const FOREIGN = is('foreign', 'semconv');

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

/** Words that a marker says, and what each makes of the record. Others make a wrapper of it. */
const byWord = (word: string, dialect: Dialect, words: Partial<Record<string, Kind>>): Classified =>
  is((Object.hasOwn(words, word) ? words[word] : undefined) ?? 'wrapper', dialect);

const OPENINFERENCE: Record<string, Kind> = { llm: 'call', embedding: 'call', agent: 'agent', tool: 'tool' };
const LANGFUSE: Record<string, Kind> = {
  generation: 'call',
  embedding: 'call',
  agent: 'agent',
  tool: 'tool',
};
const LANGSMITH: Record<string, Kind> = { llm: 'call', embedding: 'call', tool: 'tool' };
const CLAUDE_SPANS: Record<string, Kind> = {
  'claude_code.llm_request': 'call',
  'claude_code.tool': 'tool',
  'claude_code.interaction': 'agent',
};
const TRACELOOP: Record<string, Kind> = { workflow: 'agent', agent: 'agent', tool: 'tool' };
const LLM_REQUEST = new Set(['chat', 'completion', 'embedding']);

function byOperation(operation: string, dialect: Dialect): Classified {
  if (CALLS.has(operation)) return is('call', dialect);
  if (AGENTS.has(operation)) return is('agent', dialect);
  return is(operation === 'execute_tool' ? 'tool' : 'wrapper', dialect);
}

function byOperationId(id: string): Classified {
  if (/\.do[A-Z]\w*$/.test(id)) return is('call', 'ai-sdk');
  return is(id === 'ai.toolCall' ? 'tool' : 'wrapper', 'ai-sdk');
}

function ofLiteLlm({ name, attributes }: OtlpRecord): Classified {
  if (name === 'litellm_request') return is('call', 'litellm');
  if (name === 'raw_gen_ai_request') return is('wrapper', 'litellm');
  const operation = lower(attributes['gen_ai.operation.name']);
  return CALLS.has(operation) || /^a?(completion|responses|embedding)s?$/.test(operation)
    ? is('call', 'litellm')
    : FOREIGN;
}

/** Instrumentations of models: a call of theirs that failed early may have nothing but its name. */
const INSTRUMENTS = /gen_?ai|llm|openlit|openai|anthropic|bedrock|vertex|mistral|cohere|ollama|groq/i;

function byName({ name, origin, failed }: OtlpRecord): Classified {
  const operation = name.split(' ', 1)[0] as string;
  const isCall = failed && CALLS.has(operation) && name !== operation && INSTRUMENTS.test(origin.scope);
  return isCall ? is('call', 'semconv') : FOREIGN;
}

function ofOpenInference(record: OtlpRecord, kind: string): Classified {
  if (record.name.endsWith('_prepare_chat_with_tools')) return is('wrapper', 'openinference');
  return byWord(kind, 'openinference', OPENINFERENCE);
}

const dialectOf = (scope: string): Dialect =>
  scope.startsWith('com.anthropic.sdk.') ? 'anthropic-sdk' : 'semconv';

/** Marks that only one library sets. */
function byMarker(record: OtlpRecord): Classified | null {
  const { attributes, name, origin } = record;
  if (name.startsWith('claude_code.')) {
    const kind = CLAUDE_SPANS[name];
    return is(kind ?? 'wrapper', 'claude-code');
  }
  const ofOi = lower(attributes['openinference.span.kind']);
  if (ofOi) return ofOpenInference(record, ofOi);
  if (typeof attributes['ai.operationId'] === 'string') return byOperationId(attributes['ai.operationId']);
  const observed = lower(attributes['langfuse.observation.type']);
  if (observed) return byWord(observed, 'langfuse', LANGFUSE);
  const smith = lower(attributes['langsmith.span.kind']);
  if (smith) return byWord(smith, 'langsmith', LANGSMITH);
  return origin.scope === 'litellm' ? ofLiteLlm(record) : null;
}

function ofSpan(record: OtlpRecord): Classified {
  const { attributes, origin } = record;
  const marked = byMarker(record);
  if (marked) return marked;
  const operation = lower(attributes['gen_ai.operation.name']);
  if (operation) return byOperation(operation, dialectOf(origin.scope));
  if (LLM_REQUEST.has(lower(attributes['llm.request.type']))) return is('call', 'semconv');
  const traceloop = lower(attributes['traceloop.span.kind']);
  if (traceloop) return byWord(traceloop, 'semconv', TRACELOOP);
  return byName(record);
}

/** What a log record is called, without the name of the program before it. */
export const eventNameOf = ({ attributes, name }: OtlpRecord): string => {
  const said = attributes['event.name'];
  return typeof said === 'string' && said !== '' ? said : name;
};

const DETAILS = 'gen_ai.client.inference.operation.details';

const isGeminiCli = ({ origin }: OtlpRecord): boolean =>
  origin.scope === 'gemini-cli' || origin.resource['service.name'] === 'gemini-cli';

/** Whether a record of details is of an answer: others are of the request. */
const saysSomething = ({ attributes }: OtlpRecord): boolean =>
  attributes['gen_ai.response.id'] !== undefined ||
  attributes['gen_ai.usage.input_tokens'] !== undefined ||
  attributes['error.type'] !== undefined;

const CALLING_LOGS: Record<string, Dialect> = {
  'claude_code.api_request': 'claude-code',
  'claude_code.api_error': 'claude-code',
  'gemini_cli.api_response': 'gemini-cli',
  'gemini_cli.api_error': 'gemini-cli',
};

function ofLog(record: OtlpRecord): Classified {
  const name = eventNameOf(record);
  const ofClaude = record.origin.scope.startsWith('com.anthropic.claude_code') ? `claude_code.${name}` : name;
  const dialect = CALLING_LOGS[name] ?? CALLING_LOGS[ofClaude];
  if (dialect) return is('call', dialect);
  if (name === 'codex.sse_event')
    return record.attributes['event.kind'] === 'response.completed' ? is('call', 'codex') : FOREIGN;
  // Of this agent they repeat its own records, with less.
  if (name === DETAILS && !isGeminiCli(record) && saysSomething(record)) return is('call', 'semconv');
  return FOREIGN;
}

/** What a record is. */
export const classify = (record: OtlpRecord): Classified =>
  record.signal === 'span' ? ofSpan(record) : ofLog(record);
