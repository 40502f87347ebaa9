import { describe, expect, it } from 'vitest';
import { isSessionExpired, isTouchDue, rightsOf } from './rules.ts';

describe('rights of the roles', () => {
  const reading = ['selbst', 'verbrauch.lesen', 'konto.lesen'];
  const administering = [
    ...reading,
    'agenten.aendern',
    'schutz.aendern',
    'schluessel.verwalten',
    'benutzer.verwalten',
    'konto.verwalten',
    'protokoll.lesen',
    'daten.ausgeben',
    'preise.aendern',
    'weiterbelastung.verwalten',
  ];
  it.each([
    ['betrachter', reading],
    ['buchhaltung', [...reading, 'daten.ausgeben', 'preise.aendern', 'weiterbelastung.verwalten']],
    ['bearbeiter', [...reading, 'agenten.aendern', 'schutz.aendern']],
    ['verwalter', administering],
    ['inhaber', [...administering, 'konto.buchen', 'konto.kuendigen']],
  ] as const)('%s', (rolle, rights) => {
    expect([...rightsOf(rolle)].sort()).toEqual([...rights].sort());
  });
});

describe('life of a session', () => {
  const at = (instant: string) => new Date(instant);
  const times = { erstellt_am: '2026-03-01T08:00:00Z', zuletzt_am: '2026-03-01T08:00:00Z' };

  it('ends after twelve idle hours', () => {
    expect(isSessionExpired(times, at('2026-03-01T19:59:59.999Z'))).toBe(false);
    expect(isSessionExpired(times, at('2026-03-01T20:00:00Z'))).toBe(true);
  });

  it('ends fourteen days after its login however busy it is', () => {
    const busy = { ...times, zuletzt_am: '2026-03-15T07:59:00Z' };
    expect(isSessionExpired(busy, at('2026-03-15T07:59:59.999Z'))).toBe(false);
    expect(isSessionExpired(busy, at('2026-03-15T08:00:00Z'))).toBe(true);
  });

  it('is written at most once a minute', () => {
    expect(isTouchDue(times, at('2026-03-01T08:00:59Z'))).toBe(false);
    expect(isTouchDue(times, at('2026-03-01T08:01:00Z'))).toBe(true);
  });
});
