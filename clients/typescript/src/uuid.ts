/** UUIDs as RFC 9562 has them, on every runtime. */
import { sha1 } from '@noble/hashes/legacy.js';

const encoder = new TextEncoder();

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const hexOf = (bytes: Uint8Array): string => {
  let hex = '';
  for (const byte of bytes) hex += HEX[byte];
  return hex;
};

/** The same for a name in a namespace every time. */
export function uuidV5(name: string, namespace: string): string {
  const space = namespace.replaceAll('-', '').match(/../g) ?? [];
  const text = encoder.encode(name);
  const named = new Uint8Array(space.length + text.length);
  named.set(space.map((byte) => Number.parseInt(byte, 16)));
  named.set(text, space.length);
  const bytes = sha1(named).subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = hexOf(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A new one, which begins with the time; what follows is that of a random one, which runtimes make many of at once. */
export function uuidV7(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
