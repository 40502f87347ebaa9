/** What goes by on its way to a file. */
import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/** Hands on what goes by, and says of it what it was. */
export function meter() {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, bytes: () => bytes, hash: () => hash.digest('hex') };
}
