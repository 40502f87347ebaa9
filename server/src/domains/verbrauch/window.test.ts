import { describe, expect, test } from 'vitest';
import { type Fenster, toIsoWithOffset } from '#kernel/zeitraum.ts';
import { resolveWindow, splitWindow } from './window.ts';

const NOW = Temporal.Instant.from('2026-11-21T13:30:00Z');
const resolve = (query: { von?: string; bis?: string }, zone = 'Europe/Berlin') =>
  resolveWindow(query, NOW, zone);

function window(query: { von?: string; bis?: string }, zone?: string): Fenster {
  const result = resolve(query, zone);
  if ('feld' in result) throw new Error(result.grund);
  return result;
}

const show = ({ von, bis }: Fenster) => `${toIsoWithOffset(von)} ${toIsoWithOffset(bis)}`;

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
    [{ von: '0001-01-01', bis: '0002-01-01' }, 'bis'],
    [{ von: '1969-12-01', bis: '1971-01-01' }, 'von'],
    [{ bis: '9999-12-31T23:59:59.000Z' }, 'bis'],
  ])('refuses %j', (query, feld) => {
    expect(resolve(query)).toMatchObject({ feld });
  });

  test('10 years are the most', () => {
    expect(resolve({ von: '2016-11-21', bis: '2026-11-21' })).not.toHaveProperty('feld');
  });
});

describe('splitWindow', () => {
  const hours = (tag: string, von: string, bis: string) => ({ tabelle: 'stunde', tag, von, bis });

  test('whole days from the days, the ends from the hours', () => {
    const query = { von: '2026-11-18T22:00:00.000Z', bis: '2026-11-21T05:00:00.000Z' };
    expect(splitWindow(window(query))).toEqual([
      hours('2026-11-18', '2026-11-18T22:00:00Z', '2026-11-18T23:00:00Z'),
      { tabelle: 'tag', von: '2026-11-19', bis: '2026-11-21' },
      hours('2026-11-21', '2026-11-20T23:00:00Z', '2026-11-21T05:00:00Z'),
    ]);
  });

  test('days only', () => {
    expect(splitWindow(window({ von: '2026-10-24', bis: '2026-10-26' }))).toEqual([
      { tabelle: 'tag', von: '2026-10-24', bis: '2026-10-26' },
    ]);
  });

  test('hours within one day, and across one midnight', () => {
    const within = { von: '2026-11-20T10:00:00.000Z', bis: '2026-11-20T12:00:00.000Z' };
    expect(splitWindow(window(within))).toEqual([
      hours('2026-11-20', '2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z'),
    ]);
    const across = { von: '2026-11-20T22:00:00.000Z', bis: '2026-11-21T01:00:00.000Z' };
    expect(splitWindow(window(across))).toEqual([
      hours('2026-11-20', '2026-11-20T22:00:00Z', '2026-11-20T23:00:00Z'),
      hours('2026-11-21', '2026-11-20T23:00:00Z', '2026-11-21T01:00:00Z'),
    ]);
  });

  test('an empty window has no part', () => {
    const von = Temporal.ZonedDateTime.from('2026-11-20T00:00:00[Europe/Berlin]');
    expect(splitWindow({ von, bis: von })).toEqual([]);
  });
});
