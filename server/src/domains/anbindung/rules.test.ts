import { describe, expect, it } from 'vitest';
import { clockErrorOf, stepsOf } from './rules.ts';

describe('checklist', () => {
  const nothing = {
    hasActiveKey: false,
    hasConfirmedLimits: false,
    hasEvents: false,
    hasNamedAgent: false,
    hasEndkunde: false,
  };
  const done = (progress: typeof nothing) =>
    stepsOf(progress)
      .schritte.filter((step) => step.erledigt)
      .map((step) => step.schritt);

  it.each([
    [{}, ['konto']],
    [{ hasActiveKey: true }, ['konto', 'schluessel']],
    [{ hasConfirmedLimits: true }, ['konto', 'geldgrenzen']],
    [{ hasEvents: true }, ['konto', 'erster_aufruf']],
    [{ hasNamedAgent: true }, ['konto', 'agent_benannt']],
    [{ hasEndkunde: true }, ['konto', 'endkunde_zugeordnet']],
  ])('%j', (progress, steps) => {
    expect(done({ ...nothing, ...progress })).toEqual(steps);
    expect(stepsOf({ ...nothing, ...progress }).abgeschlossen).toBe(false);
  });

  it('is complete when every step is done', () => {
    const all = {
      hasActiveKey: true,
      hasConfirmedLimits: true,
      hasEvents: true,
      hasNamedAgent: true,
      hasEndkunde: true,
    };
    expect(stepsOf(all).abgeschlossen).toBe(true);
  });
});

describe('the clock of a sender', () => {
  const NOON = Date.parse('2026-11-27T12:00:00Z');
  /** Calls that come in one after the other, each this many seconds after it says that it has ended. */
  const late = (...seconds: number[]) =>
    seconds.map((by, place) => {
      const received = NOON + 5_000 * place;
      return { received, ended: received - 1_000 * by };
    });

  it.each([
    ['hours behind', late(10_801, 10_803, 10_800), 10_800],
    ['hours ahead', late(-7_200, -7_198, -7_190), -7_200],
    ['right, with calls that waited', late(1, 40, 12), null],
    ['right, with calls that waited longer', late(400, 20, 3), null],
    ['not known by two receipts', late(10_800, 10_800), null],
    ['not known by what is imported, each of another time', late(86_000, 40_000, 7_000), null],
  ])('is %s', (_, arrivals, seconds) => {
    expect(clockErrorOf(arrivals)).toBe(seconds);
  });

  it('is not known by one batch, however many calls it has', () => {
    const one = { received: NOON, ended: NOON - 10_800_000 };
    expect(clockErrorOf([one, one, one, one])).toBeNull();
  });
});
