import { describe, expect, it } from 'vitest';
import type { VerbrauchZeile } from '../../api/types.ts';
import { hoursToCome, runningKey } from './buckets.ts';

const row = (schluessel: string): VerbrauchZeile => ({
  schluessel,
  kosten_eur: '1.5',
  kosten_usd: '1.6',
  aufrufe: 3,
  eingabe_token: 10,
  ausgabe_token: 5,
  cache_lese_token: 0,
  cache_schreib_token: 0,
  denk_token: 0,
  eingabe_ohne_cache: 10,
  ausgabe_gesamt: 5,
  aufgeteilt: 3,
  token: 15,
  fehler: 0,
  unbepreist: 0,
  teilbepreist: 0,
  geschaetzt: 0,
  verbranntes_geld_eur: '0',
});

const zeitzone = 'Europe/Berlin';
const bis = '2026-11-21T05:00:00+01:00';

describe('runningKey', () => {
  const hours = {
    bis,
    zeitzone,
    aufloesung: 'stunde' as const,
    verlauf: [row('2026-11-21T01:00:00+01:00'), row('2026-11-21T02:00:00+01:00')],
  };

  it('names the hour that contains now', () => {
    expect(runningKey(hours, new Date('2026-11-21T01:59:59Z'))).toBe('2026-11-21T02:00:00+01:00');
  });

  it('names none once the last hour is over', () => {
    expect(runningKey(hours, new Date('2026-11-21T02:00:00Z'))).toBeUndefined();
  });

  it('goes by the day of the Mandant, not by UTC', () => {
    const days = {
      bis,
      zeitzone,
      aufloesung: 'tag' as const,
      verlauf: [row('2026-10-25'), row('2026-10-26')],
    };
    expect(runningKey(days, new Date('2026-10-25T23:30:00Z'))).toBe('2026-10-26');
    expect(runningKey(days, new Date('2026-10-26T23:30:00Z'))).toBeUndefined();
  });

  it('copes with a course without rows', () => {
    expect(runningKey({ ...hours, verlauf: [] }, new Date())).toBeUndefined();
  });
});

describe('hoursToCome', () => {
  it('fills the day up to its end', () => {
    const verlauf = [row('2026-11-21T02:00:00+01:00')];
    expect(hoursToCome({ bis, zeitzone, aufloesung: 'stunde', verlauf })).toEqual([
      '2026-11-21T02:00:00.000Z',
      '2026-11-21T03:00:00.000Z',
    ]);
  });

  it('adds no days', () => {
    expect(hoursToCome({ bis, zeitzone, aufloesung: 'tag', verlauf: [row('2026-11-19')] })).toEqual([]);
  });
});
