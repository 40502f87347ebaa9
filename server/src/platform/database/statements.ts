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

/** The statements of a text without their semicolons, in order. Throws when a quotation or comment does not end. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start: number | null = null;
  let last = 0;
  let parentheses = 0;
  /** Inside `BEGIN ATOMIC … END`, the body of a function, with the CASEs that are open in it. */
  let body = 0;
  let before = '';
  for (const { at, end, token } of tokensOf(sql)) {
    if (token === ';' && parentheses === 0 && body === 0) {
      if (start !== null) statements.push(sql.slice(start, last));
      start = null;
    } else {
      start ??= at;
      last = end;
    }
    if (token === '(') parentheses += 1;
    if (token === ')') parentheses -= 1;
    if ((token === 'atomic' && before === 'begin') || (token === 'case' && body > 0)) body += 1;
    if (token === 'end' && body > 0) body -= 1;
    before = token;
  }
  if (start !== null) statements.push(sql.slice(start, last));
  return statements;
}
