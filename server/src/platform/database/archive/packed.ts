/**
 * A file of the log in the archive: packed with zstd, and behind it, in a frame that `zstd -d` skips, a MAC over name and content.
 * Who can write where the archive lies must not become an operator by a log that is replayed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { SEGMENT_BYTES } from './segments.ts';

const SKIPPED = 0x184d2a5a;
const MAC_BYTES = 32;
const FRAME_BYTES = 8 + MAC_BYTES;

const macOf = (key: Buffer, name: string, body: Buffer): Buffer =>
  createHmac('sha256', key).update(`${name}\n`).update(body).digest();

export const packedName = (name: string): string => `${name}.zst`;

export function pack(name: string, bytes: Buffer, key: Buffer): Buffer {
  const body = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const frame = Buffer.alloc(8);
  frame.writeUInt32LE(SKIPPED, 0);
  frame.writeUInt32LE(MAC_BYTES, 4);
  return Buffer.concat([body, frame, macOf(key, name, body)]);
}

/** Whether this is what was packed under the name and the key. */
export function isOurs(name: string, packed: Buffer, key: Buffer): boolean {
  if (packed.length < FRAME_BYTES) return false;
  const body = packed.subarray(0, -FRAME_BYTES);
  return timingSafeEqual(macOf(key, name, body), packed.subarray(-MAC_BYTES));
}

/** Its content, whoever packed it; throws where that is damaged. Nothing in the log is larger than a segment. */
export const unpack = (packed: Buffer): Buffer =>
  zstdDecompressSync(packed.subarray(0, -FRAME_BYTES), { maxOutputLength: SEGMENT_BYTES });
