import { describe, expect, it } from 'vitest';
import { chosenDays, toDays, toInput } from './days.ts';

const today = '2026-03-09';
const own = { first: '2026-02-03', last: '2026-02-05' };

describe('the days that are priced anew', () => {
  it.each([
    ['monat', '2026-03-01', '2026-03-09'],
    ['vormonat', '2026-02-01', '2026-02-28'],
    ['jahr', '2026-01-01', '2026-03-09'],
    ['eigene', '2026-02-03', '2026-02-05'],
  ] as const)('%s: %s to %s, both included', (span, first, last) => {
    expect(chosenDays(span, own, today)).toEqual({ first, last });
  });

  it('are put in order', () => {
    expect(chosenDays('eigene', { first: own.last, last: own.first }, today)).toEqual(own);
  });

  it('end for the service with the first day that is not meant, over months and years', () => {
    expect(toInput({ first: '2025-12-31', last: '2025-12-31' })).toEqual({
      von: '2025-12-31',
      bis: '2026-01-01',
    });
    expect(toDays({ von: '2024-02-01', bis: '2024-03-01' })).toEqual({
      first: '2024-02-01',
      last: '2024-02-29',
    });
  });
});
