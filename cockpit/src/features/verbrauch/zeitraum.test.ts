import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  daysOf,
  lastWithData,
  lengthOf,
  parseZeitraum,
  shiftZeitraum,
  toZeitraum,
} from './zeitraum.ts';

const today = '2026-11-21'; // a Saturday

describe('daysOf', () => {
  it.each([
    ['heute', '2026-11-21', '2026-11-21'],
    ['gestern', '2026-11-20', '2026-11-20'],
    ['7tage', '2026-11-15', '2026-11-21'],
    ['30tage', '2026-10-23', '2026-11-21'],
    ['woche', '2026-11-16', '2026-11-22'],
    ['monat', '2026-11-01', '2026-11-30'],
    ['vormonat', '2026-10-01', '2026-10-31'],
    ['jahr', '2026-01-01', '2026-12-31'],
    ['2026-02-03..2026-02-05', '2026-02-03', '2026-02-05'],
  ])('%s', (zeitraum, first, last) => {
    expect(daysOf(zeitraum, today)).toEqual({ first, last });
  });

  it('begins the week on Monday, on a Sunday too', () => {
    expect(daysOf('woche', '2026-11-22')).toEqual({ first: '2026-11-16', last: '2026-11-22' });
  });
});

describe('parseZeitraum', () => {
  it('keeps words and ranges', () => {
    expect(parseZeitraum('90tage')).toBe('90tage');
    expect(parseZeitraum('2024-02-29..2024-03-01')).toBe('2024-02-29..2024-03-01');
  });

  it.each([
    'morgen',
    '2026-02-30..2026-03-01',
    '2026-03-02..2026-03-01',
    '2025-01-01..2026-01-02',
    '2026-03-01',
    7,
    undefined,
  ])('refuses %s', (text) => {
    expect(parseZeitraum(text)).toBeUndefined();
  });
});

describe('shiftZeitraum', () => {
  it.each([
    ['heute', -1, 'gestern'],
    ['gestern', -1, '2026-11-19..2026-11-19'],
    ['gestern', 1, 'heute'],
    ['heute', 1, null],
    ['7tage', -1, '2026-11-08..2026-11-14'],
    ['monat', -1, 'vormonat'],
    ['vormonat', -1, '2026-09-01..2026-09-30'],
    ['2026-02-01..2026-02-28', 1, '2026-03-01..2026-03-31'],
    ['jahr', -1, '2025-01-01..2025-12-31'],
    ['jahr', 1, null],
  ] as const)('%s by %i', (zeitraum, step, expected) => {
    expect(shiftZeitraum(zeitraum, step, today)).toBe(expected);
  });

  it('comes back after one step each way, as long as no whole month is met', () => {
    const start = fc.integer({ min: -4000, max: -400 }).map((days) => addDays(today, days));
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 27 }), (first, length) => {
        const zeitraum = `${first}..${addDays(first, length - 1)}`;
        const back = shiftZeitraum(zeitraum, -1, today);
        expect(back === null ? null : shiftZeitraum(back, 1, today)).toBe(zeitraum);
      }),
    );
  });
});

describe('lastWithData', () => {
  it('keeps the length and ends on the last day with data', () => {
    expect(lastWithData('7tage', '2026-10-10', today)).toBe('2026-10-04..2026-10-10');
    expect(lengthOf(daysOf(lastWithData('30tage', '2026-10-10', today), today))).toBe(30);
  });
});

describe('toZeitraum', () => {
  it('prefers the word', () => {
    expect(toZeitraum({ first: today, last: today }, today)).toBe('heute');
  });
});
