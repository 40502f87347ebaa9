import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, showable } from './text.ts';

/** Every sign is as wide as the next one, marks stand on others. */
const measure = (text: string) => text.replace(/\p{M}/gu, '').length;
/** A font of Latin, Greek and Cyrillic. */
const hasSign = (codePoint: number) => codePoint < 0x500 || codePoint === 0xfffd;

test('what the font lacks is one replacement each, what only steers is gone', () => {
  expect(showable('Łódź – „Größe“ 1.234,50\u00a0€', hasSign)).toBe('Łódź – „Größe“ 1.234,50\u00a0€');
  expect(showable('a👩‍👩‍👧b 客服', hasSign)).toBe('a\ufffdb \ufffd\ufffd');
  expect(showable('a\u202eb\u200b\u00adc\ufeffd\ue000', hasSign)).toBe('abcd\ufffd');
  expect(showable('a\u0000\tb\u2028c\r\nd\ud800', hasSign)).toBe('a  b c\nd\ufffd');
  expect(showable('e\u0301', hasSign)).toBe('é');
  expect(showable(`a${'\u0316'.repeat(40)}b`, hasSign)).toBe('a\u0316\u0316\u0316b');
});

test('breaks between words, keeps the line ends of the text and what no-break spaces hold together', () => {
  expect(linesOf('Abrechnung für Oktober', 14, measure).lines).toEqual(['Abrechnung für', 'Oktober']);
  expect(linesOf('eins\n\nzwei', 14, measure).lines).toEqual(['eins', '', 'zwei']);
  expect(linesOf('Betrag 1.234,50\u00a0€', 14, measure).lines).toEqual(['Betrag', '1.234,50\u00a0€']);
  expect(linesOf('abcdefghij', 4, measure).lines).toEqual(['abcd', 'efgh', 'ij']);
  expect(linesOf('', 4, measure).lines).toEqual(['']);
});

test('says where it has cut', () => {
  expect(linesOf('eins zwei drei', 5, measure, 2)).toEqual({ lines: ['eins', 'zwei…'], isCut: true });
  expect(linesOf('kunde/projekt', 6, measure, 1)).toEqual({ lines: ['kunde…'], isCut: true });
  expect(linesOf('eins\nzwei', 8, measure, 1)).toEqual({ lines: ['eins zw…'], isCut: true });
  expect(linesOf('eins zwei', 5, measure, 2).isCut).toBe(false);
});

test('any text: nothing is wider than a line, nothing is lost', () => {
  const signs = fc.constantFrom('a', 'ß', '€', ' ', '-', '/', '\u00a0', '\n', '\u0301', '👩‍👧', '客');
  const text = fc.string({ unit: signs, maxLength: 80 });
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 2, max: 20 }),
      fc.integer({ min: 1, max: 9 }),
      (any, width, atMost) => {
        const shown = showable(any, hasSign);
        const { lines } = linesOf(shown, width, measure);
        for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
        const without = (value: string) => value.replace(/[\s]/g, '');
        expect(without(lines.join(''))).toBe(without(shown));
        const cut = linesOf(shown, width, measure, atMost);
        expect(cut.lines.length).toBeLessThanOrEqual(atMost);
        expect(cut.isCut).toBe(lines.length > atMost);
        for (const line of cut.lines) expect(measure(line)).toBeLessThanOrEqual(width);
      },
    ),
  );
});
