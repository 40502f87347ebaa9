/**
 * Streams of OpenAI's chat say their counts only where they are asked for them, in a piece of its own. It is asked for on the
 * caller's behalf, and the piece is taken out again of what the caller gets.
 */
import { at, list } from '../json.ts';
import type { SeenRequest } from './seen-request.ts';

/** What a caller says about its stream besides; within a text of the request its quotes have strokes before them. */
const STREAM_OPTIONS = /"stream_options"\s*:\s*(null|\{[^{}]*\})/g;

/** Who says counts in any case: callers rely on the piece. */
const SAYS_ANYWAY = /^https:\/\/(openrouter\.ai|api\.mistral\.ai)\//;

/**
 * The body that asks; null where the caller asks itself, or there is nothing to ask. `insists`: also of callers who ask for something
 * else.
 */
export function bodyThatAsks(request: SeenRequest, insists = false): string | null {
  const { body, uri } = request;
  const isChat = /\/completions(\?|$)/.test(uri);
  if (!isChat || SAYS_ANYWAY.test(uri) || body === null || !/"stream"\s*:\s*true/.test(body)) return null;
  const { stream, stream_options } = (request.request ?? {}) as Record<string, unknown>;
  if (stream !== true || at(stream_options, 'include_usage') === true) return null;
  if (stream_options === undefined) return body.replace('{', '{"stream_options":{"include_usage":true},');
  if (!insists) return null;
  const options = JSON.stringify({ ...(stream_options as object | null), include_usage: true });
  // Should another object have one as well, it is not for us to say which is which.
  return body.match(STREAM_OPTIONS)?.length === 1
    ? body.replace(STREAM_OPTIONS, () => `"stream_options":${options}`)
    : null;
}

/** Whether an event of the stream is the one with the counts, and nothing else. */
function isCounts(event: string): boolean {
  if (!event.includes('"usage"') || !/"choices"\s*:\s*\[\s*\]/.test(event)) return false;
  try {
    const data = JSON.parse(event.replace(/^[\s\S]*?data:/, '')) as unknown;
    return list(at(data, 'choices')).length === 0 && typeof (at(data, 'usage') ?? 0) === 'object';
  } catch {
    return false;
  }
}

const BOUNDARY = /(?<=\r\n\r\n|\n\n|\r\r)/;
const ENDS_AN_EVENT = /(\r\n\r\n|\n\n|\r\r)$/;

/** A piece is mostly one event, which is found quicker than by the pattern. */
const eventsIn = (text: string): string[] =>
  text.indexOf('\n\n') === text.length - 2 && !text.includes('\r') ? [text] : text.split(BOUNDARY);

/** Beside the piece itself, every other one says that it has no counts. No text of an answer has a quote without a backslash. */
const asUnasked = (event: string): string => event.replace(/,\s*"usage"\s*:\s*null(?=\s*[,}])/, '');

/** Takes the counts out of a stream; whole events pass as they come. */
export class CountsOut {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  #rest = '';
  /** Whether the decoder keeps the beginning of a character. */
  #isWithinCharacter = false;

  /** What of a piece passes on, and of what came before it; null where that is nothing. */
  pass(piece: Uint8Array): Uint8Array | null {
    const decoded = this.#decoder.decode(piece, { stream: true });
    const begunBefore = this.#rest !== '' || this.#isWithinCharacter;
    this.#isWithinCharacter = (piece.at(-1) ?? 0) >= 0x80;
    const text = this.#rest + decoded;
    const isWhole = ENDS_AN_EVENT.test(text.slice(-4));
    if (isWhole && !begunBefore && !this.#isWithinCharacter && !text.includes('"usage"')) return piece;
    const events = eventsIn(text);
    this.#rest = isWhole ? '' : (events.pop() ?? '');
    const passed = events
      .filter((event) => !isCounts(event))
      .map(asUnasked)
      .join('');
    return passed === '' ? null : this.#encoder.encode(passed);
  }

  /** What is there at the end without having ended itself. */
  rest(): Uint8Array | null {
    const passed = this.#rest + this.#decoder.decode();
    return passed === '' ? null : this.#encoder.encode(passed);
  }
}
