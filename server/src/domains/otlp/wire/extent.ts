/** How much JSON may hold, looked at before anything is made of it. What stands in texts is none of it. */
import { TooMuch, Unreadable } from './record.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Values of all kinds, as many as the kit allows in any JSON: more cost many times what as many bytes of ordinary data do. */
const MAX_VALUES = 400_000;
/** Levels in each other, as many as the kit allows. */
const MAX_NESTING = 1_000;

/** Where the text that begins at `start` ends. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** What there is too much of; null when all is within reason. */
function excessOf(bytes: Uint8Array, mostValues: number): 'values' | 'nesting' | null {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case COMMA:
      case COLON:
        values += 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
    }
    if (values > mostValues) return 'values';
    if (depth > MAX_NESTING) return 'nesting';
  }
  return null;
}

/** Throws for more values than a request may hold, and for what nests beyond reason. */
export function checkExtent(bytes: Uint8Array): void {
  const excess = excessOf(bytes, MAX_VALUES);
  if (excess === 'values') throw new TooMuch('values');
  if (excess === 'nesting') throw new Unreadable('nesting');
}

/** Characters: of shorter texts anything may be made. */
const ANY_TEXT = 16_384;
/** Ordinary messages take many times as many characters for each of their values. */
const CHARACTERS_PER_VALUE = 12;

/** Whether values may be made of a text in an attribute, which has a form of its own. */
export const isWithinReason = (text: string): boolean =>
  text.length <= ANY_TEXT || excessOf(Buffer.from(text), text.length / CHARACTERS_PER_VALUE) === null;
