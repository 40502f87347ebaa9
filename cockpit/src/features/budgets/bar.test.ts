import { describe, expect, it } from 'vitest';
import { barOf } from './bar.ts';

const schwellen = [
  { prozent: 50, erreicht_am: '2026-11-10' },
  { prozent: 100, erreicht_am: null },
];

describe('barOf', () => {
  it('of a budget that lasts fills the bar with the budget', () => {
    const figures = { budget_eur: '200', verbraucht_eur: '120', prognose_eur: '160', schwellen };
    expect(barOf(figures)).toEqual({
      spent: 0.6,
      forecast: 0.8,
      budget: 1,
      thresholds: [
        { prozent: 50, at: 0.5, reached: true },
        { prozent: 100, at: 1, reached: false },
      ],
      state: 'inTime',
    });
  });

  it('of one that will not last shows by how much', () => {
    const bar = barOf({ budget_eur: '100', verbraucht_eur: '60', prognose_eur: '200', schwellen });
    expect(bar).toMatchObject({ spent: 0.3, forecast: 1, budget: 0.5, state: 'willExceed' });
    expect(bar.thresholds.map(({ at }) => at)).toEqual([0.25, 0.5]);
  });

  it('never expects less than what is spent, and draws a budget of nothing', () => {
    const spent = { budget_eur: '0', verbraucht_eur: '5', prognose_eur: '4', schwellen: [] };
    expect(barOf(spent)).toMatchObject({ spent: 1, forecast: 1, budget: 0, state: 'over' });
    expect(barOf({ ...spent, verbraucht_eur: '0', prognose_eur: '0' })).toMatchObject({
      spent: 0,
      state: 'inTime',
    });
  });
});
