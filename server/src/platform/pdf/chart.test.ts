import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisOf, stepOf } from './chart.ts';

test('steps are 1, 2 or 5 times a power of ten', () => {
  expect([1n, 4n, 5n, 9n, 17n, 8_980n].map(stepOf)).toEqual([1n, 1n, 2n, 5n, 5n, 5_000n]);
});

test('the axis begins at 0, reaches the largest value and has at most five values', () => {
  const values = fc.array(fc.option(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })), { maxLength: 31 });
  fc.assert(
    fc.property(values, (any) => {
      const axis = axisOf(any);
      expect(axis[0]).toBe(0n);
      expect(axis.length).toBeLessThanOrEqual(5);
      const top = axis.at(-1) as bigint;
      for (const value of any) expect(value === null || value <= top).toBe(true);
    }),
  );
});
