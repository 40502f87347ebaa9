import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eurFrom, textOf } from '#kernel/money.ts';
import {
  dueReport,
  growth,
  meanOf,
  mustWait,
  parseWeek,
  partsWithheld,
  thisWeek,
  weekName,
  windowOf,
} from './rules.ts';

const at = (instant: string) => Temporal.Instant.from(instant);
const BERLIN = 'Europe/Berlin';

test.each([
  ['2026-W46', '2026-11-09'],
  ['2026-W01', '2025-12-29'],
  ['2026-W53', '2026-12-28'],
  ['2020-W53', '2020-12-28'],
  ['1970-W02', '1970-01-05'],
  ['2026-11-09', '2026-11-09'],
])('%s begins on %s', (text, monday) => expect(parseWeek(text)?.toString()).toBe(monday));

test.each([
  ...['2026-W00', '2026-W54', '2025-W53', '2026-W6', '2026-W046', '26-W46', '2026W46', '2026-w46', ''],
  ...['2026-11-10', '2026-02-30', '2026-13-01', '1969-12-29', '9999-W01', '0000-W01', '2026-11-09T00:00'],
])('%j is no week', (text) => expect(parseWeek(text)).toBeNull());

test('every Monday is found by its name and by its day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400_000 }), (weeks) => {
      const monday = Temporal.PlainDate.from('1970-01-05').add({ weeks });
      fc.pre(monday.year <= 9997);
      expect(parseWeek(weekName(monday))?.equals(monday)).toBe(true);
      expect(parseWeek(monday.toString())?.equals(monday)).toBe(true);
    }),
  );
});

test('a week has 167 or 169 hours where the clock is changed', () => {
  const hours = (monday: string) => {
    const { von, bis } = windowOf(Temporal.PlainDate.from(monday), BERLIN);
    return (bis.epochMilliseconds - von.epochMilliseconds) / 3_600_000;
  };
  expect([hours('2026-03-23'), hours('2026-10-19'), hours('2026-11-09')]).toEqual([167, 169, 168]);
});

test.each([
  ['2026-11-16T05:59:59Z', BERLIN, null],
  ['2026-11-16T06:00:00Z', BERLIN, '2026-11-09'],
  ['2026-11-18T22:59:59Z', BERLIN, '2026-11-09'],
  ['2026-11-18T23:00:00Z', BERLIN, null],
  ['2026-11-22T12:00:00Z', BERLIN, null],
  // In summer 7 o'clock is an hour earlier.
  ['2026-07-13T05:00:00Z', BERLIN, '2026-07-06'],
  ['2026-11-15T17:00:00Z', 'Pacific/Kiritimati', '2026-11-09'],
  ['2026-11-16T17:59:59Z', 'Pacific/Pago_Pago', null],
  ['2026-11-16T18:00:00Z', 'Pacific/Pago_Pago', '2026-11-09'],
])('at %s in %s the report of %s is due', (now, zone, monday) =>
  expect(dueReport(at(now), zone)?.monday.toString() ?? null).toBe(monday),
);

test('it waits half a day for counting that is behind, and no longer', () => {
  const due = dueReport(at('2026-11-16T06:00:00Z'), BERLIN)!;
  expect(mustWait(at('2026-11-16T06:00:00Z'), due, false)).toBe(false);
  expect(mustWait(at('2026-11-16T17:59:59Z'), due, true)).toBe(true);
  expect(mustWait(at('2026-11-16T18:00:00Z'), due, true)).toBe(false);
  expect(thisWeek(at('2026-11-15T23:30:00Z'), BERLIN).toString()).toBe('2026-11-16');
});

test('parts that the role may not read are withheld', () => {
  expect(partsWithheld(['selbst', 'verbrauch.lesen'])).toEqual([]);
  expect(partsWithheld(['selbst'])).toEqual(['befunde', 'budgets', 'zwilling']);
});

const Exact = Decimal.clone({ precision: 200, rounding: Decimal.ROUND_HALF_UP });
const amount = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map((scaled) => textOf(scaled, 34));

test('the mean is exact until it is rounded, once, to the cent', () => {
  expect(meanOf([])).toBeNull();
  expect(meanOf(['0.01', '0'])).toBe('0.01');
  expect(meanOf(['1', '1', '2'])).toBe('1.33');
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), (amounts) => {
      const sum = amounts.reduce((all, each) => all.plus(each), new Exact(0));
      expect(meanOf(amounts)).toBe(sum.div(amounts.length).toDecimalPlaces(2).toFixed());
    }),
  );
});

test('growth is a share of what was before, and none of nothing', () => {
  expect(growth(eurFrom('5'), eurFrom('0'))).toBeNull();
  expect(growth(eurFrom('9'), eurFrom('8'))).toBe('0.125');
  expect(growth(eurFrom('0'), eurFrom('8'))).toBe('-1');
  fc.assert(
    fc.property(amount, amount, (now, before) => {
      fc.pre(eurFrom(before) > 0n);
      const expected = new Exact(now).minus(before).div(before).toDecimalPlaces(3);
      expect(growth(eurFrom(now), eurFrom(before))).toBe(expected.isZero() ? '0' : expected.toFixed());
    }),
  );
});
