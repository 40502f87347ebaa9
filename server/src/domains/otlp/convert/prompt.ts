/** Prompts and answers in the forms of the libraries, made such as the recipe of fingerprints reads. Nothing of them is kept. */
import { type Prints, printsOf } from '#client/prints/prints.ts';
import type { KeyedPrints } from '#client/prints/sim-hash.ts';
import { toolCallsOf } from '#client/prints/tool-calls.ts';
import type { OtlpRecord } from '../wire/record.ts';
import { at, isObject, parsed } from './read.ts';

const ASKED = [
  'gen_ai.input.messages',
  'ai.prompt.messages',
  'input.value',
  'gen_ai.prompt',
  'langfuse.observation.input',
];
const ANSWERED = [
  'gen_ai.output.messages',
  'output.value',
  'gen_ai.completion',
  'langfuse.observation.output',
];

const ROLES: Record<string, string> = { human: 'user', ai: 'assistant' };

/** A block of a message, as providers have it. */
function blockOf(part: unknown): unknown {
  const type = at(part, 'type');
  if (type === 'text' && typeof at(part, 'content') === 'string') return { text: at(part, 'content') };
  if (type === 'tool_call_response')
    return {
      type: 'tool_result',
      content: at(part, 'result') ?? at(part, 'response') ?? at(part, 'content'),
    };
  if (type === 'tool-result')
    return {
      type: 'tool_result',
      content: at(part, 'output', 'value') ?? at(part, 'output') ?? at(part, 'result'),
    };
  return part;
}

/** A message: that of LangChain stands in `kwargs`, that of OpenTelemetry has `parts`. */
function messageOf(message: unknown): unknown {
  if (!isObject(message)) return message;
  const kwargs = message.kwargs;
  if (isObject(kwargs)) {
    const type = String(kwargs.type ?? '');
    return { ...kwargs, role: ROLES[type] ?? type };
  }
  const said = message.parts ?? message.content;
  return Array.isArray(said) ? { ...message, parts: undefined, content: said.map(blockOf) } : message;
}

/** LangChain asks with a list of lists. */
const messagesOf = (list: unknown[]): unknown[] => (Array.isArray(list[0]) ? list[0] : list).map(messageOf);

function requestOf(value: unknown): unknown {
  if (Array.isArray(value)) return { messages: messagesOf(value) };
  if (isObject(value) && Array.isArray(value.messages))
    return { ...value, messages: messagesOf(value.messages) };
  return value;
}

/** Calls of tools in the form of OpenAI. */
const called = (name: unknown, args: unknown) => ({ function: { name, arguments: args ?? {} } });

/** A message that a model wrote, as the part of an answer. */
function answerOf(message: unknown): unknown {
  const unpacked = isObject(message) && isObject(message.kwargs) ? message.kwargs : message;
  const parts = at(unpacked, 'parts');
  if (Array.isArray(parts)) {
    const calls = parts.filter((part) => at(part, 'type') === 'tool_call');
    return { message: { tool_calls: calls.map((call) => called(at(call, 'name'), at(call, 'arguments'))) } };
  }
  const calls = at(unpacked, 'tool_calls');
  if (!Array.isArray(calls)) return unpacked;
  const asOpenAi = calls.map((call) =>
    at(call, 'function') === undefined
      ? called(at(call, 'name'), at(call, 'args') ?? at(call, 'arguments'))
      : call,
  );
  return { message: { tool_calls: asOpenAi } };
}

/** The parts of an answer. */
function partsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.map(answerOf);
  const generations = at(value, 'generations');
  if (Array.isArray(generations)) return generations.flat().map((each) => answerOf(at(each, 'message')));
  const isAnswer =
    isObject(value) &&
    (value.choices !== undefined || value.type === 'message' || value.object !== undefined);
  return [isAnswer ? value : answerOf(value)];
}

/** A text in JSON, as Python shows it, or as it is. */
function contentIn(record: OtlpRecord, names: readonly string[]): unknown {
  for (const name of names) {
    const value = record.attributes[name];
    if (value === undefined) continue;
    const read = parsed(value);
    if (read !== undefined && read !== null) return read;
    if (typeof value === 'string') return { prompt: value };
  }
  return undefined;
}

/** Events that are messages: an older way to write them down. */
function askedInEvents({ events }: OtlpRecord): unknown {
  const messages = events.flatMap(({ name, attributes }) => {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    return role === undefined
      ? []
      : [{ role, content: parsed(attributes.content) ?? attributes.content ?? '' }];
  });
  return messages.length > 0 ? { messages } : undefined;
}

function answeredInEvents({ events }: OtlpRecord): unknown[] {
  return events
    .filter(({ name }) => name === 'gen_ai.choice')
    .map(({ attributes }) => ({ output: { message: { content: parsed(attributes.message) } } }));
}

function toolsOfAiSdk({ attributes }: OtlpRecord): unknown[] {
  const calls = parsed(attributes['ai.response.toolCalls']);
  if (!Array.isArray(calls)) return [];
  const tools = calls.map((call) => called(at(call, 'toolName'), at(call, 'args') ?? at(call, 'input')));
  return [{ message: { tool_calls: tools } }];
}

/** What is kept of prompt and answer: prints under the Mandant's key, and how many tools were asked for. */
export interface OfContent extends Prints {
  werkzeuge: number | null;
}

const NOTHING: OfContent = { prompt_fingerabdruck: null, werkzeug_fingerabdruck: null, werkzeuge: null };

/** Without a key no prints are made. */
export function readContent(record: OtlpRecord, keyed: KeyedPrints | null): OfContent {
  try {
    const request = requestOf(contentIn(record, ASKED) ?? askedInEvents(record));
    const answered = contentIn(record, ANSWERED);
    const parts = [
      ...(answered === undefined ? [] : partsOf(answered)),
      ...answeredInEvents(record),
      ...toolsOfAiSdk(record),
    ];
    const werkzeuge = parts.length > 0 ? toolCallsOf(parts).length : null;
    return keyed === null
      ? { ...NOTHING, werkzeuge }
      : {
          ...(request === undefined
            ? { ...NOTHING, ...printsOf({}, parts, keyed) }
            : printsOf(request, parts, keyed)),
          werkzeuge,
        };
  } catch {
    // Nested too deeply to be read: the call counts all the same.
    return NOTHING;
  }
}
