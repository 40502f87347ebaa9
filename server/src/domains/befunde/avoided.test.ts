import { expect, test } from 'vitest';
import { BEFUND_WERTE, REGELTYP_NAMEN, REGELTYPEN } from '#contracts';
import { avoidedOf, extentFigureOf } from './avoided.ts';
import { isAtLeast } from './rules.ts';

const stopped = (kosten_eur: string | null, extent = 6) => ({ kosten_eur, extent });

test.each([
  ['three cases: the one in the middle', [160, 420, 1_400], { eur: '41.4', weitere: 414, faelle: 3 }],
  ['of two in the middle the lower', [1_400, 160, 420, 900], { eur: '41.4', weitere: 414, faelle: 4 }],
  ['most ended by themselves: nothing was avoided', [5, 5, 1_400], { eur: '0', weitere: 0, faelle: 3 }],
  ['two say nothing', [160, 420], { eur: null, weitere: null, faelle: 2 }],
  ['none', [], { eur: null, weitere: null, faelle: 0 }],
])('%s', (_, cases, expected) => {
  expect(avoidedOf(stopped('0.6'), cases)).toEqual(expected);
});

test('what does not divide is rounded down, beyond doubles exact', () => {
  expect(avoidedOf(stopped('1', 3), [4, 4, 4]).eur).toBe('0.3333333333');
  expect(avoidedOf(stopped('90071992547409931.0000000006', 2), [3, 3, 3]).eur).toBe(
    '45035996273704965.5000000003',
  );
});

test('without a price the calls are known, their cost is not', () => {
  expect(avoidedOf(stopped(null), [160, 420, 1_400])).toEqual({ eur: null, weitere: 414, faelle: 3 });
});

test('of every type that can stop a run it is known how many calls it came to', () => {
  const stopping = REGELTYP_NAMEN.filter(
    (typ) => REGELTYPEN[typ].objekt === 'lauf' && isAtLeast(REGELTYPEN[typ].hoechstens, 'anhalten'),
  );
  expect(stopping.length).toBeGreaterThan(3);
  const figures: Partial<Record<string, { properties: object }>> = BEFUND_WERTE;
  for (const typ of stopping) expect(figures[typ]?.properties).toHaveProperty(extentFigureOf(typ) ?? typ);
});
