/** The words of a text: step 2 of docs/fingerprints.md. */

/** A word of the recipe; a mark begins with `§` and goes on. */
export type Word = string;

/** How many of the four hashes of a word count: all of them for what tells rows of a list apart. */
export const hashesOf = (word: Word): 1 | 4 => (/[0-9]|^§./s.test(word) ? 4 : 1);

/** Code units of a text that are read: half of them from its beginning, half from its end. */
const READ_AT_MOST = 8_192;

const INSTANT =
  /[0-9]{4}-[0-9]{2}-[0-9]{2}[t ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(z|[+-][0-9]{2}:?[0-9]{2})?/g;
/** Scripts that do not part their words: each character is one. */
const UNPARTED = '\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7a3';
const WORD = new RegExp(`§|[${UNPARTED}]|(?:(?![${UNPARTED}])[\\p{L}\\p{N}])+`, 'gu');

/** What stands for something that is not read: the end of a picture, the length of a text. */
export const mark = (text: string): Word => `§${text}`;

/** What a code unit is: not asked for yet, between words, in a word, a word, half of a character. */
const [UNKNOWN, BETWEEN, WITHIN, ALONE, HALF] = [0, 1, 2, 3, 4];
const kinds = new Uint8Array(65_536).fill(HALF, 0xd800, 0xe000);
const [IS_ALONE, IS_WITHIN] = [new RegExp(`[§${UNPARTED}]`), /[\p{L}\p{N}]/u];

function kindOf(unit: number): number {
  const known = kinds[unit] as number;
  if (known !== UNKNOWN) return known;
  const character = String.fromCharCode(unit);
  const kind = IS_ALONE.test(character) ? ALONE : IS_WITHIN.test(character) ? WITHIN : BETWEEN;
  kinds[unit] = kind;
  return kind;
}

/** Slots for words that were met; longer words, which are rarely met again, have none. */
const MET = 4_096;
const MET_LENGTH = 32;
const met: Word[] = new Array(MET).fill('');

/** A word of a text; where it is one met lately, that very string: its characters are not hashed again where it is looked up. */
function wordAt(text: string, begin: number, end: number, hash: number): Word {
  if (end - begin > MET_LENGTH) return text.slice(begin, end);
  const slot = (hash ^ (hash >>> 15)) & (MET - 1);
  const known = met[slot] as Word;
  if (known.length === end - begin && text.startsWith(known, begin)) return known;
  const word = text.slice(begin, end);
  met[slot] = word;
  return word;
}

/** What the pattern finds, in half the time; null where a character has two halves, which the pattern puts together. */
function plainWordsOf(text: string): Word[] | null {
  const words: Word[] = [];
  let begin = -1;
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = kinds[unit] || kindOf(unit);
    if (kind === WITHIN) {
      if (begin < 0) begin = at;
      hash = Math.imul(hash ^ unit, 0x01000193);
      continue;
    }
    if (kind === HALF) return null;
    if (begin >= 0) words.push(wordAt(text, begin, at, hash));
    if (kind === ALONE) words.push(text.charAt(at));
    begin = -1;
    hash = 0;
  }
  if (begin >= 0) words.push(wordAt(text, begin, text.length, hash));
  return words;
}

/** The words of a text in their order; an instant is `§`, whichever it is. */
export function wordsOf(text: string): Word[] {
  const half = READ_AT_MOST / 2;
  const isLong = text.length > READ_AT_MOST;
  const read = isLong ? `${text.slice(0, half)}\n${text.slice(-half)}` : text;
  const plain = read.toWellFormed().normalize('NFKC').toLowerCase().replace(INSTANT, ' § ');
  const words = plainWordsOf(plain) ?? plain.match(WORD) ?? [];
  if (isLong) words.push(mark(String(text.length)));
  return words;
}
