import { expect, test } from 'vitest';
import type { Abgleichsumme, Abgleichzeile } from '../../api/types.ts';
import { isSum, linesOf } from './lines.ts';

const row = (monat: string, anbieter: string) => ({ monat, anbieter }) as Abgleichzeile;
const sum = (monat: string, anbieter: number) => ({ monat, anbieter, verglichen: 0 }) as Abgleichsumme;

test('a sum stands behind the last row of its month, once, and not beside a single row', () => {
  const rows = [row('2026-10', 'a'), row('2026-10', 'b'), row('2026-09', 'a'), row('2026-08', 'a')];
  const sums = [sum('2026-10', 2), sum('2026-10', 2), sum('2026-09', 1), sum('2026-08', 2)];
  const lines = linesOf(rows, sums);
  expect(lines.map((line) => [line.monat, isSum(line)])).toEqual([
    ['2026-10', false],
    ['2026-10', false],
    ['2026-10', true],
    ['2026-09', false],
    ['2026-08', false],
    // Its other row is on a page that is not read yet.
    ['2026-08', true],
  ]);
});
