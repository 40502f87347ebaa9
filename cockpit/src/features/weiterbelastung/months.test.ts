import { describe, expect, it } from 'vitest';
import { isMonth, lastMonths, monthsBetween, shiftMonth } from './months.ts';

describe('months', () => {
  it('are shifted over the turn of a year', () => {
    expect(shiftMonth('2026-01', -1)).toBe('2025-12');
    expect(shiftMonth('2026-12', 1)).toBe('2027-01');
    expect(shiftMonth('2026-07', -19)).toBe('2024-12');
  });

  it('are counted from the earlier to the later one', () => {
    expect(monthsBetween('2025-11', '2026-02')).toBe(3);
    expect(monthsBetween('2026-02', '2026-02')).toBe(0);
  });

  it.each(['2026-00', '2026-13', '2026-1', '26-01', '1969-12', ' 2026-01', '', undefined, 202601])(
    'are not what the service does not know: %j',
    (text) => expect(isMonth(text)).toBe(false),
  );

  it.each(['1970-01', '2026-12', '9999-09'])('are named by year and month: %s', (text) =>
    expect(isMonth(text)).toBe(true),
  );

  it('to choose from reach back to the one that is shown', () => {
    expect(lastMonths('2026-02', '2026-02', 3)).toEqual(['2026-02', '2026-01', '2025-12']);
    expect(lastMonths('2026-02', '2025-11', 2)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
  });
});
