import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EUR_SCALE, type Eur, eurFrom } from '#kernel/money.ts';
import { monthOf, WINDOW_NAMES, type WINDOWS } from './month.ts';
import {
  burnText,
  forecastText,
  isForecastTooHigh,
  isReached,
  PAIRS,
  pairExceeded,
  percentOf,
  type Spend,
} from './rules.ts';

const at = (instant: string, zone = 'Europe/Berlin') => monthOf(Temporal.Instant.from(instant), zone);
const NONE: Spend['windows'] = {
  '5m': eurFrom('0'),
  '30m': eurFrom('0'),
  '1h': eurFrom('0'),
  '6h': eurFrom('0'),
  '3d': eurFrom('0'),
};
const spendOf = (month: string, day = '0', windows: Partial<Record<keyof typeof WINDOWS, string>> = {}) => ({
  month: eurFrom(month),
  day: eurFrom(day),
  windows: {
    ...NONE,
    ...Object.fromEntries(Object.entries(windows).map(([name, text]) => [name, eurFrom(text)])),
  },
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 43n }).map((scaled) => scaled as Eur);
const instant = fc
  .integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
const zone = fc.constantFrom('Europe/Berlin', 'UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Apia');
const arbitraryMonth = fc.tuple(instant, zone).map(([now, of]) => monthOf(now, of));

describe('the month', () => {
  test('is that of the calendar in the zone, with its summer time', () => {
    const march = at('2026-03-31T21:59:59Z');
    expect(march).toMatchObject({
      name: '2026-03',
      begins: Date.UTC(2026, 1, 28, 23),
      ends: Date.UTC(2026, 2, 31, 22),
    });
    expect(at('2026-03-31T22:00:00Z').name).toBe('2026-04');
    expect(at('2026-03-31T22:00:00Z', 'UTC').name).toBe('2026-03');
  });

  test('now lies in it, and between 23 and 24 hours are covered by whole hours', () => {
    fc.assert(
      fc.property(arbitraryMonth, ({ begins, now, ends, covered }) => {
        expect(begins).toBeLessThanOrEqual(now);
        expect(now).toBeLessThan(ends);
        expect(covered).toBeLessThanOrEqual(24 * 3_600_000);
        expect(covered).toBeGreaterThan(22 * 3_600_000);
      }),
    );
  });
});

describe('a threshold', () => {
  test('is reached at the exact amount and not one part of 10^-34 before', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 100 }), (budget, percent) => {
        fc.pre(budget > 0n);
        const needed = (budget * BigInt(percent) + 99n) / 100n;
        expect(isReached(needed as Eur, budget, percent)).toBe(true);
        expect(isReached((needed - 1n) as Eur, budget, percent)).toBe(false);
      }),
    );
  });

  test('of a budget of 0 is reached once anything is spent', () => {
    expect(isReached(eurFrom('0'), eurFrom('0'), 50)).toBe(false);
    expect(isReached(eurFrom('0.0000000000000000000000000000000001'), eurFrom('0'), 100)).toBe(true);
    expect(percentOf(eurFrom('5'), eurFrom('0'))).toBeNull();
  });

  test('is never shown as reached before it is', () => {
    expect(percentOf(eurFrom('79.99999999'), eurFrom('100'))).toBe('79.99');
    fc.assert(
      fc.property(amount, amount, (spent, budget) => {
        fc.pre(budget > 0n);
        const shown = percentOf(spent, budget) as string;
        const [whole = '0'] = shown.split('.');
        const percent = Number(whole);
        if (percent >= 1 && percent <= 1e9) expect(isReached(spent, budget, percent)).toBe(true);
        if (percent < 1e9) expect(isReached(spent, budget, percent + 1)).toBe(false);
      }),
    );
  });
});

describe('the forecast', () => {
  const month = at('2026-11-15T23:00:00Z');

  test('is what was spent and the rest of the month at the rate of the last 24 hours', () => {
    expect(month.covered).toBe(24 * 3_600_000);
    expect(forecastText(spendOf('100', '10'), month)).toBe('250');
    expect(
      isForecastTooHigh(spendOf('100', '10'), eurFrom('250'), month, { schwelle: '100', mindestProzent: 10 }),
    ).toBe(false);
    const justBelow = eurFrom('249.9999999999999999999999999999999999');
    expect(
      isForecastTooHigh(spendOf('100', '10'), justBelow, month, { schwelle: '100', mindestProzent: 10 }),
    ).toBe(true);
    expect(
      isForecastTooHigh(spendOf('100', '10'), eurFrom('125'), month, { schwelle: '200', mindestProzent: 10 }),
    ).toBe(false);
  });

  test('waits until enough of the month has gone', () => {
    const limits = { schwelle: '100', mindestProzent: 10 };
    expect(isForecastTooHigh(spendOf('99', '99'), eurFrom('100'), at('2026-11-03T22:59:59Z'), limits)).toBe(
      false,
    );
    expect(isForecastTooHigh(spendOf('99', '99'), eurFrom('100'), at('2026-11-03T23:00:00Z'), limits)).toBe(
      true,
    );
  });

  test('is never below what is spent, and never shown higher than it is', () => {
    fc.assert(
      fc.property(arbitraryMonth, amount, amount, (of, spent, day) => {
        const shown = eurFrom(forecastText({ month: spent, day }, of));
        expect(shown + 10n ** BigInt(EUR_SCALE - 2)).toBeGreaterThan(spent);
        const limits = { schwelle: '100', mindestProzent: 1 };
        const isLater = (of.now - of.begins) * 100 >= of.ends - of.begins;
        if (isLater && shown > 0n)
          expect(
            isForecastTooHigh({ month: spent, day, windows: NONE }, (shown - 1n) as Eur, of, limits),
          ).toBe(true);
      }),
    );
  });
});

describe('the burn rate', () => {
  // 720 hours.
  const november = at('2026-11-15T12:00:00Z');
  const budget = eurFrom('720');

  test('is 1 where the budget lasts for the month', () => {
    for (const window of WINDOW_NAMES) {
      const spent = { '5m': '0.0833333333333333', '30m': '0.5', '1h': '1', '6h': '6', '3d': '72' }[window];
      expect(burnText(spendOf('0', '0', { [window]: spent }), budget, window, november)).toBe(
        window === '5m' ? '0.99' : '1',
      );
    }
    expect(burnText(spendOf('0'), eurFrom('0'), '1h', november)).toBeNull();
  });

  test.each([
    [{ '1h': '14.4', '5m': '1.2' }, '1h'],
    [{ '1h': '14.39', '5m': '1.2' }, null],
    [{ '1h': '14.4', '5m': '1.19' }, null],
    [{ '6h': '36', '30m': '3' }, '6h'],
    [{ '6h': '36', '30m': '2.99' }, null],
    [{ '3d': '72', '6h': '6' }, '3d'],
    [{ '3d': '71.99', '6h': '35' }, null],
    [{ '1h': '20', '5m': '5', '6h': '40', '30m': '20', '3d': '100' }, '1h'],
  ])('%j: %s', (windows, long) => {
    expect(pairExceeded(spendOf('0', '0', windows), budget, november, '1')?.long ?? null).toBe(long);
  });

  test('all rates are times the threshold', () => {
    const spend = spendOf('0', '0', { '1h': '28.8', '5m': '2.4' });
    expect(pairExceeded(spend, budget, november, '2')?.long).toBe('1h');
    expect(pairExceeded(spend, budget, november, '2.0000000000000000000000000000000001')).toBeNull();
  });

  test('exceeded stays exceeded with more spent and with a lower threshold', () => {
    const windows = fc.record({ '5m': amount, '30m': amount, '1h': amount, '6h': amount, '3d': amount });
    fc.assert(
      fc.property(arbitraryMonth, windows, amount, (of, spent, total) => {
        const spend = { month: total, day: total, windows: spent };
        const pair = pairExceeded(spend, total, of, '1');
        if (!pair) return;
        const rank = (one: typeof pair | null) => (one ? PAIRS.indexOf(one) : -1);
        const more = {
          ...spend,
          windows: { ...spent, '1h': (spent['1h'] * 2n) as Eur, '5m': (spent['5m'] * 2n) as Eur },
        };
        expect(rank(pairExceeded(more, total, of, '1'))).toBeLessThanOrEqual(rank(pair));
        expect(rank(pairExceeded(spend, total, of, '0.5'))).toBeLessThanOrEqual(rank(pair));
        expect(rank(pairExceeded(spend, total, of, '0.5'))).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
