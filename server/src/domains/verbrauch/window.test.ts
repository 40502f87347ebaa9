import { describe, expect, test } from 'vitest';
import { toIsoWithOffset, type Window } from '#kernel/zeitraum.ts';
import { resolveWindow } from './window.ts';

const NOW = Temporal.Instant.from('2026-11-21T13:30:00Z');
const resolve = (query: { von?: string; bis?: string }, zone = 'Europe/Berlin') =>
  resolveWindow(query, NOW, zone);

function window(query: { von?: string; bis?: string }, zone?: string): Window {
  const result = resolve(query, zone);
  if ('field' in result) throw new Error(result.reason.de);
  return result;
}

const show = ({ von, bis }: Window) => `${toIsoWithOffset(von)} ${toIsoWithOffset(bis)}`;

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

  test('reaches back to the year 1', () => {
    expect(show(window({ von: '0001-01-01', bis: '0001-02-01' }, 'UTC'))).toBe(
      '0001-01-01T00:00:00+00:00 0001-02-01T00:00:00+00:00',
    );
  });

  test('10 years are the most', () => {
    expect(resolve({ von: '2016-11-21', bis: '2026-11-21' })).not.toHaveProperty('field');
  });
});
