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

/** One value as JSON text for people and programs. */
export async function* objectOf(read: () => Promise<object>): AsyncGenerator<string, void> {
  yield `${JSON.stringify(await read(), null, 2)}\n`;
}
