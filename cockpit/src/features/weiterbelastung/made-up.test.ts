import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDecimal, roundDecimal } from '../../format/decimal.ts';
import { madeUpOf } from './made-up.ts';

it('takes the markup from what the cost to the cent leaves of the charge', () => {
  const line = { abrechenbar_eur: '100.2417', betrag_eur: '115.28', aufschlag_prozent: '15' };
  expect(madeUpOf(line)).toEqual({ cost: '100.24', markup: '15.04' });
});

it('has no markup where the line has none, and a negative one for a discount', () => {
  expect(madeUpOf({ abrechenbar_eur: '3.005', betrag_eur: '3.01', aufschlag_prozent: '0' })).toEqual({
    cost: '3.01',
    markup: null,
  });
  expect(madeUpOf({ abrechenbar_eur: '10', betrag_eur: '9.00', aufschlag_prozent: '-10' })?.markup).toBe(
    '-1',
  );
});

it('knows nothing of a charge that is unknown', () => {
  expect(madeUpOf({ abrechenbar_eur: null, betrag_eur: null, aufschlag_prozent: '15' })).toBeNull();
});

it('adds up to the charge, whatever the cost', () => {
  const cost = fc.tuple(fc.nat(10 ** 6), fc.nat(10 ** 9)).map(([whole, rest]) => `${whole}.${rest}`);
  fc.assert(
    fc.property(cost, fc.integer({ min: -100, max: 10_000 }), (abrechenbar_eur, percent) => {
      const betrag_eur = roundDecimal(abrechenbar_eur, 1);
      const parts = madeUpOf({ abrechenbar_eur, betrag_eur, aufschlag_prozent: String(percent) });
      if (parts?.markup != null)
        expect(addDecimal(parts.cost, parts.markup)).toBe(addDecimal(betrag_eur, '0'));
    }),
  );
});
