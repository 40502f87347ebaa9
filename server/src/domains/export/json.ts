/** JSON text of any length, made piece by piece. */

/** A piece of the JSON text of a row; `neu` where a row begins. */
export interface Piece {
  neu: boolean;
  stueck: string;
}

/** The rows as one JSON array, each on a line of its own. */
export async function* arrayOf(pages: AsyncIterable<Piece[]>): AsyncGenerator<string, void> {
  let before = '[\n';
  for await (const page of pages) {
    let text = '';
    for (const { neu, stueck } of page) {
      text += neu ? before + stueck : stueck;
      if (neu) before = ',\n';
    }
    yield text;
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** One value as JSON text for people and programs. */
export async function* objectOf(read: () => Promise<object>): AsyncGenerator<string, void> {
  yield `${JSON.stringify(await read(), null, 2)}\n`;
}
