import { expect, test } from 'vitest';
import { kept } from './kept.ts';

test('is made once for all who ask, again when it is old, and at once after a failure', async () => {
  let now = 0;
  let made = 0;
  let fails = false;
  const answer = kept(
    async () => {
      made += 1;
      if (fails) throw new Error('kaputt');
      return made;
    },
    1_000,
    () => now,
  );
  expect(await Promise.all([answer.get(), answer.get()])).toEqual([1, 1]);
  now = 999;
  expect(await answer.get()).toBe(1);
  now = 1_000;
  fails = true;
  await expect(answer.get()).rejects.toThrow('kaputt');
  fails = false;
  expect(await answer.get()).toBe(3);
  answer.forget();
  expect(await answer.get()).toBe(4);
});
