/** Batches that are not counted, unpacked. */
import { waitingEvents } from '#domains/ereignisse/index.ts';
import type { Piece } from './json.ts';
import type { BatchRow } from './store.ts';

/** The events of a batch; of one whose bytes are no batch those bytes, as they are. */
function contentOf(row: BatchRow): object {
  try {
    return { ereignisse: [...waitingEvents(row)] };
  } catch {
    return { daten_base64: row.daten.toString('base64') };
  }
}

export async function* uncountedPieces(pages: AsyncIterable<BatchRow[]>): AsyncGenerator<Piece[], void> {
  for await (const page of pages)
    yield page.map((row) => {
      const { daten: _, umfang: __, ...about } = row;
      return { isNew: true, text: JSON.stringify({ ...about, ...contentOf(row) }) };
    });
}
