/** Receives an archive piece by piece: it may be larger than what a page should hold in memory. */

type Piece = Uint8Array<ArrayBuffer>;

/** Where the pieces go. */
export interface Sink {
  write(piece: Piece): Promise<void>;
  /** All pieces are there. */
  close(): Promise<void>;
  /** They will not all come: nothing of them is kept. */
  abort(): Promise<void>;
}

/** The archive stopped before its end. */
export class BrokenOff extends Error {}

/** The pieces could not be written: the disk is full, or the file is gone. */
export class NotWritten extends Error {}

/** Every ZIP archive without a comment ends with this record. */
const END_LENGTH = 22;
const END_BEGINNING = [0x50, 0x4b, 0x05, 0x06];

/** The last bytes of what has come so far. */
function lastOf(before: Piece, piece: Piece): Piece {
  if (piece.length >= END_LENGTH) return piece.slice(-END_LENGTH);
  return Uint8Array.from([...before, ...piece]).slice(-END_LENGTH);
}

const isEnd = (last: Piece) =>
  last.length === END_LENGTH && END_BEGINNING.every((byte, index) => last[index] === byte);

const lost = (error: unknown) => Promise.reject(new BrokenOff('connection lost', { cause: error }));
const notWritten = (error: unknown) => Promise.reject(new NotWritten('not written', { cause: error }));

/** Resolves with the number of bytes; throws as `receiveArchive`. */
async function copy(
  reader: ReadableStreamDefaultReader<Piece>,
  sink: Sink,
  onBytes: (bytes: number) => void,
): Promise<number> {
  let last: Piece = new Uint8Array(0);
  let bytes = 0;
  for (;;) {
    // A connection that breaks is an archive without its end, however the browser words it.
    const { done, value } = await reader.read().catch(lost);
    if (done) break;
    await sink.write(value).catch(notWritten);
    bytes += value.length;
    last = lastOf(last, value);
    onBytes(bytes);
  }
  if (!isEnd(last)) throw new BrokenOff('no end');
  await sink.close().catch(notWritten);
  return bytes;
}

/**
 * Copies an archive into a sink, telling after each piece how many bytes there are; resolves with their number. Throws
 * `BrokenOff` when the archive stops before its end, `NotWritten` when the sink fails; the sink is aborted then.
 */
export async function receiveArchive(
  body: ReadableStream<Piece>,
  sink: Sink,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const reader = body.getReader();
  try {
    return await copy(reader, sink, onBytes);
  } catch (error) {
    await Promise.allSettled([reader.cancel(), sink.abort()]);
    throw error;
  }
}
