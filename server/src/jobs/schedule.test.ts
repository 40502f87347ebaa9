import { expect, test } from 'vitest';
import { latestTime } from './schedule.ts';

const MINUTE = 60_000;

/** The times that somebody sees who looks every minute from an instant on, in order. */
function timesOf(cron: string, from: string, hours: number): string[] {
  const looks = Array.from({ length: hours * 60 }, (_, index) => Date.parse(from) + index * MINUTE + 1);
  return [...new Set(looks.map((at) => latestTime(cron, new Date(at))?.toISOString() ?? ''))];
}

test.each([
  [
    'once where the night has the hour twice',
    '23 2 * * *',
    '2026-10-24T22:00:00Z',
    '2026-10-25T00:23:00.000Z',
  ],
  ['at the end of an hour that is missing', '23 2 * * *', '2026-03-28T22:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['at its hour in Berlin in winter', '23 2 * * *', '2026-01-09T22:00:00Z', '2026-01-10T01:23:00.000Z'],
  ['at its hour in Berlin in summer', '23 2 * * *', '2026-07-09T22:00:00Z', '2026-07-10T00:23:00.000Z'],
])('a nightly job comes %s', (_, cron, from, time) => {
  expect(timesOf(cron, from, 12).slice(1)).toEqual([time]);
});

test.each(['2026-10-24T22:00:00Z', '2026-03-28T22:00:00Z'])(
  'what comes every five minutes or every hour does so in the night of %s, too',
  (from) => {
    const steps = (times: string[]) =>
      new Set(times.slice(1).map((time, index) => Date.parse(time) - Date.parse(times[index] ?? '')));
    expect(steps(timesOf('*/5 * * * *', from, 8))).toEqual(new Set([5 * MINUTE]));
    expect(steps(timesOf('17 * * * *', from, 8))).toEqual(new Set([60 * MINUTE]));
  },
);
