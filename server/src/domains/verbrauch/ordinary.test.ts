import { expect, test } from 'vitest';
import type { SumsRow } from './groups.ts';
import { isDear, jumpOf } from './ordinary.ts';

const costing = (kosten_eur: string) => ({ kosten_eur }) as SumsRow;

test.each([
  ['0.000487', '0.0008', false],
  ['0.49', '0.8', false],
  ['0.5', '0.8', true],
  ['40', '900', true],
  ['40', '9000', false],
  [null, '9000', false],
])('a run of %s of %s in all is dear: %s', (run, total, dear) => {
  expect(isDear(run, total)).toBe(dear);
});

test.each([
  ['0.0009', '0.0001', '0.001', null],
  ['0.6', '0.2', '0.6', null],
  ['0.9', '0.2', '1', 0.7],
  ['9', '8', '9', null],
])('%s EUR where %s is usual is a jump by %s of %s', (now, usual, total, more) => {
  const jump = jumpOf({ schluessel: 'a', now: costing(now), before: [costing(usual)] }, total);
  if (more === null) expect(jump).toBeNull();
  else expect(jump).toBeCloseTo(more);
});
