import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aufschlagFrom,
  type Cents,
  centsFrom,
  centsText,
  EUR_SCALE,
  type Eur,
  eurFrom,
  eurText,
  minus,
  plus,
  priceOf,
  rateFrom,
  scaledFrom,
  textOf,
  toCents,
  toEur,
  type Usd,
  usdFrom,
  usdText,
} from './money.ts';

/** The judge of all properties: decimals of another make, with more digits than any result here has. */
const Exact = Decimal.clone({
  precision: 400,
  toExpNeg: -400,
  toExpPos: 400,
  rounding: Decimal.ROUND_HALF_UP,
});

const decimalOf = (scaled: bigint, scale: number) =>
  new Exact(scaled.toString()).div(new Exact(10).pow(scale));
const signed = fc.bigInt({ min: -(10n ** 44n), max: 10n ** 44n });
const usd = signed.map((scaled) => textOf(scaled, 24));
const eur = fc.oneof(
  signed.map((scaled) => textOf(scaled, 34)),
  // Close to half a cent, on both sides of it.
  fc
    .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.constantFrom(-1n, 0n, 1n))
    .map(([halves, off]) => textOf(BigInt(halves) * 5n * 10n ** 31n + off, 34)),
);
const rate = fc.bigInt({ min: 1n, max: 10n ** 14n }).map((scaled) => textOf(scaled, 10));
const percent = fc
  .integer({ min: 0, max: 40 })
  .chain((scale) =>
    fc
      .bigInt({ min: -(10n ** BigInt(scale + 2)), max: 10n ** BigInt(scale + 4) })
      .map((scaled) => textOf(scaled, scale)),
  );

describe('decimals', () => {
  test.each([
    ['0', 3, 0n],
    ['-0', 3, 0n],
    ['12.5', 3, 12_500n],
    ['-12.5', 3, -12_500n],
    ['-0.005', 3, -5n],
    ['0.86', 10, 8_600_000_000n],
    ['12', 0, 12n],
    ['007.10', 2, 710n],
    ['9007199254740993', 1, 90_071_992_547_409_930n],
  ])('%s at scale %i', (text, scale, scaled) => {
    expect(scaledFrom(text, scale)).toBe(scaled);
  });

  test.each([
    ...['', '-', '1.', '.5', '-.5', '--1', '- 1', '+1', '−1', '1e3', '1E3', '1,5', ' 1', '1 ', '1\n'],
    ...['1.2345', '1.0000', '0x1', '1_000', '1n', 'NaN', 'Infinity', '٣'],
  ])('%j is refused', (text) => {
    expect(() => scaledFrom(text, 3)).toThrow(RangeError);
  });

  test.each([
    [0n, 24, '0'],
    [-0n, 24, '0'],
    [1n, 3, '0.001'],
    [-5n, 3, '-0.005'],
    [1_000n, 3, '1'],
    [-1_000n, 3, '-1'],
    [1_200n, 3, '1.2'],
    [100n, 0, '100'],
    [-100n, 0, '-100'],
    [12_345_678_901_234_567_890n, 4, '1234567890123456.789'],
  ])('%s at scale %i is written %s', (scaled, scale, text) => {
    expect(textOf(scaled, scale)).toBe(text);
  });

  test('are written plain and short, and read back', () => {
    fc.assert(
      fc.property(fc.oneof(signed, fc.bigInt()), fc.nat({ max: 44 }), (scaled, scale) => {
        const text = textOf(scaled, scale);
        expect(text).toBe(decimalOf(scaled, scale).toFixed());
        expect(scaledFrom(text, scale)).toBe(scaled);
      }),
    );
  });
});

test('sums and differences are exact', () => {
  fc.assert(
    fc.property(eur, eur, (a, b) => {
      expect(eurText(plus(eurFrom(a), eurFrom(b)))).toBe(new Exact(a).plus(b).toFixed());
      expect(eurText(minus(eurFrom(a), eurFrom(b)))).toBe(new Exact(a).minus(b).toFixed());
    }),
  );
  fc.assert(
    fc.property(usd, (text) => {
      expect(usdText(usdFrom(text))).toBe(text);
    }),
  );
});

test('EUR is USD times rate, to the last digit', () => {
  expect(eurText(toEur(usdFrom('-0.000000000000000000000001'), rateFrom('0.0000000001')))).toBe(
    '-0.0000000000000000000000000000000001',
  );
  fc.assert(
    fc.property(usd, rate, (amount, kurs) => {
      expect(eurText(toEur(usdFrom(amount), rateFrom(kurs)))).toBe(new Exact(amount).mul(kurs).toFixed());
    }),
  );
});

test.each(['-0.86', '0.12345678901', '1e0'])('%s is no rate', (text) => {
  expect(() => rateFrom(text)).toThrow(RangeError);
});

describe('to the cent', () => {
  test.each([
    ['0', '0'],
    ['0.005', '0.01'],
    ['-0.005', '-0.01'],
    ['0.0049999999999999999999999999999999', '0'],
    ['-0.0049999999999999999999999999999999', '0'],
    ['2.675', '2.68'],
    ['-2.675', '-2.68'],
    ['1.005', '1.01'],
    ['0.994999', '0.99'],
    ['0.995', '1'],
    ['-19.999', '-20'],
  ])('%s EUR is %s', (amount, cents) => {
    expect(centsText(toCents(eurFrom(amount)))).toBe(cents);
  });

  test('half-up, away from zero, whatever the amount', () => {
    fc.assert(
      fc.property(eur, (amount) => {
        const cents = centsText(toCents(eurFrom(amount)));
        const expected = new Exact(amount).toDecimalPlaces(2);
        expect(cents).toBe(expected.isZero() ? '0' : expected.toFixed());
        expect(toCents(eurFrom(cents))).toBe(centsFrom(cents));
      }),
    );
  });
});

describe('markup', () => {
  test.each([
    ['100', '0', '100'],
    ['100', '19.5', '119.5'],
    ['0.10', '12.5', '0.11'],
    // 0.0045 × 1.1 is 0.00495: rounded first, it would be a cent.
    ['0.0045', '10', '0'],
    ['0.0045', '11.2', '0.01'],
    ['-10', '25', '-12.5'],
    ['-0.004', '25', '-0.01'],
    ['80', '-100', '0'],
    ['80', '-12.345', '70.12'],
    ['1', '10000', '101'],
    ['1000000000', '0.0000000005', '1000000000.01'],
    ['1000000000', '0.0000000004999999999999999999999999999999', '1000000000'],
  ])('%s EUR and %s percent are %s', (cost, aufschlag, price) => {
    expect(centsText(priceOf(eurFrom(cost), aufschlagFrom(aufschlag)))).toBe(price);
  });

  test.each(['-100.0000000001', '10000.1', '-101', '1e2', '12,5', '19 %', ''])('%s is refused', (text) => {
    expect(() => aufschlagFrom(text)).toThrow(RangeError);
  });

  test('is added exactly, and what comes out is rounded once', () => {
    fc.assert(
      fc.property(eur, percent, (cost, aufschlag) => {
        const expected = new Exact(cost).mul(new Exact(aufschlag).div(100).plus(1)).toDecimalPlaces(2);
        const price = priceOf(eurFrom(cost), aufschlagFrom(aufschlag));
        expect(centsText(price)).toBe(expected.isZero() ? '0' : expected.toFixed());
      }),
    );
  });

  test('of nothing is the amount to the cent', () => {
    const none = aufschlagFrom('0');
    fc.assert(
      fc.property(eur, (amount) => {
        expect(priceOf(eurFrom(amount), none)).toBe(toCents(eurFrom(amount)));
      }),
    );
  });
});

test('units do not mix', () => {
  const amounts: [Usd, Eur, Cents] = [usdFrom('1'), eurFrom('1'), centsFrom('1')];
  const [dollars, euros, cents] = amounts;
  // @ts-expect-error USD is no EUR.
  plus(euros, dollars);
  // @ts-expect-error Cents are no exact EUR.
  minus(euros, cents);
  // @ts-expect-error EUR has no rate.
  toEur(euros, rateFrom('0.86'));
  // @ts-expect-error A bare integer has no unit.
  eurText(10n ** BigInt(EUR_SCALE));
  // @ts-expect-error An amount of a bill is not marked up again.
  priceOf(cents, aufschlagFrom('5'));
  expect(eurText(plus(euros, toEur(dollars, rateFrom('0.86'))))).toBe('1.86');
});
