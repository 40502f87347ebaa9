/** Traces as OpenAI's Agents SDK sends them to `…/traces/ingest`: no OTLP, but spans of the same kind. */
import { at, isObject } from '../convert/read.ts';
import { type Attributes, LIMITS, type OtlpRecord, TooMuch, Unreadable, type Value } from './record.ts';

type Json = Record<string, unknown>;

const SCOPE = 'openai-agents';

/** `trace_…` and `span_…` are hex behind their names. */
function idOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const id = value.replace(/^(trace|span)_/, '').toLowerCase();
  return /^[0-9a-z-]{1,64}$/.test(id) ? id : null;
}

const timeOf = (value: unknown): number => {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(milliseconds) && milliseconds >= 0 ? 1_000 * milliseconds : 0;
};

/** Counts under the names of the convention; those of the turn around it where the call lacks them. */
function usageOf(usage: unknown, turn: unknown): Attributes {
  const isOfTurn =
    at(turn, 'input_tokens') === at(usage, 'input_tokens') &&
    at(turn, 'output_tokens') === at(usage, 'output_tokens');
  const read =
    at(usage, 'input_tokens_details', 'cached_tokens') ??
    (isOfTurn ? at(turn, 'cached_input_tokens') : undefined);
  const written =
    at(usage, 'input_tokens_details', 'cache_write_tokens') ??
    (isOfTurn ? at(turn, 'cache_write_input_tokens') : undefined);
  return {
    'gen_ai.usage.input_tokens': at(usage, 'input_tokens') as Value,
    'gen_ai.usage.output_tokens': at(usage, 'output_tokens') as Value,
    'gen_ai.usage.cache_read.input_tokens': read as Value,
    'gen_ai.usage.cache_creation.input_tokens': written as Value,
    'gen_ai.usage.reasoning.output_tokens': at(usage, 'output_tokens_details', 'reasoning_tokens') as Value,
  };
}

const textOf = (value: unknown): Value => (typeof value === 'string' ? value : null);
const jsonOf = (value: unknown): Value =>
  value === undefined || value === null ? null : JSON.stringify(value);

/** What each kind of span says. Turns and tasks repeat what their calls say. */
function attributesOf(data: Json, turn: unknown): Attributes {
  if (data.type === 'agent')
    return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': textOf(data.name) };
  if (data.type === 'function') return { 'gen_ai.operation.name': 'execute_tool' };
  if (data.type !== 'response' && data.type !== 'generation') return {};
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.response.id': textOf(data.response_id),
    'gen_ai.request.model': textOf(data.model),
    'gen_ai.input.messages': jsonOf(data.input),
    'gen_ai.output.messages': jsonOf(data.output),
    ...usageOf(data.usage, turn),
  };
}

function errorOf(error: unknown): Attributes {
  const status = at(error, 'data', 'status_code') ?? at(error, 'data', 'code');
  return isObject(error)
    ? { 'error.type': typeof status === 'number' || typeof status === 'string' ? status : 'error' }
    : {};
}

const origin = { resource: {}, scope: SCOPE, version: null };

/** The trace, as the span around all its spans. */
function traceOf(item: Json): OtlpRecord | null {
  const trace = idOf(item.id);
  if (trace === null) return null;
  const attributes = {
    'gen_ai.operation.name': 'invoke_workflow',
    'gen_ai.conversation.id': textOf(item.group_id),
    'traceloop.workflow.name': textOf(item.workflow_name),
    metadata: jsonOf(item.metadata),
  };
  return {
    signal: 'span',
    origin,
    trace,
    span: trace,
    parent: null,
    name: 'trace',
    begin: 0,
    end: 0,
    failed: false,
    attributes,
    events: [],
  };
}

function spanOf(item: Json, turns: ReadonlyMap<string, unknown>): OtlpRecord | null {
  const trace = idOf(item.trace_id);
  const data = isObject(item.span_data) ? item.span_data : {};
  const turn = typeof item.parent_id === 'string' ? turns.get(item.parent_id) : undefined;
  return {
    signal: 'span',
    origin,
    trace,
    span: idOf(item.id),
    parent: idOf(item.parent_id) ?? trace,
    name: typeof data.type === 'string' ? data.type : '',
    begin: timeOf(item.started_at),
    end: timeOf(item.ended_at),
    failed: isObject(item.error),
    attributes: { ...attributesOf(data, turn), ...errorOf(item.error) },
    events: [],
  };
}

/** Usage of turns that have one call, by the id of their span. */
function turnsOf(items: Json[]): Map<string, unknown> {
  const calls = new Map<unknown, number>();
  for (const { span_data, parent_id } of items)
    if (/^(generation|response)$/.test(String(at(span_data, 'type'))))
      calls.set(parent_id, (calls.get(parent_id) ?? 0) + 1);
  return new Map(
    items
      .filter(({ id, span_data }) => at(span_data, 'type') === 'custom' && calls.get(id) === 1)
      .map(({ id, span_data }) => [String(id), at(span_data, 'data', 'usage')]),
  );
}

/** The records of a request. */
export function readOpenAiAgents(body: unknown): OtlpRecord[] {
  const data = at(body, 'data');
  if (!Array.isArray(data) || !data.every(isObject)) throw new Unreadable('data');
  if (data.length > LIMITS.records) throw new TooMuch('records');
  const turns = turnsOf(data);
  return data.flatMap((item) => {
    const record =
      item.object === 'trace' ? traceOf(item) : item.object === 'trace.span' ? spanOf(item, turns) : null;
    return record === null ? [] : [record];
  });
}
