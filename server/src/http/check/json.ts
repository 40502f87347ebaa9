/** From the bytes of a body to a JSON value, with the answers of FastAPI where they are none. */
import { type Fault, Refusal, toFault } from './faults.ts';
import { findJsonFault } from './json-fault.ts';

/** Deeper bodies are not explained: 400 instead of 422. */
const MAX_NESTING = 1000;

export type ParsedJson =
  /** `plainText`: the text holds no `\u` escape, so neither NUL nor lone surrogates can occur in the value. */
  | { ok: true; value: unknown; text: string; plainText: boolean }
  | { ok: false; status: 422; faults: Fault[] }
  /** Not UTF-8, or broken and nested absurdly deep; the body of the answer is a fixed sentence. */
  | { ok: false; status: 400 };

// Skips a byte-order mark, as Python does.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of the bytes; null when they are not UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = decode(bytes);
  if (text === null) return { ok: false, status: 400 };
  try {
    return { ok: true, value: JSON.parse(text), text, plainText: !text.includes('\\u') };
  } catch {
    const found = findJsonFault(text, MAX_NESTING);
    if (found === 'too deep') return { ok: false, status: 400 };
    const refusal = new Refusal('json_invalid', { error: found.error });
    return { ok: false, status: 422, faults: [toFault(refusal, ['body', found.position], {})] };
  }
}

/** The answer to a request without a body where one is needed. */
export const missingBody = (): Fault[] => [toFault(new Refusal('missing'), ['body'], null)];
