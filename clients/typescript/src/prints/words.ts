/** The words of a text: step 2 of docs/fingerprints.md. */

/** A word of the recipe. */
export interface Word {
  text: string;
  /** How many of the four hashes of the word count: all of them for what tells rows of a list apart. */
  hashes: 1 | 4;
}

/** Code units of a text that are read: half of them from its beginning, half from its end. */
const READ_AT_MOST = 8_192;

const INSTANT =
  /[0-9]{4}-[0-9]{2}-[0-9]{2}[t ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(z|[+-][0-9]{2}:?[0-9]{2})?/g;
/** Scripts that do not part their words: each character is one. */
const UNPARTED = '\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7a3';
const WORD = new RegExp(`§|[${UNPARTED}]|(?:(?![${UNPARTED}])[\\p{L}\\p{N}])+`, 'gu');

/** What stands for something that is not read: the end of a picture, the length of a text. */
export const mark = (text: string): Word => ({ text: `§${text}`, hashes: 4 });

/** The words of a text in their order; an instant is `§`, whichever it is. */
export function wordsOf(text: string): Word[] {
  const half = READ_AT_MOST / 2;
  const isLong = text.length > READ_AT_MOST;
  const read = isLong ? `${text.slice(0, half)}\n${text.slice(-half)}` : text;
  const plain = read.toWellFormed().normalize('NFKC').toLowerCase().replace(INSTANT, ' § ');
  const words = (plain.match(WORD) ?? []).map(
    (word): Word => ({ text: word, hashes: /[0-9]/.test(word) ? 4 : 1 }),
  );
  return isLong ? [...words, mark(String(text.length))] : words;
}
