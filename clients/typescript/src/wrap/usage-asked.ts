/**
 * Streams of OpenAI's chat say their counts only where they are asked for them, in a piece of its own. It is asked for on the
 * caller's behalf, and the piece is taken out again of what the caller gets.
 */
import { at, list } from '../json.ts';
import type { SeenRequest } from './seen-request.ts';

/** The body that asks; null where the caller asks itself, or there is nothing to ask. */
export function bodyThatAsks(request: SeenRequest): string | null {
  const { body, uri } = request;
  const isChat = /\/chat\/completions(\?|$)/.test(uri);
  if (!isChat || body === null || !/"stream"\s*:\s*true/.test(body)) return null;
  const { stream, stream_options } = (request.request ?? {}) as Record<string, unknown>;
  if (stream !== true || at(stream_options, 'include_usage') === true) return null;
  if (stream_options !== undefined) return null;
  return body.replace('{', '{"stream_options":{"include_usage":true},');
}

/** Whether an event of the stream is the one with the counts, and nothing else. */
function isCounts(event: string): boolean {
  if (!event.includes('"usage"') || !/"choices"\s*:\s*\[\s*\]/.test(event)) return false;
  try {
    const data = JSON.parse(event.replace(/^[\s\S]*?data:/, '')) as unknown;
    return list(at(data, 'choices')).length === 0 && typeof at(data, 'usage') === 'object';
  } catch {
    return false;
  }
}

const BOUNDARY = /(?<=\r\n\r\n|\n\n|\r\r)/;

/** Beside the piece itself, every other one says that it has no counts. No text of an answer has a quote without a backslash. */
const asUnasked = (event: string): string => event.replace(/,\s*"usage"\s*:\s*null(?=\s*[,}])/, '');

/** Takes the counts out of a stream; whole events pass as they come. */
export function withoutCounts(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(piece, controller) {
        const events = (rest + decoder.decode(piece, { stream: true })).split(BOUNDARY);
        const last = events.at(-1) ?? '';
        rest = /(\r\n\r\n|\n\n|\r\r)$/.test(last) ? '' : (events.pop() ?? '');
        const passed = events
          .filter((event) => !isCounts(event))
          .map(asUnasked)
          .join('');
        if (passed !== '') controller.enqueue(encoder.encode(passed));
      },
      flush(controller) {
        const passed = rest + decoder.decode();
        if (passed !== '') controller.enqueue(encoder.encode(passed));
      },
    },
    undefined,
    { highWaterMark: 0 },
  );
}
