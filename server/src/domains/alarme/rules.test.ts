import { describe, expect, test } from 'vitest';
import {
  heldUntil,
  isFinal,
  mayBeHeld,
  retryAfterOf,
  statusAfter,
  WARNINGS_PER_HOUR,
  type Zeiten,
} from './rules.ts';

const AT_ONCE: Zeiten = { ruhestunden: null, sammeln: 'sofort', sammelnUm: '08:00' };
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const nights = (tage = EVERY_DAY): Zeiten => ({
  ...AT_ONCE,
  ruhestunden: { von: '22:00', bis: '07:00', tage },
});

/** Until when a warning of this local time is held, as local time again. */
function heldAt(zeiten: Zeiten, local: string, inLastHour = 1, zone = 'Europe/Berlin'): string | null {
  const until = heldUntil(zeiten, Temporal.PlainDateTime.from(local).toZonedDateTime(zone), inLastHour);
  return until?.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' }) ?? null;
}

describe('quiet hours', () => {
  // 2026-05-04 is a Monday.
  test.each([
    ['2026-05-04T21:59', null],
    ['2026-05-04T22:00', '2026-05-05T07:00'],
    ['2026-05-05T00:30', '2026-05-05T07:00'],
    ['2026-05-05T06:59', '2026-05-05T07:00'],
    ['2026-05-05T07:00', null],
  ])('hold what comes up at %s until %s', (local, until) => expect(heldAt(nights(), local)).toBe(until));

  test('belong to the day they begin on', () => {
    const workdays = nights([1, 2, 3, 4, 5]);
    // Friday to Saturday, Saturday to Sunday, Sunday to Monday.
    expect(heldAt(workdays, '2026-05-09T03:00')).toBe('2026-05-09T07:00');
    expect(heldAt(workdays, '2026-05-09T23:00')).toBeNull();
    expect(heldAt(workdays, '2026-05-11T03:00')).toBeNull();
  });

  test('of whole days follow upon one another', () => {
    const weekends: Zeiten = { ...AT_ONCE, ruhestunden: { von: '00:00', bis: '00:00', tage: [6, 7] } };
    expect(heldAt(weekends, '2026-05-09T10:00')).toBe('2026-05-11T00:00');
    expect(heldAt(weekends, '2026-05-08T23:59')).toBeNull();
  });

  test('that never end let through after a week', () => {
    const always: Zeiten = { ...AT_ONCE, ruhestunden: { von: '00:00', bis: '00:00', tage: EVERY_DAY } };
    expect(heldAt(always, '2026-05-04T10:00')).toBe('2026-05-12T00:00');
  });

  test('are those of the clock on the wall when it is put forward or back', () => {
    expect(heldAt(nights(), '2026-03-29T00:30')).toBe('2026-03-29T07:00');
    const zone = 'Europe/Berlin';
    const second = Temporal.ZonedDateTime.from('2026-10-25T02:30+01:00[Europe/Berlin]');
    expect(heldUntil(nights(), second, 1)?.toZonedDateTimeISO(zone).toPlainTime().toString()).toBe(
      '07:00:00',
    );
    const gap: Zeiten = { ...AT_ONCE, ruhestunden: { von: '23:00', bis: '02:30', tage: EVERY_DAY } };
    expect(heldAt(gap, '2026-03-29T01:00')).toBe('2026-03-29T03:30');
  });
});

describe('collecting', () => {
  test('by the hour, by the clock on the wall', () => {
    const hourly: Zeiten = { ...AT_ONCE, sammeln: 'stuendlich' };
    expect(heldAt(hourly, '2026-05-04T10:00')).toBe('2026-05-04T11:00');
    expect(heldAt(hourly, '2026-05-04T10:59')).toBe('2026-05-04T11:00');
    expect(heldAt(hourly, '2026-05-04T10:59', 1, 'Asia/Kolkata')).toBe('2026-05-04T11:00');
  });

  test('by the day', () => {
    const daily: Zeiten = { ...AT_ONCE, sammeln: 'taeglich' };
    expect(heldAt(daily, '2026-05-04T07:59')).toBe('2026-05-04T08:00');
    expect(heldAt(daily, '2026-05-04T08:00')).toBe('2026-05-05T08:00');
  });

  test('waits for the end of quiet hours', () => {
    expect(heldAt({ ...nights(), sammeln: 'stuendlich' }, '2026-05-04T21:30')).toBe('2026-05-05T07:00');
  });

  test('begins by itself when there are very many', () => {
    expect(heldAt(AT_ONCE, '2026-05-04T10:10', WARNINGS_PER_HOUR)).toBeNull();
    expect(heldAt(AT_ONCE, '2026-05-04T10:10', WARNINGS_PER_HOUR + 1)).toBe('2026-05-04T11:00');
  });

  test('is for levels that only tell', () => {
    expect((['beobachten', 'warnen', 'drosseln', 'anhalten', 'sperren'] as const).filter(mayBeHeld)).toEqual([
      'beobachten',
      'warnen',
    ]);
  });
});

test.each([
  [200, false],
  [301, true],
  [307, true],
  [400, true],
  [404, true],
  [408, false],
  [410, true],
  [425, false],
  [429, false],
  [500, false],
  [503, false],
])('a refusal with %i is final: %s', (status, final) => expect(isFinal(status)).toBe(final && status >= 300));

const NOW = new Date('2026-05-04T10:00:00Z');

test.each([
  ['120', 120],
  [' 5 ', 5],
  ['Mon, 04 May 2026 10:01:30 GMT', 90],
  ['Mon, 04 May 2026 09:00:00 GMT', null],
  ['0', null],
  ['-5', null],
  ['999999999', 21_600],
  ['Tue, 05 May 2026 10:00:00 GMT', 21_600],
  ['bald', null],
  [null, null],
])('Retry-After %j asks for %s seconds', (header, seconds) =>
  expect(retryAfterOf(header, NOW)).toBe(seconds),
);

test('what is refused waits until its day is over, or is given up at once', () => {
  const fehler = { de: '', en: '' };
  const refused = (final: boolean) => ({
    delivered: false as const,
    status: 1,
    fehler,
    final,
    retryAfter: null,
  });
  expect(statusAfter({ delivered: true, status: 200 }, NOW, '2026-05-04T09:00:00Z')).toBe('zugestellt');
  expect(statusAfter(refused(false), NOW, '2026-05-04T10:00:01Z')).toBe('wartet');
  expect(statusAfter(refused(false), NOW, '2026-05-04T10:00:00Z')).toBe('aufgegeben');
  expect(statusAfter(refused(true), NOW, '2026-05-05T10:00:00Z')).toBe('aufgegeben');
});
