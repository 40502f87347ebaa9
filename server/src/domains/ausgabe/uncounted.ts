/** Batches that are not counted, unpacked. */
import { zstdDecompressSync } from 'node:zlib';
import type { Piece } from './json.ts';
import type { BatchRow } from './store.ts';

/** The events of a batch; of one whose bytes are no batch those bytes, as they are. */
function contentOf(daten: Buffer): object {
  try {
    // TextDecoder skips a byte-order mark, which JSON.parse would refuse.
    const batch = JSON.parse(new TextDecoder().decode(zstdDecompressSync(daten))) as {
      ereignisse?: unknown[];
    };
    return { ereignisse: batch.ereignisse ?? [] };
  } catch {
    return { daten_base64: daten.toString('base64') };
  }
}

export async function* uncountedPieces(pages: AsyncIterable<BatchRow[]>): AsyncGenerator<Piece[], void> {
  for await (const page of pages)
    yield page.map(({ daten, ...row }) => ({
      neu: true,
      stueck: JSON.stringify({ ...row, ...contentOf(daten) }),
    }));
}
