import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countText, dayText, euroText, monthText, percentText } from './format.ts';

test('amounts keep their digits, however large, with the signs of the language', () => {
  expect(euroText('1234.5', 'de')).toBe('1.234,50\u00a0€');
  expect(euroText('-0.5', 'de')).toBe('\u22120,50\u00a0€');
  expect(euroText('90071992547409931234.56', 'de')).toBe('90.071.992.547.409.931.234,56\u00a0€');
  expect(euroText('-1234.5', 'en')).toBe('\u2212€1,234.50');
});

test('counts and percentages are exact', () => {
  expect(countText(1_234_567, 'de')).toBe('1.234.567');
  expect(countText('90071992547409931234', 'en')).toBe('90,071,992,547,409,931,234');
  expect(percentText('12.5', 'de')).toBe('12,5\u00a0%');
  expect(percentText('-7.0625', 'de')).toBe('\u22127,0625\u00a0%');
  expect(percentText('19', 'en')).toBe('19%');
});

test('days and months are those of the calendar, whatever the zone of the machine', () => {
  expect(dayText('2026-10-05', 'de')).toBe('5. Oktober 2026');
  expect(dayText('2026-10-05', 'en')).toBe('5 October 2026');
  expect(monthText('2026-03', 'de')).toBe('März 2026');
  expect(monthText('2026-03', 'en')).toBe('March 2026');
});

test('an amount to the cent can be read back from its text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (cents) => {
      const size = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
      const amount = `${cents < 0n ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`;
      const read = euroText(amount, 'de').replaceAll('.', '').replace(',', '.').replace('\u2212', '-');
      expect(read).toBe(`${amount}\u00a0€`);
    }),
  );
});
