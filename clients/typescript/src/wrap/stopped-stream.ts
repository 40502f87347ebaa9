/** How a stream that is stopped on its way ends: with an error as the provider itself would send it, which its client throws. */
/** The message and code that the caller receives. */
export interface Reason {
  message: string;
  code: string;
}

const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** By the address, each provider's own; OpenAI's for all who speak as it does. */
const FORMS: readonly (readonly [RegExp, (message: string, code: string) => string])[] = [
  [/\/messages$/, (message) => sse({ type: 'error', error: { type: 'billing_error', message } }, 'error')],
  [
    /:streamGenerateContent$/i,
    (message) => sse({ error: { code: 400, message, status: 'FAILED_PRECONDITION' } }),
  ],
  [
    /\/responses$/,
    // Once more in `error`, where the sixth major of its library looks; without a number the AI SDK takes it for nothing.
    (message, code) =>
      sse(
        {
          type: 'error',
          sequence_number: 0,
          code,
          message,
          param: null,
          error: { message, type: 'error', code, param: null },
        },
        'error',
      ),
  ],
];

const openAi = (message: string, code: string) =>
  sse({ error: { message, type: 'invalid_request_error', param: null, code } });

/** The last words of a stream of server-sent events. */
function lastWords(uri: string, { message, code }: Reason): Uint8Array {
  const path = uri.replace(/[?#].*$/, '');
  const form = FORMS.find(([pattern]) => pattern.test(path))?.[1] ?? openAi;
  // An event that was cut in its middle ends first.
  return new TextEncoder().encode(`\n\n${form(message, code)}`);
}

/** The same for lines of JSON, as Ollama says it. */
const lastLine = ({ message }: Reason): Uint8Array =>
  new TextEncoder().encode(`\n${JSON.stringify({ error: message })}\n`);

const CRC = Uint32Array.from({ length: 256 }, (_value, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ (CRC[(rest ^ byte) & 0xff] as number);
  return (rest ^ 0xffffffff) >>> 0;
}

function header(name: string, value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [
    name.length,
    ...new TextEncoder().encode(name),
    7,
    bytes.length >> 8,
    bytes.length & 0xff,
    ...bytes,
  ];
}

/** The same for an AWS event stream, whose frames are binary: an exception. */
function lastFrame({ message }: Reason): Uint8Array {
  const headers = [
    ...header(':exception-type', 'validationException'),
    ...header(':content-type', 'application/json'),
    ...header(':message-type', 'exception'),
  ];
  const payload = new TextEncoder().encode(JSON.stringify({ message }));
  const frame = new Uint8Array(16 + headers.length + payload.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, frame.length);
  view.setUint32(4, headers.length);
  view.setUint32(8, crc32(frame.subarray(0, 8)));
  frame.set(headers, 12);
  frame.set(payload, 12 + headers.length);
  view.setUint32(frame.length - 4, crc32(frame.subarray(0, -4)));
  return frame;
}

/** Server-sent events, Amazon's frames, lines of JSON. */
const STREAM = /event-?stream|ndjson|jsonl|stream\+json/i;

export const isStream = (contentType: string): boolean => STREAM.test(contentType);

/** What a stream of this type, of an answer from this address, is ended with. */
export function lastBytes(contentType: string, uri: string, reason: Reason): Uint8Array {
  if (/eventstream/i.test(contentType)) return lastFrame(reason);
  return /event-stream/i.test(contentType) ? lastWords(uri, reason) : lastLine(reason);
}
