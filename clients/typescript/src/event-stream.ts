import { at, parseJson, text } from './json.ts';

/** Index of the quote that closes the string opened at `start`; that of the end where none does. */
function endOfString(body: string, start: number): number {
  for (let i = start + 1; i < body.length; i++) {
    if (body[i] === '\\') i++;
    else if (body[i] === '"') return i;
  }
  return body.length;
}

/** Index after the object that opens at `start`, or -1 where it never closes. */
function endOfObject(body: string, start: number): number {
  let depth = 0;
  for (let i = start; i < body.length; i++) {
    const char = body[i];
    if (char === '"') i = endOfString(body, i);
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i + 1;
  }
  return -1;
}

function parse(json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    return undefined;
  }
}

/**
 * Every JSON object that stands in the text, whatever stands between them.
 * Reads AWS event streams (binary frames around JSON) even where decoding as text broke the frame lengths, and
 * arrays that were cut off.
 */
export function embeddedObjects(body: string): unknown[] {
  const found: unknown[] = [];
  let start = body.indexOf('{');
  while (start >= 0) {
    const end = endOfObject(body, start);
    const value = end < 0 ? undefined : parse(body.slice(start, end));
    if (value !== undefined) found.push(value);
    start = body.indexOf('{', value === undefined ? start + 1 : end);
  }
  return found;
}

/** Whether the text is an AWS event stream (`application/vnd.amazon.eventstream`). */
export function isEventStream(body: string, contentType: string): boolean {
  return contentType.includes('vnd.amazon.eventstream') || body.includes(':event-type');
}

/** The text that base64 stands for, '' where it is none. */
function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return '';
  }
}

/**
 * The events of a Bedrock stream. `InvokeModelWithResponseStream` wraps the model's own chunk in base64 (`bytes`).
 * An exception names itself in a frame header only, so it is added as `{error: {type}}`.
 */
export function eventStreamParts(body: string): unknown[] {
  const parts = embeddedObjects(body).map((event) => {
    const bytes = text(at(event, 'bytes'));
    return bytes === null ? event : (parse(decoded(bytes)) ?? event);
  });
  const exception = /:exception-type[^\w]{1,4}(\w+)/.exec(body)?.[1];
  return exception === undefined ? parts : [...parts, { error: { type: exception } }];
}
