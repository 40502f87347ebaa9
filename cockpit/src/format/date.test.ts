import { describe, expect, it } from 'vitest';
import { dayOf, formatAgo, formatDay, formatDays, formatInstant } from './date.ts';

const zone = 'Europe/Berlin';

describe('dayOf', () => {
  it('is the day of the Mandant, not of UTC', () => {
    expect(dayOf('2026-11-20T23:30:00Z', zone)).toBe('2026-11-21');
    expect(dayOf('2026-11-20T23:30:00Z', 'America/New_York')).toBe('2026-11-20');
  });
});

describe('formatInstant', () => {
  it('shows local time with 24 hours in both languages', () => {
    expect(formatInstant('2026-11-20T23:05:09Z', 'dateTimeSeconds', 'de', zone)).toBe('21.11.2026, 00:05:09');
    expect(formatInstant('2026-11-20T23:05:09Z', 'dateTimeSeconds', 'en', zone)).toBe('21/11/2026, 00:05:09');
  });
});

describe('formatDay', () => {
  it('does not move a day into another time zone', () => {
    expect(formatDay('2026-11-21', 'day', 'de')).toBe('21.11.2026');
    expect(formatDay('2026-11-21', 'dayShort', 'de')).toBe('Sa., 21.11.');
    expect(formatDay('2026-11-01', 'month', 'de')).toBe('Nov. 2026');
  });
});

describe('formatDays', () => {
  it('says once what both days share', () => {
    expect(formatDays('2026-03-01', '2026-03-07', 'de')).toBe('01.–07.03.2026');
    expect(formatDays('2026-03-01', '2026-03-01', 'de')).toBe('01.03.2026');
  });
});

describe('formatAgo', () => {
  const now = new Date('2026-11-21T12:00:00Z');

  it.each([
    ['2026-11-21T11:59:48Z', 'vor 12 Sekunden'],
    ['2026-11-21T11:57:30Z', 'vor 2 Minuten'],
    ['2026-11-21T09:00:00Z', 'vor 3 Stunden'],
    ['2026-11-20T11:00:00Z', 'gestern'],
    ['2026-11-21T12:00:30Z', 'jetzt'],
  ])('%s', (instant, text) => {
    expect(formatAgo(instant, 'de', now)).toBe(text);
  });
});
