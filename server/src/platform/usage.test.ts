import { expect, test } from 'vitest';
import { createUsage } from './usage.ts';

function usageAt() {
  let now = 0;
  const usage = createUsage({ burst: 100, perSecond: 10 }, () => now);
  return {
    ...usage,
    pass: (seconds: number) => {
      now += 1_000 * seconds;
    },
  };
}

test('comes back with time, to each by itself, and no more than was used', () => {
  const { excess, add, pass } = usageAt();
  expect(excess('a')).toBe(-100);
  add('a', 120);
  expect([excess('a'), excess('b')]).toEqual([20, -100]);
  pass(2);
  expect(excess('a')).toBe(0);
  pass(60);
  add('a', 101);
  expect(excess('a')).toBe(1);
});
