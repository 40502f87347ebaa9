/** UUIDs as RFC 9562 has them, on every runtime. */
import { sha1 } from '@noble/hashes/legacy.js';

const bytesOf = (uuid: string): Uint8Array =>
  Uint8Array.from(uuid.replaceAll('-', '').match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function written(bytes: Uint8Array, version: number): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = [...bytes.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

/** The same for a name in a namespace every time. */
export function uuidV5(name: string, namespace: string): string {
  const text = new TextEncoder().encode(name);
  return written(sha1(Uint8Array.from([...bytesOf(namespace), ...text])), 5);
}

/** A new one, which begins with the time. */
export function uuidV7(now: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setUint16(0, Math.floor(now / 2 ** 32));
  new DataView(bytes.buffer).setUint32(2, now % 2 ** 32);
  return written(bytes, 7);
}
