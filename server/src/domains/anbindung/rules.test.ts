import { describe, expect, it } from 'vitest';
import { stepsOf } from './rules.ts';

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
