/** Text in lines: what the font can show, broken where a line ends, cut with an ellipsis where room ends. */
import LineBreaker from 'linebreak';

/** Stands for what the font has no sign for. */
const REPLACEMENT = '\ufffd';
/** Every text of western Europe, and nothing that needs a second look. */
const PLAIN = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u017e\u2013\u2014\u2018-\u201e\u2026\u20ac\u2212\n]*$/;
/** Signs that only steer others: direction, joining, variants, soft hyphens. */
const STEERING = /[\p{Cf}\p{Variation_Selector}]/gu;
/** Has no meaning of its own outside the system that wrote it. */
const PRIVATE = /[\p{Co}\p{Cs}\p{Cn}]/u;

/** On one letter; what heaps up more is there to cover other lines. */
const MOST_MARKS = 3;

const graphemes = new Intl.Segmenter('de', { granularity: 'grapheme' });
const piecesOf = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

/**
 * A text of which every sign can be shown: control characters become spaces (line ends stay), and each sign that the font lacks, however
 * many code points it has, one replacement that is seen.
 */
export function showable(text: string, hasSign: (codePoint: number) => boolean): string {
  if (PLAIN.test(text)) return text;
  const line = (part: string) => part.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .split(/\r\n?|\n/)
    .map(line)
    .join('\n');
  return piecesOf(clean)
    .map((piece) => {
      const seen = [...piece.replace(STEERING, '')].slice(0, 1 + MOST_MARKS).join('');
      const isKnown = [...seen].every(
        (sign) => sign === '\n' || (!PRIVATE.test(sign) && hasSign(sign.codePointAt(0) as number)),
      );
      return isKnown ? seen : REPLACEMENT;
    })
    .join('');
}

/** How wide a text is in the font that it will be set in. */
export type Measure = (text: string) => number;

/** As much of a word as fits, at least one sign. */
function fittingPart(word: string, width: number, measure: Measure): string {
  let part = '';
  for (const piece of piecesOf(word)) {
    if (part !== '' && measure(part + piece) > width) break;
    part += piece;
  }
  return part;
}

/** The beginning of a line that leaves room for an ellipsis, with it. */
function cutLine(line: string, width: number, measure: Measure): string {
  const pieces = piecesOf(line.trimEnd());
  while (pieces.length > 0 && measure(`${pieces.join('').trimEnd()}…`) > width) pieces.pop();
  return `${pieces.join('').trimEnd()}…`;
}

/** Lines without end, with the spaces at their ends; a word wider than one is broken inside. */
function* brokenLines(text: string, width: number, measure: Measure): Generator<string> {
  const breaker = new LineBreaker(text);
  let [line, from] = ['', 0];
  for (let end = breaker.nextBreak(); end; end = breaker.nextBreak()) {
    let word = text.slice(from, end.position).replace(/\n$/, '');
    from = end.position;
    if (line !== '' && measure((line + word).trimEnd()) > width) {
      yield line;
      line = '';
    }
    while (measure(word.trimEnd()) > width) {
      const part = fittingPart(word, width, measure);
      if (part === word) break;
      yield part;
      word = word.slice(part.length);
    }
    line += word;
    if (end.required && from < text.length) {
      yield `${line} `;
      line = '';
    }
  }
  yield line;
}

const shown = (lines: readonly string[]) => lines.map((line) => line.trimEnd());

/** A text in lines no wider than `width`, at most this many; what does not fit is cut, and `isCut` says so. */
export function linesOf(
  text: string,
  width: number,
  measure: Measure,
  atMost = Number.POSITIVE_INFINITY,
): { lines: string[]; isCut: boolean } {
  const lines: string[] = [];
  for (const line of brokenLines(text, width, measure)) {
    if (lines.length === atMost) {
      const last = cutLine(lines.at(-1) + line, width, measure);
      return { lines: [...shown(lines.slice(0, -1)), last], isCut: true };
    }
    lines.push(line);
  }
  return { lines: shown(lines), isCut: false };
}
