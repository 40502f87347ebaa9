/**
 * Finds what is wrong with a text that `JSON.parse` refused, in the words and at the position of Python's `json`
 * module (3.11). Iterative, so that no nesting overflows the stack.
 */

/** The position counts code points from 0. */
export interface JsonFault {
  error: string;
  position: number;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /true|false|null/y;
const HEX = /[0-9a-fA-F]{4}/y;

class Found extends Error {
  readonly at: number;

  constructor(error: string, at: number) {
    super(error);
    this.at = at;
  }
}

class Scanner {
  readonly text: string;
  at = 0;
  /** The closing bracket of every array and object that is open here. */
  readonly open: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Moves past what the sticky pattern matches here; false when it matches nothing. */
  skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  /** Moves past white space. */
  space(): void {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  /** Moves past anything but quotes, backslashes and control characters. */
  plain(): void {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22 || code === 0x5c || code < 0x20) return;
    }
  }

  get next(): string {
    return this.text.charAt(this.at);
  }

  expect(character: string, error: string): void {
    this.space();
    if (this.next !== character) throw new Found(error, this.at);
    this.at++;
    this.space();
  }

  string(): void {
    const start = this.at++;
    for (;;) {
      this.plain();
      if (this.at >= this.text.length) throw new Found('Unterminated string starting at', start);
      if (this.next === '"') break;
      if (this.next !== '\\') throw new Found('Invalid control character at', this.at);
      this.escape(start);
    }
    this.at++;
  }

  escape(start: number): void {
    const backslash = this.at++;
    if (this.at >= this.text.length) throw new Found('Unterminated string starting at', start);
    if (this.next === 'u') {
      this.at++;
      // Python wants at least one character more, the closing quote.
      if (this.at + 4 >= this.text.length || !this.skip(HEX)) {
        throw new Found('Invalid \\uXXXX escape', backslash + 1);
      }
    } else if ('"\\/bfnrt'.includes(this.next)) this.at++;
    else throw new Found('Invalid \\escape', backslash);
  }

  key(): void {
    if (this.next !== '"') throw new Found('Expecting property name enclosed in double quotes', this.at);
    this.string();
    this.expect(':', "Expecting ':' delimiter");
  }

  /** Takes a scalar or an opening bracket; true when a value is complete. */
  value(): boolean {
    const bracket = this.next;
    if (bracket === '{' || bracket === '[') {
      this.open.push(bracket === '{' ? '}' : ']');
      this.at++;
      this.space();
      if (this.next === this.open.at(-1)) return true;
      if (bracket === '{') this.key();
      return false;
    }
    if (bracket === '"') this.string();
    else if (!this.skip(NUMBER) && !this.skip(WORD)) throw new Found('Expecting value', this.at);
    return true;
  }

  /** After a complete value: closes what closes here, then moves to the next value. */
  following(): void {
    while (this.open.length > 0) {
      this.space();
      const closing = this.open.at(-1);
      if (this.next !== closing) {
        this.expect(',', "Expecting ',' delimiter");
        if (closing === '}') this.key();
        return;
      }
      this.at++;
      this.open.pop();
    }
  }
}

function scan(text: string, maxNesting: number): 'too deep' | null {
  const scanner = new Scanner(text);
  scanner.space();
  do {
    if (scanner.value()) scanner.following();
    if (scanner.open.length > maxNesting) return 'too deep';
  } while (scanner.open.length > 0);
  scanner.space();
  if (scanner.at < text.length) throw new Found('Extra data', scanner.at);
  return null;
}

/** The second halves of characters that take two code units. */
const LOW_SURROGATES = /[\udc00-\udfff]/g;

/** The fault, or `too deep` when more levels are open than allowed before it is reached. */
export function findJsonFault(text: string, maxNesting: number): JsonFault | 'too deep' {
  try {
    // Whatever else JSON.parse may refuse is no value.
    return scan(text, maxNesting) ?? { error: 'Expecting value', position: 0 };
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    return { error: error.message, position: text.slice(0, error.at).replaceAll(LOW_SURROGATES, '').length };
  }
}
