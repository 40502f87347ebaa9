import { expect, it } from 'vitest';
import { byState, stateOf } from './validity.ts';

const today = '2026-11-23';
const valid = (gilt_ab: string | null, gilt_bis: string | null) => ({ gilt_ab, gilt_bis });

it.each([
  [valid(null, null), 'now'],
  [valid('2026-11-23', null), 'now'],
  [valid('2026-11-24', null), 'future'],
  [valid(null, '2026-11-24'), 'now'],
  // The day it no longer holds on.
  [valid(null, '2026-11-23'), 'over'],
])('%j is %s', (entry, state) => expect(stateOf(entry, today)).toBe(state));

it('what holds today comes first, what is over last, and each in its order', () => {
  const entries = [
    valid(null, '2026-01-01'),
    valid('2027-01-01', null),
    valid(null, null),
    valid('2026-01-01', null),
  ];
  expect(byState(entries, today)).toEqual([entries[2], entries[3], entries[1], entries[0]]);
});
