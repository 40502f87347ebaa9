/** Parts a file of SQL into its statements: a cluster takes some kinds of DDL only as a message of their own. */

const TOKEN =
  /(?<space>\s+|--[^\n]*)|(?<comment>\/\*)|e'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>(?:[a-z_\x80-\uffff][\w\x80-\uffff]*)?)\$[\s\S]*?\$\k<tag>\$|(?<open>['"])|(?<word>[\w\x80-\uffff][\w$\x80-\uffff]*)|[\s\S]/iy;

/** Where the comment that begins at `start` ends; comments may stand in comments. */
function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (const mark of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return start + mark.index + 2;
  }
  throw new Error('a comment does not end');
}

/** The pieces of SQL that mean something, with where they stand: words in lower case, other signs, quoted text as ''. */
function* tokensOf(sql: string): Generator<{ at: number; end: number; token: string }> {
  for (let at = 0; at < sql.length; ) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(sql);
    const { space, comment, open, word } = found?.groups ?? {};
    if (open) throw new Error(`a quotation that begins with ${open} does not end`);
    const length = found?.[0].length ?? 1;
    const end = comment ? endOfComment(sql, at) : at + length;
    if (!space && !comment)
      yield { at, end, token: word?.toLowerCase() ?? (length === 1 ? sql.charAt(at) : '') };
    at = end;
  }
}

/** Whether a semicolon ends a statement: not in parentheses, nor in the body of a function. */
class Nesting {
  #parentheses = 0;
  /** Inside `BEGIN ATOMIC … END`, the body of a function, with the CASEs that are open in it. */
  #body = 0;
  #before = '';

  get isOpen(): boolean {
    return this.#parentheses !== 0 || this.#body !== 0;
  }

  add(token: string): void {
    const beginsBody = token === 'atomic' && this.#before === 'begin';
    if (token === '(') this.#parentheses += 1;
    if (token === ')') this.#parentheses -= 1;
    if (beginsBody || (token === 'case' && this.#body > 0)) this.#body += 1;
    if (token === 'end' && this.#body > 0) this.#body -= 1;
    this.#before = token;
  }
}

/** The statements of a text without their semicolons, in order. Throws when a quotation or comment does not end. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  const nesting = new Nesting();
  let start: number | null = null;
  let last = 0;
  for (const { at, end, token } of tokensOf(sql)) {
    if (token === ';' && !nesting.isOpen) {
      if (start !== null) statements.push(sql.slice(start, last));
      start = null;
    } else {
      start ??= at;
      last = end;
    }
    nesting.add(token);
  }
  if (start !== null) statements.push(sql.slice(start, last));
  return statements;
}
