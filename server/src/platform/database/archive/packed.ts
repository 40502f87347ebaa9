/**
 * A file of the log in the archive: packed with zstd, and behind it, in a frame that `zstd -d` skips, the time and a MAC over all of it and the name.
 * Who can write where the archive lies must not become an operator by a log that is replayed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { SEGMENT_BYTES } from './segments.ts';

const SKIPPED = 0x184d2a5a;
const TIME_BYTES = 8;
const MAC_BYTES = 32;
const FRAME_BYTES = 8 + TIME_BYTES + MAC_BYTES;

const macOf = (key: Buffer, name: string, signed: Buffer): Buffer =>
  createHmac('sha256', key).update(`${name}\n`).update(signed).digest();

export const packedName = (name: string): string => `${name}.zst`;

/** With the time it was packed at: of a history, when its line began. */
export function pack(name: string, bytes: Buffer, key: Buffer): Buffer {
  const body = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const frame = Buffer.alloc(8 + TIME_BYTES);
  frame.writeUInt32LE(SKIPPED, 0);
  frame.writeUInt32LE(TIME_BYTES + MAC_BYTES, 4);
  frame.writeBigInt64LE(BigInt(Date.now()), 8);
  const signed = Buffer.concat([body, frame]);
  return Buffer.concat([signed, macOf(key, name, signed)]);
}

/** Whether this is what was packed under the name and the key. */
export function isOurs(name: string, packed: Buffer, key: Buffer): boolean {
  if (packed.length < FRAME_BYTES) return false;
  return timingSafeEqual(macOf(key, name, packed.subarray(0, -MAC_BYTES)), packed.subarray(-MAC_BYTES));
}

export const packedAt = (packed: Buffer): Date =>
  new Date(Number(packed.readBigInt64LE(packed.length - MAC_BYTES - TIME_BYTES)));

/** Its content, packed by any tool; throws where that is damaged. Nothing in the log is larger than a segment. */
export const unpack = (packed: Buffer): Buffer =>
  zstdDecompressSync(packed.subarray(0, -FRAME_BYTES), { maxOutputLength: SEGMENT_BYTES });
