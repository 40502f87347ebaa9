import { expect, test } from 'vitest';
import { createSparing } from './sparing.ts';

test('says each thing once in a while, and no more things than it may', () => {
  let instant = 0;
  const isTime = createSparing({ every: 10, most: 2, now: () => instant });
  expect(['a', 'a', 'b', 'c', 'b'].map(isTime)).toEqual([true, false, true, false, false]);
  instant = 9;
  expect(isTime('a')).toBe(false);
  instant = 10;
  expect(['c', 'a', 'b'].map(isTime)).toEqual([true, true, false]);
});
