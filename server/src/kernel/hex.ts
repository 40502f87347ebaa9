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

const DIGITS = Buffer.from('0123456789abcdef');
/** A UUID that is being written: its text is made in one piece, not of parts that are put together when it is first looked up. */
const WRITTEN = Buffer.from('00000000-0000-0000-0000-000000000000');
/** Where in it the digits of each byte stand. */
const PLACES = Array.from(WRITTEN.keys()).filter((place) => WRITTEN[place] !== HYPHEN);

/** The canonical text of a UUID's 16 bytes. */
export function uuidText(bytes: Uint8Array, at = 0): string {
  for (let index = 0; index < UUID_BYTES; index += 1) {
    const byte = bytes[at + index] as number;
    WRITTEN[PLACES[2 * index] as number] = DIGITS[byte >> 4] as number;
    WRITTEN[PLACES[2 * index + 1] as number] = DIGITS[byte & 15] as number;
  }
  return WRITTEN.toString('latin1');
}

/** The UUIDs of an array as PostgreSQL writes it, none of them null. */
export function uuidTexts(array: string): string[] {
  const characters = Buffer.from(array, 'latin1');
  const uuids: string[] = [];
  for (let at = 1; at + UUID_LENGTH < characters.length; at += UUID_LENGTH + 1)
    uuids.push(characters.toString('latin1', at, at + UUID_LENGTH));
  return uuids;
}
