import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bucketsIn,
  hourStart,
  nextHour,
  parseZeitraum,
  toIsoWithOffset,
  toUtc,
  type Window,
  wholeHours,
} from './zeitraum.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => Temporal.Instant.from(text);
const berlin = (text: string) => Temporal.ZonedDateTime.from(`${text}[${BERLIN}]`);
const show = ({ von, bis }: Window) => `${toIsoWithOffset(von)} ${toIsoWithOffset(bis)}`;

/** Saturday, 21 November 2026, 14:30 in Berlin. */
const NOW = at('2026-11-21T13:30:00Z');

function parse(text: string, now = NOW, zone = BERLIN) {
  const zeitraum = parseZeitraum(text, now, zone);
  if (!zeitraum) throw new Error(`not a period: ${text}`);
  return zeitraum;
}

const keysOf = (...of: Parameters<typeof bucketsIn>) => bucketsIn(...of).map(({ key }) => key);

describe('words', () => {
  test.each([
    ['heute', '2026-11-21T00:00:00+01:00 2026-11-22T00:00:00+01:00', 'stunde'],
    ['gestern', '2026-11-20T00:00:00+01:00 2026-11-21T00:00:00+01:00', 'stunde'],
    ['7tage', '2026-11-15T00:00:00+01:00 2026-11-22T00:00:00+01:00', 'tag'],
    ['30tage', '2026-10-23T00:00:00+02:00 2026-11-22T00:00:00+01:00', 'tag'],
    ['90tage', '2026-08-24T00:00:00+02:00 2026-11-22T00:00:00+01:00', 'tag'],
    ['woche', '2026-11-16T00:00:00+01:00 2026-11-22T00:00:00+01:00', 'tag'],
    ['monat', '2026-11-01T00:00:00+01:00 2026-11-22T00:00:00+01:00', 'tag'],
    ['vormonat', '2026-10-01T00:00:00+02:00 2026-11-01T00:00:00+01:00', 'tag'],
    ['jahr', '2026-01-01T00:00:00+01:00 2026-11-22T00:00:00+01:00', 'tag'],
  ])('%s', (word, window, aufloesung) => {
    expect(show(parse(word))).toBe(window);
    expect(parse(word).aufloesung).toBe(aufloesung);
  });

  test('the week begins on Monday, also on a Monday and on a Sunday', () => {
    expect(show(parse('woche', at('2026-11-16T05:00:00Z')))).toBe(
      '2026-11-16T00:00:00+01:00 2026-11-17T00:00:00+01:00',
    );
    expect(show(parse('woche', at('2026-11-22T20:00:00Z')))).toBe(
      '2026-11-16T00:00:00+01:00 2026-11-23T00:00:00+01:00',
    );
  });

  test('the day is the one of the zone, not of UTC', () => {
    const lateEvening = at('2026-11-20T23:30:00Z');
    expect(show(parse('heute', lateEvening))).toBe('2026-11-21T00:00:00+01:00 2026-11-22T00:00:00+01:00');
    expect(show(parse('heute', lateEvening, 'America/New_York'))).toBe(
      '2026-11-20T00:00:00-05:00 2026-11-21T00:00:00-05:00',
    );
  });
});

describe('two days', () => {
  test('are both included', () => {
    expect(show(parse('2026-03-01..2026-03-31'))).toBe('2026-03-01T00:00:00+01:00 2026-04-01T00:00:00+02:00');
    expect(parse('2026-03-01..2026-03-02').aufloesung).toBe('stunde');
    expect(parse('2026-03-01..2026-03-03').aufloesung).toBe('tag');
  });

  test('a range that contains now ends with today', () => {
    expect(show(parse('2026-11-20..2026-12-31'))).toBe('2026-11-20T00:00:00+01:00 2026-11-22T00:00:00+01:00');
  });

  test.each([
    'gesternabend',
    '',
    'constructor',
    'HEUTE',
    '2026-03-02..2026-03-01',
    '2026-02-30..2026-03-01',
    '2026-03-01',
    '2026-03-01..',
    '2025-01-01..2026-01-02',
    '0001-01-01..0001-01-02',
    '1969-12-31..1970-01-01',
    '9999-12-30..9999-12-31',
  ])('refuses %j', (text) => {
    expect(parseZeitraum(text, NOW, BERLIN)).toBeNull();
  });

  test('366 days are the most', () => {
    expect(parseZeitraum('2025-01-01..2026-01-01', NOW, BERLIN)).not.toBeNull();
  });
});

describe('vorher', () => {
  test('is as long as the period and cut at the same moment of it', () => {
    expect(show(parse('heute').vorher)).toBe('2026-11-20T00:00:00+01:00 2026-11-20T14:30:00+01:00');
    expect(show(parse('7tage').vorher)).toBe('2026-11-08T00:00:00+01:00 2026-11-14T14:30:00+01:00');
    expect(show(parse('monat').vorher)).toBe('2026-10-11T00:00:00+02:00 2026-10-31T14:30:00+01:00');
  });

  test('is whole for a period that is over', () => {
    expect(show(parse('gestern').vorher)).toBe('2026-11-19T00:00:00+01:00 2026-11-20T00:00:00+01:00');
    expect(show(parse('vormonat').vorher)).toBe('2026-08-31T00:00:00+02:00 2026-10-01T00:00:00+02:00');
  });

  test('is empty for a period that has not begun', () => {
    expect(show(parse('2027-01-01..2027-01-02').vorher)).toBe(
      '2026-12-30T00:00:00+01:00 2026-12-30T00:00:00+01:00',
    );
  });

  test('compares elapsed time on a day the clock changes', () => {
    // 14:30 on 29 March is 13 hours and a half after midnight.
    expect(show(parse('heute', at('2026-03-29T12:30:00Z')).vorher)).toBe(
      '2026-03-28T00:00:00+01:00 2026-03-28T13:30:00+01:00',
    );
    // 23:30 on 25 October is 24 hours and a half after midnight; the day before has 24.
    expect(show(parse('heute', at('2026-10-25T22:30:00Z')).vorher)).toBe(
      '2026-10-24T00:00:00+02:00 2026-10-25T00:00:00+02:00',
    );
  });
});

describe('buckets', () => {
  test('29 March 2026 has 23 hours, 25 October 25, among them 02:00 twice', () => {
    const spring = parse('2026-03-29..2026-03-29');
    const hours = keysOf(spring, spring.bis.toInstant());
    expect(hours).toHaveLength(23);
    expect(hours.slice(1, 3)).toEqual(['2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00']);
    const autumn = parse('2026-10-25..2026-10-25');
    const longer = keysOf(autumn, autumn.bis.toInstant());
    expect(longer).toHaveLength(25);
    expect(longer.slice(2, 4)).toEqual(['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00']);
  });

  test('days across a change of the clock', () => {
    expect(keysOf(parse('2026-10-24..2026-10-26'), NOW)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
  });

  test('end with the bucket that contains `until`', () => {
    const keys = keysOf(parse('heute'), NOW);
    expect(keys).toHaveLength(15);
    expect(keys.at(-1)).toBe('2026-11-21T14:00:00+01:00');
    expect(keysOf(parse('2027-01-01..2027-01-09'), NOW)).toEqual([]);
  });
});

describe('hours', () => {
  test('a window is widened outward, and left alone when it is whole', () => {
    const widened = wholeHours({ von: berlin('2026-11-21T14:30:00'), bis: berlin('2026-11-21T15:00:01') });
    expect(show(widened)).toBe('2026-11-21T14:00:00+01:00 2026-11-21T16:00:00+01:00');
    expect(show(wholeHours(widened))).toBe(show(widened));
  });

  test('the repeated hour of 25 October is two hours', () => {
    expect(toUtc(hourStart(berlin('2026-10-25T02:30:00+02:00')))).toBe('2026-10-25T00:00:00Z');
    expect(toUtc(hourStart(berlin('2026-10-25T02:30:00+01:00')))).toBe('2026-10-25T01:00:00Z');
    expect(toUtc(nextHour(berlin('2026-10-25T02:30:00+02:00')))).toBe('2026-10-25T01:00:00Z');
  });

  test.each([BERLIN, 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Santiago', 'UTC'])(
    'tile the time of %s without gap or overlap',
    (zone) => {
      const millis = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) });
      fc.assert(
        fc.property(millis, (ms) => {
          const instant = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
          const start = hourStart(instant);
          const next = nextHour(instant);
          expect(Temporal.ZonedDateTime.compare(start, instant)).toBeLessThanOrEqual(0);
          expect(Temporal.ZonedDateTime.compare(instant, next)).toBe(-1);
          expect(hourStart(next).equals(next)).toBe(true);
          expect(hourStart(start).equals(start)).toBe(true);
        }),
      );
    },
  );
});
