import { expect, test } from 'vitest';
import { unavailable } from '#kernel/errors.ts';
import { inPortions } from './groups.ts';

const TOO_LONG = { de: 'zu lang', en: 'too long' };

/** Answers to questions, none of which has room for more than a limit. */
async function answered(count: number, room: number) {
  const asked: number[] = [];
  const ask = async (some: readonly number[]) => {
    asked.push(some.length);
    if (some.length > room) throw unavailable('abfrage_zu_lang', TOO_LONG);
    return some.length;
  };
  const things = Array.from({ length: count }, (_, index) => index);
  const portions = await Array.fromAsync(inPortions(things, { ask }));
  expect(portions.flatMap(({ some }) => some)).toEqual(things);
  for (const { some, answer } of portions) expect(answer).toBe(some.length);
  return asked;
}

test('all are asked about, in their order, a hundred at a time', async () => {
  expect(await answered(0, 100)).toEqual([]);
  expect(await answered(250, 100)).toEqual([100, 100, 50]);
});

test('about half as many where an answer has no room for them, down to one', async () => {
  expect(await answered(103, 30)).toEqual([100, 50, 25, 50, 25, 50, 25, 28]);
  expect(await answered(3, 1)).toEqual([3, 2, 1, 2, 1, 1]);
});

test('where little is known of each, more are asked about at once; of a few that have much, less', async () => {
  const ROOM = 100_000;
  const things = Array.from({ length: 5_000 }, (_, index) => (index < 4_000 ? 4 : 1_000));
  const sum = (some: readonly number[]) => some.reduce((total, groups) => total + groups, 0);
  const asked: number[] = [];
  const ask = async (some: readonly number[]) => {
    asked.push(some.length);
    if (sum(some) > ROOM) throw unavailable('abfrage_zu_lang', TOO_LONG);
    return sum(some);
  };
  const portions = await Array.fromAsync(inPortions(things, { ask, sizeOf: (groups) => groups }));
  expect(portions.flatMap(({ some }) => some)).toEqual(things);
  expect(asked.slice(0, 5)).toEqual([100, 200, 400, 800, 1_600]);
  expect(Math.max(...portions.slice(-50).map(({ answer }) => answer))).toBeLessThanOrEqual(10_000);
  expect(asked.length).toBeLessThan(150);
});

test('of one alone whose answer has no room, what of it can be answered is asked for', async () => {
  const askAlone = (one: number) => Promise.resolve(-one);
  const ask = async (some: readonly number[]) => {
    if (some.includes(2)) throw unavailable('abfrage_zu_lang', TOO_LONG);
    return some.length;
  };
  const portions = await Array.fromAsync(inPortions([1, 2, 3], { ask, askAlone }));
  expect(portions.map(({ some, answer }) => [some, answer])).toEqual([
    [[1], 1],
    [[2], -2],
    [[3], 1],
  ]);
});

test('of one alone the refusal is told, and any other refusal at once', async () => {
  await expect(answered(2, 0)).rejects.toMatchObject({ code: 'abfrage_zu_lang' });
  const busy = () => Promise.reject(unavailable('ueberlastet', TOO_LONG));
  await expect(Array.fromAsync(inPortions([1, 2], { ask: busy }))).rejects.toMatchObject({
    code: 'ueberlastet',
  });
});
