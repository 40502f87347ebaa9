/** The tools that an answer asks for, with what they are asked: step 4 of docs/fingerprints.md. */
import { at, list, membersOf, text } from '../json.ts';

/** A tool asked for; its arguments as a value, or as a text where what came is no JSON. */
export type ToolCall = readonly [name: string, args: unknown];

/** A call, or more of one: a stream sends the arguments in pieces, under the place at which the call began. */
interface Piece {
  place: string;
  /** Tells calls at one place apart. */
  id?: string | null;
  /** Where a call begins. */
  name?: unknown;
  /** A value, or (a part of) its JSON text. */
  args: unknown;
}

const pieceOfChat = (call: unknown, place: string): Piece => ({
  place,
  id: text(at(call, 'id')),
  name: at(call, 'function', 'name'),
  args: at(call, 'function', 'arguments'),
});

/** OpenAI's chat and all who speak it; messages of Cohere and Ollama have the same calls. */
function inChat(part: unknown): Piece[] {
  const { choices, message } = membersOf(part);
  const messages = list(choices).map((choice) => membersOf(choice).delta ?? membersOf(choice).message);
  const pieces: Piece[] = [];
  [...messages, message].forEach((each, choice) => {
    list(membersOf(each).tool_calls).forEach((call, position) => {
      pieces.push(pieceOfChat(call, `chat ${choice} ${String(at(call, 'index') ?? position)}`));
    });
  });
  return pieces;
}

/** Streams of Cohere: one call in each event. */
function inCohere(part: unknown): Piece[] {
  const call = at(part, 'delta', 'message', 'tool_calls');
  return typeof call === 'object' && call !== null && !Array.isArray(call)
    ? [pieceOfChat(call, `cohere ${String(at(part, 'index'))}`)]
    : [];
}

/** Cohere's first version: whole calls beside the text, in a stream once as they are made and once more at its end. */
function inCohereFirst(part: unknown): Piece[] {
  const { tool_calls, response } = membersOf(part);
  return list(tool_calls ?? membersOf(response).tool_calls).map((call, position) => ({
    place: `cohere first ${position}`,
    name: at(call, 'name'),
    args: at(call, 'parameters') ?? {},
  }));
}

/** OpenAI's responses: whole items, in a stream when each is done. */
function inResponses(part: unknown): Piece[] {
  const done = at(part, 'type') === 'response.output_item.done' ? [at(part, 'item')] : [];
  return [...list(at(part, 'output')), ...done]
    .filter((item) => /^(function|custom_tool)_call$/.test(text(at(item, 'type')) ?? ''))
    .map((item) => ({
      place: `item ${text(at(item, 'call_id')) ?? ''}`,
      name: at(item, 'name'),
      args: at(item, 'arguments') ?? at(item, 'input'),
    }));
}

/** Anthropic's messages: whole blocks, or one that begins and the pieces of its input. */
function inAnthropic(part: unknown): Piece[] {
  const whole = list(at(part, 'content')).map((block, position) => ({
    block,
    place: `content ${position}`,
    args: at(block, 'input'),
  }));
  const place = `block ${String(at(part, 'index'))}`;
  const begun = { block: at(part, 'content_block'), place, args: '' };
  const more = at(part, 'delta', 'partial_json');
  return [
    ...[...whole, begun]
      .filter(({ block }) => at(block, 'type') === 'tool_use')
      .map(({ block, ...piece }) => ({ ...piece, name: at(block, 'name') })),
    ...(typeof more === 'string' ? [{ place, args: more }] : []),
  ];
}

/** Gemini: whole calls, in whichever chunk they come. */
function inGemini(part: unknown, chunk: number): Piece[] {
  const blocks = list(at(part, 'candidates')).flatMap((candidate) => list(at(candidate, 'content', 'parts')));
  return blocks
    .map((block) => at(block, 'functionCall'))
    .filter((call) => call !== undefined)
    .map((call, position) => ({
      place: `gemini ${chunk} ${position}`,
      name: at(call, 'name'),
      args: at(call, 'args') ?? {},
    }));
}

/** Bedrock's Converse: whole blocks, or one that begins and the pieces of its input. */
function inConverse(part: unknown): Piece[] {
  const whole = list(at(part, 'output', 'message', 'content')).map((block, position) => {
    const call = at(block, 'toolUse');
    return { place: `converse ${position}`, name: at(call, 'name'), args: at(call, 'input') };
  });
  const start = objectOf(part, 'contentBlockStart', 'start');
  const delta = objectOf(part, 'contentBlockDelta', 'delta');
  const pieces: Piece[] = [
    ...whole,
    { place: placeOf(start.event), name: at(start.value, 'toolUse', 'name'), args: '' },
    { place: placeOf(delta.event), args: at(delta.value, 'toolUse', 'input') },
  ];
  return pieces.filter(({ name, args }) => name !== undefined || typeof args === 'string');
}

const placeOf = (event: unknown) => `stream ${String(at(event, 'contentBlockIndex'))}`;

/** An event of Converse's streams: the part itself, or wrapped under its name. */
function objectOf(part: unknown, wrapper: string, name: string): { event: unknown; value: unknown } {
  const event = at(part, wrapper) ?? part;
  return { event, value: at(event, name) };
}

type Members = ReturnType<typeof membersOf>;

const isAny = (...members: unknown[]): boolean => members.some((member) => member !== undefined);

/** Each with what shows that a part may have that form: most pieces of a stream are read in one. */
const FORMS: readonly (readonly [(part: Members) => boolean, (part: unknown, chunk: number) => Piece[]])[] = [
  [({ choices, message }) => isAny(choices, message), inChat],
  [({ delta }) => isAny(delta), inCohere],
  [({ tool_calls, response }) => isAny(tool_calls, response), inCohereFirst],
  [({ output, item }) => isAny(output, item), inResponses],
  [({ content, content_block, delta }) => isAny(content, content_block, delta), inAnthropic],
  [({ candidates }) => isAny(candidates), inGemini],
  [
    ({ output, start, delta, contentBlockStart, contentBlockDelta }) =>
      isAny(output, start, delta, contentBlockStart, contentBlockDelta),
    inConverse,
  ],
];

function piecesOf(parts: readonly unknown[]): Piece[] {
  const pieces: Piece[] = [];
  parts.forEach((part, chunk) => {
    const members = membersOf(part);
    for (const [mayBe, piecesIn] of FORMS) if (mayBe(members)) pieces.push(...piecesIn(part, chunk));
  });
  return pieces;
}

/** A value from its JSON text; nothing at all is an empty object, what is no JSON stays a text. */
function argsOf(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {};
  if (args.trim() === '') return {};
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

/** The calls of tools in an answer, `parts` as they came, in the order in which they began. */
export function toolCallsOf(parts: readonly unknown[]): ToolCall[] {
  const calls = new Map<string, { name: string; args: unknown }>();
  const open = new Map<string, string>();
  for (const { place, id, name, args } of piecesOf(parts)) {
    const named = text(name);
    const key = id == null ? (open.get(place) ?? place) : `${place} ${id}`;
    const known = calls.get(key);
    if (known !== undefined && typeof known.args === 'string' && typeof args === 'string') known.args += args;
    else if (known === undefined && named !== null) calls.set(key, { name: named, args });
    open.set(place, key);
  }
  return [...calls.values()].map(({ name, args }) => [name, argsOf(args)]);
}
