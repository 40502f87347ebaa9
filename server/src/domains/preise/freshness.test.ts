import { expect, test } from 'vitest';
import { freshnessOf } from './freshness.ts';
import { loadSupplements } from './supplement/load.ts';

const NOW = new Date('2027-03-10T10:00:00Z');
const DAY = 86_400;

test('of list, supplement and rates, in whole days', () => {
  const { liste, ergaenzung, kurse } = freshnessOf(
    3.5 * DAY,
    { tag: '2027-03-08', geholt_am: '2027-03-08T15:20:00Z' },
    NOW,
  );
  expect(liste).toEqual({ tag: '2027-03-06', alter_tage: 4 });
  expect(kurse).toEqual({ tag: '2027-03-08', alter_tage: 2 });
  const read = loadSupplements().flatMap(({ models }) => models.map((model) => model.read));
  expect(read).toContain(ergaenzung.tag);
  expect(ergaenzung.alter_tage).toBe(Temporal.PlainDate.from(ergaenzung.tag).until('2027-03-10').days);
});

test('is null for what nobody knows, and never below 0', () => {
  expect(freshnessOf(null, null, new Date('2020-01-01T00:00:00Z'))).toMatchObject({
    liste: null,
    ergaenzung: { alter_tage: 0 },
    kurse: null,
  });
});
