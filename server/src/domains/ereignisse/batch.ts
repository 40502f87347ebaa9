/** Decisions about one batch, before it is stored. */

import { promisify } from 'node:util';
import { constants, zstdCompress as zstdCompressAsync, zstdCompressSync } from 'node:zlib';
import type { BodyOf, ereignisseAnnehmen, Fault } from '#contracts';

export type Stapel = BodyOf<typeof ereignisseAnnehmen>;

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Below this size compressing on the spot is faster than handing the bytes to another thread. */
const COMPRESS_INLINE = 256 * 1024;
const zstdCompress = promisify(zstdCompressAsync);

/** The bytes the inbox keeps. */
export const compress = async (json: Uint8Array): Promise<Buffer> =>
  json.length <= COMPRESS_INLINE ? zstdCompressSync(json, COMPRESSION) : zstdCompress(json, COMPRESSION);

const FUTURE_LIMIT = 24 * 3_600_000;

/** Faults of events dated more than 24 hours ahead: a sender's clock that far off would hide its calls from every report. */
export function futureFaults(stapel: Stapel, now: Date): Fault[] {
  // Canonical instants compare as text; whole seconds are enough here.
  const limit = new Date(now.getTime() + FUTURE_LIMIT).toISOString().slice(0, 19);
  const faults: Fault[] = [];
  const events = stapel.ereignisse ?? [];
  for (let index = 0; index < events.length; index += 1) {
    const zeitpunkt = events[index]?.zeitpunkt;
    if (!zeitpunkt || zeitpunkt.slice(0, 19) <= limit) continue;
    const reason = 'zeitpunkt liegt mehr als 24 Stunden in der Zukunft';
    faults.push({
      type: 'value_error',
      loc: ['body', 'ereignisse', index, 'zeitpunkt'],
      msg: `Value error, ${reason}`,
      input: zeitpunkt,
      ctx: { error: reason },
    });
  }
  return faults;
}

/** How many events repeat an `ereignis_id` that stands in the same batch before them. */
export function repeatsInBatch(stapel: Stapel): number {
  const distinct = new Set<string>();
  let named = 0;
  for (const { ereignis_id: id } of stapel.ereignisse ?? []) {
    if (!id) continue;
    named += 1;
    distinct.add(id);
  }
  return named - distinct.size;
}
