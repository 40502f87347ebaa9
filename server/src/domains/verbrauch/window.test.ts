import { describe, expect, test } from 'vitest';
import { toIsoWithOffset, type Window } from '#kernel/zeitraum.ts';
import { type ReadGrain, resolveWindow, splitWindow } from './window.ts';

const NOW = Temporal.Instant.from('2026-11-21T13:30:00Z');
const resolve = (query: { von?: string; bis?: string }, zone = 'Europe/Berlin') =>
  resolveWindow(query, NOW, zone);

function window(query: { von?: string; bis?: string }, zone?: string): Window {
  const result = resolve(query, zone);
  if ('field' in result) throw new Error(result.reason.de);
  return result;
}

const show = ({ von, bis }: Window) => `${toIsoWithOffset(von)} ${toIsoWithOffset(bis)}`;

const LATER = Temporal.Instant.from('2027-06-01T00:00:00Z');

describe('resolveWindow', () => {
  test('without bounds: from local midnight 30 days ago to the end of the current hour', () => {
    expect(show(window({}))).toBe('2026-10-22T00:00:00+02:00 2026-11-21T15:00:00+01:00');
  });

  test('only von: up to the end of the current hour', () => {
    expect(show(window({ von: '2026-11-20' }))).toBe('2026-11-20T00:00:00+01:00 2026-11-21T15:00:00+01:00');
  });

  test('only bis: the 30 days before it', () => {
    expect(show(window({ bis: '2026-03-31' }))).toBe('2026-03-01T00:00:00+01:00 2026-03-31T00:00:00+02:00');
  });

  test('is widened to whole local hours, which begin at half past in India', () => {
    const query = { von: '2026-11-20T10:10:00.000Z', bis: '2026-11-20T10:40:00.000Z' };
    expect(show(window(query))).toBe('2026-11-20T11:00:00+01:00 2026-11-20T12:00:00+01:00');
    expect(show(window(query, 'Asia/Kolkata'))).toBe('2026-11-20T15:00:00+05:30 2026-11-20T17:00:00+05:30');
  });

  test.each([
    [{ von: '2026-11-21', bis: '2026-11-21' }, 'von'],
    [{ von: '2026-11-21T10:00:00.001Z', bis: '2026-11-21T10:00:00.000Z' }, 'von'],
    [{ von: '2027-01-01' }, 'von'],
    [{ von: '2016-11-20', bis: '2026-11-21' }, 'von'],
    [{ von: '0000-12-31T12:00:00Z', bis: '0002-01-01' }, 'von'],
    [{ bis: '0001-01-05' }, 'von'],
    [{ bis: '9999-12-31T23:59:59.000Z' }, 'bis'],
  ])('refuses %j', (query, field) => {
    expect(resolve(query)).toMatchObject({ field });
  });

  test('reaches back to the year 1, and names instants that the database knows', () => {
    const first = window({ von: '0001-01-01', bis: '0001-02-01' });
    expect(splitWindow(first, ['stunde'], LATER)).toMatchObject([{ von: '0001-01-01T00:00:00Z' }]);
    expect(splitWindow(first, ['woche', 'tag', 'stunde'], LATER)[0]).toMatchObject({ von: '0001-01-01' });
  });

  test('10 years are the most', () => {
    expect(resolve({ von: '2016-11-21', bis: '2026-11-21' })).not.toHaveProperty('field');
  });
});

describe('splitWindow', () => {
  const DAYS: ReadGrain[] = ['tag', 'stunde'];
  const WEEKS: ReadGrain[] = ['woche', 'tag', 'stunde'];

  const parts = (query: { von?: string; bis?: string }, grains: ReadGrain[], now = LATER) =>
    splitWindow(window(query), grains, now).map(
      ({ grain, sign, von, bis }) => `${sign > 0 ? '+' : '-'}${grain} ${von} ${bis}`,
    );

  test('whole days from the days, the ends from the hours', () => {
    const query = { von: '2026-11-18T22:00:00.000Z', bis: '2026-11-21T05:00:00.000Z' };
    expect(parts(query, DAYS)).toEqual([
      '+tag 2026-11-19 2026-11-21',
      '+stunde 2026-11-18T22:00:00Z 2026-11-18T23:00:00Z',
      '+stunde 2026-11-20T23:00:00Z 2026-11-21T05:00:00Z',
    ]);
  });

  test('most of a day as the day without the rest of it', () => {
    const query = { von: '2026-11-19', bis: '2026-11-20T21:00:00.000Z' };
    expect(parts(query, DAYS)).toEqual([
      '+tag 2026-11-19 2026-11-21',
      '-stunde 2026-11-20T21:00:00Z 2026-11-20T23:00:00Z',
    ]);
  });

  test('weeks, and most of a week as the week without its other days', () => {
    // Monday, 2 November, is left out; so is Sunday, the 29th.
    expect(parts({ von: '2026-11-03', bis: '2026-11-29' }, WEEKS)).toEqual([
      '+woche 2026-11-02 2026-11-30',
      '-tag 2026-11-02 2026-11-03',
      '-tag 2026-11-29 2026-11-30',
    ]);
    expect(parts({ von: '2026-11-07', bis: '2026-11-11' }, WEEKS)).toEqual([
      '+tag 2026-11-07 2026-11-09',
      '+tag 2026-11-09 2026-11-11',
    ]);
  });

  test('the current week and day as they are: nothing lies ahead', () => {
    const now = Temporal.Instant.from('2026-11-18T09:10:00Z');
    expect(parts({ von: '2026-11-02', bis: '2026-11-18T10:00:00.000Z' }, WEEKS, now)).toEqual([
      '+woche 2026-11-02 2026-11-23',
      '-tag 2026-11-19 2026-11-23',
      '-stunde 2026-11-18T10:00:00Z 2026-11-18T23:00:00Z',
    ]);
  });

  test('days only', () => {
    expect(parts({ von: '2026-10-24', bis: '2026-10-26' }, DAYS)).toEqual(['+tag 2026-10-24 2026-10-26']);
  });

  test('hours within one day, and across one midnight', () => {
    const within = { von: '2026-11-20T10:00:00.000Z', bis: '2026-11-20T12:00:00.000Z' };
    expect(parts(within, DAYS)).toEqual(['+stunde 2026-11-20T10:00:00Z 2026-11-20T12:00:00Z']);
    const across = { von: '2026-11-20T22:00:00.000Z', bis: '2026-11-21T01:00:00.000Z' };
    expect(parts(across, DAYS)).toEqual([
      '+stunde 2026-11-20T22:00:00Z 2026-11-20T23:00:00Z',
      '+stunde 2026-11-20T23:00:00Z 2026-11-21T01:00:00Z',
    ]);
  });

  test('an empty window has no part', () => {
    const von = Temporal.ZonedDateTime.from('2026-11-20T00:00:00[Europe/Berlin]');
    expect(splitWindow({ von, bis: von }, WEEKS, LATER)).toEqual([]);
  });
});
