/** Texts in Windows-1252, the character set of the format. */
import { oneLine } from '#kernel/name.ts';

/** The bytes 0x80 to 0x9F by the characters they stand for; five of them stand for none. */
const UPPER = new Map(
  Array.from({ length: 32 }, (_, at) => 0x80 + at)
    .map((byte): [string, number] => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte])
    .filter(([character]) => !/[\x80-\x9f]/.test(character)),
);

/** The byte of a character; null where the character set has none. Control characters have none here. */
function byteOf(character: string): number | null {
  const code = character.codePointAt(0) as number;
  const isItself = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff);
  return isItself ? code : (UPPER.get(character) ?? null);
}

/** Whether every character of the text has a byte: it reads back as it was written. */
export const isWritable = (text: string): boolean =>
  [...text].every((character) => byteOf(character) !== null);

/** What Unicode does not take apart by itself: letters with strokes, and signs that only look a little different. */
const LETTERS: Record<string, string> = {
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  Ł: 'L',
  ł: 'l',
  Ŋ: 'N',
  ŋ: 'n',
  Ŧ: 'T',
  ŧ: 't',
  ẞ: 'SS',
  ə: 'e',
  Ə: 'E',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '―': '—',
  '−': '-',
  '′': "'",
  '″': '"',
  '‛': "'",
  '‟': '"',
  '⁄': '/',
  '∕': '/',
};

/** Nobody sees them: joiners, marks of direction and of what a sign looks like. */
const UNSEEN = /^(\p{Default_Ignorable_Code_Point})$/u;

/** The character in Windows-1252: itself, or what it is written as; null where there is nothing of the kind. */
function inWindows1252(character: string): string | null {
  if (byteOf(character) !== null) return character;
  if (UNSEEN.test(character)) return '';
  const known = LETTERS[character];
  if (known !== undefined) return known;
  const plain = [...character.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((part) => LETTERS[part] ?? part)
    .join('');
  return isWritable(plain) ? plain : null;
}

/**
 * A text as it can be written, on one line: composed (NFC), with what the character set lacks transliterated, ș to s, ł to l,
 * ﬁ to fi. `missing` names the first character that has no transliteration; the text lacks it then.
 */
export function transliterate(text: string): { text: string; missing: string | null } {
  let missing: string | null = null;
  const written = [...oneLine(text.normalize('NFC'))].map((character) => {
    const found = inWindows1252(character);
    if (found === null) missing ??= character;
    return found ?? '';
  });
  return { text: written.join(''), missing };
}

/** The bytes of a text. Throws RangeError for a character that the set does not have, but CR and LF: never a question mark instead. */
export function toWindows1252(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const byte = character === '\r' || character === '\n' ? character.charCodeAt(0) : byteOf(character);
    if (byte === null) throw new RangeError(`not in Windows-1252: ${character}`);
    bytes[at] = byte;
  }
  return bytes;
}
