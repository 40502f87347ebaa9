import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLocalHours } from './local-hours.ts';
import { hourStart } from './zeitraum.ts';

const at = (zone: string, instant: string) => createLocalHours(zone)(Date.parse(instant));

test.each([
  [
    'an ordinary afternoon',
    'Europe/Berlin',
    '2026-07-01T12:59:59.999Z',
    '2026-07-01T12:00:00Z',
    '2026-07-01',
  ],
  [
    'the last instant of a year',
    'Europe/Berlin',
    '2026-12-31T22:59:59.999Z',
    '2026-12-31T22:00:00Z',
    '2026-12-31',
  ],
  [
    'the first instant of a year',
    'Europe/Berlin',
    '2026-12-31T23:00:00Z',
    '2026-12-31T23:00:00Z',
    '2027-01-01',
  ],
  [
    'the hour after the lost one',
    'Europe/Berlin',
    '2026-03-29T01:30:00Z',
    '2026-03-29T01:00:00Z',
    '2026-03-29',
  ],
  ['the first hour called 02', 'Europe/Berlin', '2026-10-25T00:59:59Z', '2026-10-25T00:00:00Z', '2026-10-25'],
  [
    'the second hour called 02',
    'Europe/Berlin',
    '2026-10-25T01:00:00Z',
    '2026-10-25T01:00:00Z',
    '2026-10-25',
  ],
  ['an offset of 5:45', 'Asia/Kathmandu', '2026-06-01T18:14:59Z', '2026-06-01T17:15:00Z', '2026-06-01'],
  ['its midnight', 'Asia/Kathmandu', '2026-06-01T18:15:00Z', '2026-06-01T18:15:00Z', '2026-06-02'],
  ['before 1970', 'Europe/Berlin', '1969-12-31T22:59:59.999Z', '1969-12-31T22:00:00Z', '1969-12-31'],
  [
    'the hour that lasts 90 minutes',
    'Australia/Lord_Howe',
    '2026-04-04T15:20:00Z',
    '2026-04-04T14:00:00Z',
    '2026-04-05',
  ],
  [
    'the hour that lasts 30 minutes',
    'Australia/Lord_Howe',
    '2026-10-03T15:40:00Z',
    '2026-10-03T15:30:00Z',
    '2026-10-04',
  ],
])('%s', (_name, zone, instant, stunde, tag) => {
  expect(at(zone, instant)).toEqual({ stunde, tag });
});

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/St_Johns',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
];

test('agrees with the hours of the queries in every zone, at any time since 1970, however often it is asked', () => {
  const hoursOf = new Map(ZONES.map((zone) => [zone, createLocalHours(zone)]));
  const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), instants, (zone, ms) => {
      const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
      const expected = {
        stunde: hourStart(local).toInstant().toString(),
        tag: local.toPlainDate().toString(),
      };
      const hours = hoursOf.get(zone);
      expect(hours?.(ms)).toEqual(expected);
      expect(hours?.(ms)).toEqual(expected);
    }),
    { numRuns: 3_000, seed: 1 },
  );
});

test('agrees with them around every change of the clock', () => {
  for (const zone of ZONES) {
    const hours = createLocalHours(zone);
    let change = Temporal.Instant.from('2020-01-01T00:00Z')
      .toZonedDateTimeISO(zone)
      .getTimeZoneTransition('next');
    while (change && change.year < 2030) {
      for (let minutes = -120; minutes <= 120; minutes += 5) {
        const local = change.add({ minutes });
        expect(hours(local.epochMilliseconds), `${local}`).toEqual({
          stunde: hourStart(local).toInstant().toString(),
          tag: local.toPlainDate().toString(),
        });
      }
      change = change.getTimeZoneTransition('next');
    }
  }
});
