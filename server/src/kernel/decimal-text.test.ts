import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaledFrom, textOf } from './decimal-text.ts';

test.each([
  ['0', 3, 0n],
  ['12.5', 3, 12_500n],
  ['0.86', 10, 8_600_000_000n],
  ['12', 0, 12n],
  ['007.10', 2, 710n],
  ['9007199254740993', 1, 90_071_992_547_409_930n],
])('%s at scale %i', (text, scale, scaled) => {
  expect(scaledFrom(text, scale)).toBe(scaled);
});

test.each(['', '1.', '.5', '-1', '+1', '1e3', '1,5', ' 1', '1.2345', 'NaN', '٣'])('%j is refused', (text) => {
  expect(() => scaledFrom(text, 3)).toThrow(RangeError);
});

test.each([
  [0n, 24, '0'],
  [1n, 3, '0.001'],
  [1_000n, 3, '1'],
  [1_200n, 3, '1.2'],
  [100n, 0, '100'],
  [12_345_678_901_234_567_890n, 4, '1234567890123456.789'],
])('%s at scale %i is written %s', (scaled, scale, text) => {
  expect(textOf(scaled, scale)).toBe(text);
});

test('writes the plain shortest decimal, and reads back what it wrote', () => {
  const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });
  const numbers = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 34 }));
  fc.assert(
    fc.property(numbers, ([scaled, scale]) => {
      const text = textOf(scaled, scale);
      expect(text).toBe(new Exact(scaled.toString()).div(new Exact(10).pow(scale)).toFixed());
      expect(scaledFrom(text, scale)).toBe(scaled);
    }),
  );
});
