/** Temporal is the judge: it knows the calendar from another source. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareInstants, instantOf, isoOf, type Microseconds, microsOf, secondsOf } from './microseconds.ts';

const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z').epochMilliseconds / 1000;
const LAST = Temporal.Instant.from('9999-12-31T23:59:59Z').epochMilliseconds / 1000;

const instants: fc.Arbitrary<Microseconds> = fc.record({
  seconds: fc.oneof(
    fc.integer({ min: FIRST, max: LAST }),
    fc.integer({ min: -1_000, max: 1_000 }),
    fc.constantFrom(FIRST, LAST, 0, -1),
  ),
  micros: fc.oneof(fc.integer({ min: 0, max: 999_999 }), fc.constantFrom(0, 1, 999, 1_000, 999_999)),
});

const nanoseconds = ({ seconds, micros }: Microseconds) =>
  BigInt(seconds) * 1_000_000_000n + BigInt(micros) * 1_000n;
const temporalOf = (instant: Microseconds) => new Temporal.Instant(nanoseconds(instant));
/** With this many decimals; years of four digits need no sign. */
const textOf = (instant: Microseconds, fractionalSecondDigits: 0 | 1 | 2 | 3 | 4 | 5 | 6) =>
  temporalOf(instant).toString({ fractionalSecondDigits });

describe('from the year 1 to 9999', () => {
  test('a text names the instant that Temporal reads in it', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(0, 1, 2, 3, 4, 5, 6), (instant, digits) => {
        const text = textOf(instant, digits);
        expect(nanoseconds(instantOf(text))).toBe(Temporal.Instant.from(text).epochNanoseconds);
        expect(instantOf(text)).toEqual({ seconds: secondsOf(text), micros: microsOf(text) });
        expect(secondsOf(text)).toBe(instant.seconds);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an instant comes back from its text, which has six decimals', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(isoOf(instant)).toBe(textOf(instant, 6));
        expect(instantOf(isoOf(instant))).toEqual(instant);
      }),
      { numRuns: 2_000 },
    );
  });

  test('every day that ends a month or begins one is right, in leap years and others', () => {
    for (const year of [1, 4, 99, 100, 101, 399, 400, 401, 1600, 1900, 1970, 2000, 2024, 2100, 9999])
      for (let month = 1; month <= 12; month += 1) {
        const first = Temporal.PlainDate.from({ year, month, day: 1 });
        for (const day of [first, first.add({ months: 1 }).subtract({ days: 1 })]) {
          const text = `${day}T12:34:56Z`;
          expect(secondsOf(text), text).toBe(Temporal.Instant.from(text).epochMilliseconds / 1000);
        }
      }
  });

  test('order in time is the order of the nanoseconds', () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        const difference = nanoseconds(a) - nanoseconds(b);
        expect(Math.sign(compareInstants(a, b))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
        expect(compareInstants(a, { ...a })).toBe(0);
      }),
    );
  });
});

test('before 1970 the microseconds still lie behind the second', () => {
  expect(instantOf('1969-12-31T23:59:59.25Z')).toEqual({ seconds: -1, micros: 250_000 });
  expect(isoOf({ seconds: -1, micros: 250_000 })).toBe('1969-12-31T23:59:59.250000Z');
});

test.each([
  ['2026-10-25T00:30:00Z', 0],
  ['2026-10-25T00:30:00.Z', 0],
  ['2026-10-25T00:30:00.5Z', 500_000],
  ['2026-10-25T00:30:00.05Z', 50_000],
  ['2026-10-25T00:30:00.000001Z', 1],
  ['2026-10-25T00:30:00.123456Z', 123_456],
  ['2026-10-25T00:30:00.999999999Z', 999_999],
])('of %s are %i microseconds', (text, micros) => {
  expect(microsOf(text)).toBe(micros);
});

test.each(['', 'gestern', '2026', '2026-10-25', '2026-10-25T00', '2026-10-25T00:30', '2026-10-25T00:30:0'])(
  '%j is no instant',
  (text) => {
    expect(() => secondsOf(text)).toThrow(RangeError);
    expect(() => instantOf(text)).toThrow(RangeError);
  },
);
