/** Hex digits into bytes, from where they stand: ids are too many to make a text of each. */

const NOT_HEX = 0xff;

/** The value of a hex digit by its ASCII code. */
const VALUES = new Uint8Array(256).fill(NOT_HEX);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  VALUES[digit.charCodeAt(0)] = value;
  VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

export const UUID_BYTES = 16;
/** Characters of a UUID's canonical text. */
export const UUID_LENGTH = 36;
const HYPHEN = 0x2d;

/** Writes `length` bytes of hex digits in ASCII and returns whether they were some; if not, bytes may be written all the same. */
export function writeHex(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  length: number,
): boolean {
  if (from + 2 * length > source.length) return false;
  let digits = 0;
  for (let index = 0; index < length; index += 1) {
    const high = VALUES[source[from + 2 * index] as number] as number;
    const low = VALUES[source[from + 2 * index + 1] as number] as number;
    digits |= high | low;
    target[at + index] = (high << 4) | low;
  }
  return digits < 16;
}

/** Writes the 16 bytes of a UUID whose 36 characters stand in ASCII from `from`; as `writeHex`. */
export function writeUuid(target: Uint8Array, at: number, source: Uint8Array, from: number): boolean {
  if (from + UUID_LENGTH > source.length) return false;
  let digits = 0;
  let next = at;
  let index = from;
  for (let part = 0; part < 5; part += 1) {
    const bytes = part === 0 ? 4 : part === 4 ? 6 : 2;
    for (let each = 0; each < bytes; each += 1) {
      const high = VALUES[source[index] as number] as number;
      const low = VALUES[source[index + 1] as number] as number;
      digits |= high | low;
      target[next] = (high << 4) | low;
      next += 1;
      index += 2;
    }
    if (part < 4 && source[index] !== HYPHEN) return false;
    index += 1;
  }
  return digits < 16;
}

/** The 16 bytes of a UUID's canonical text. Throws RangeError on anything else. */
export function uuidBytes(text: string): Buffer {
  const bytes = Buffer.alloc(UUID_BYTES);
  const isUuid = text.length === UUID_LENGTH && writeUuid(bytes, 0, Buffer.from(text), 0);
  if (!isUuid) throw new RangeError(`not a UUID: ${text}`);
  return bytes;
}

/** The canonical text of a UUID's 16 bytes. */
export function uuidText(bytes: Buffer, at = 0): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
