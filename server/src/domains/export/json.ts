/** JSON text of any length, made piece by piece. */

/** A piece of the JSON text of a row; `isNew` where a row begins. */
export interface Piece {
  isNew: boolean;
  text: string;
}

/** The rows as one JSON array, each on a line of its own. */
export async function* arrayOf(pages: AsyncIterable<Piece[]>): AsyncGenerator<string, void> {
  let before = '[\n';
  for await (const page of pages) {
    let written = '';
    for (const { isNew, text } of page) {
      written += isNew ? before + text : text;
      if (isNew) before = ',\n';
    }
    yield written;
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** Rows as JSON text, in the order of the columns; numbers of any size as they are. */
export async function* piecesOf<Name extends string>(
  columns: readonly Name[],
  isNumber: (name: Name) => boolean,
  pages: AsyncIterable<Partial<Record<Name, unknown>>[]>,
): AsyncGenerator<Piece[]> {
  for await (const page of pages)
    yield page.map((row) => {
      const fields = columns.map((name) => {
        const value = row[name] ?? null;
        return `"${name}":${isNumber(name) && value !== null ? value : JSON.stringify(value)}`;
      });
      return { isNew: true, text: `{${fields.join(',')}}` };
    });
}

/** One value as JSON text for people and programs. */
export async function* objectOf(read: () => Promise<object>): AsyncGenerator<string, void> {
  yield `${JSON.stringify(await read(), null, 2)}\n`;
}
