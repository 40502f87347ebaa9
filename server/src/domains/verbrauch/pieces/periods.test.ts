import { describe, expect, test } from 'vitest';
import { dayOfText, Periods, textOfDay } from './periods.ts';

const at = (instant: string) => new Periods('Europe/Berlin', Temporal.Instant.from(instant));
const periodOf = (periods: Periods, day: string) => {
  const { von, bis } = periods.of(dayOfText(day));
  return [textOfDay(von), textOfDay(bis)];
};

describe('the period of a day', () => {
  test('is the day, and once its month is over for 26 hours the month', () => {
    const before = at('2026-04-01T23:59:59Z');
    expect(periodOf(before, '2026-03-15')).toEqual(['2026-03-15', '2026-03-15']);
    expect(periodOf(before, '2026-02-03')).toEqual(['2026-02-01', '2026-02-28']);
    const after = at('2026-04-02T00:00:00Z');
    expect(periodOf(after, '2026-03-15')).toEqual(['2026-03-01', '2026-03-31']);
    expect(periodOf(after, '2026-04-01')).toEqual(['2026-04-01', '2026-04-01']);
    expect(periodOf(after, '2026-05-01')).toEqual(['2026-05-01', '2026-05-01']);
    expect(periodOf(after, '0001-12-31')).toEqual(['0001-12-01', '0001-12-31']);
  });
});

describe('what waits', () => {
  const ofDay = (periods: Periods, day: string) => periods.of(dayOfText(day));

  test('of a running day waits for two hours after its end, whose clock may change', () => {
    const periods = at('2026-10-25T20:00:00Z');
    const day = ofDay(periods, '2026-10-25');
    expect(periods.dueApart(day)).toBe('2026-10-26T01:00:00Z');
    expect(periods.dueTogether(day)).toBe('2026-10-26T01:00:00Z');
  });

  test('of a day that is over waits for the end of the month; what comes late for six hours', () => {
    const periods = at('2026-10-26T01:00:00Z');
    const day = ofDay(periods, '2026-10-25');
    expect(periods.dueApart(day)).toBe('2026-10-26T07:00:00Z');
    expect(periods.dueTogether(day)).toBe('2026-11-02T01:00:00Z');
  });

  test('of a month that is over waits no more, but for what comes late', () => {
    const periods = at('2026-11-02T01:00:00Z');
    const month = ofDay(periods, '2026-10-25');
    expect(periods.dueApart(month)).toBe('2026-11-02T07:00:00Z');
    expect(periods.dueTogether(month)).toBeNull();
  });
});
