/** Reads along in an answer that its provider has packed; what passes stays packed. */
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

export interface Tap {
  take(piece: Uint8Array): void;
  /** Calls back once all that was taken is read. */
  end(done: () => void): void;
}

/** `read` gets what is in the pieces; of an encoding that nobody knows nothing. */
export function tapOf(encoding: string, read: (piece: Uint8Array) => void): Tap {
  if (encoding === '' || encoding === 'identity') return { take: read, end: (done) => done() };
  const unpack = UNPACK[encoding]?.();
  if (unpack === undefined) return { take: () => undefined, end: (done) => done() };
  // Cut off, it ends with an error after what there is.
  unpack.on('data', read).on('error', () => undefined);
  return {
    take: (piece) => void (unpack.destroyed || unpack.write(piece)),
    end: (done) => {
      if (unpack.destroyed) return done();
      unpack.once('close', done).end();
    },
  };
}
