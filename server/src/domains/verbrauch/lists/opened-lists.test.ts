import { expect, test } from 'vitest';
import { GroupSums } from './group-sums.ts';
import { OpenList, toList } from './list.ts';
import { type Opened, OpenedLists } from './opened-lists.ts';

/** Of so many values, each with a call; in memory some 60 bytes a value. */
function opened(values: number): Opened {
  const sums = new GroupSums();
  for (let merkmal = 1; merkmal <= values; merkmal += 1) sums.addText(sums.placeOf(merkmal), 'aufrufe', '1');
  return { lists: [OpenList.of(toList(sums))], sums };
}

test('what was not asked for the longest time makes room for what is new', async () => {
  const lists = new OpenedLists();
  const read: string[] = [];
  const ask = (key: string) =>
    lists.of(key, async () => {
      read.push(key);
      return opened(100_000);
    });
  for (const key of ['a', 'b', 'c', 'a', 'd', 'e', 'f', 'a', 'f']) await ask(key);
  expect(read).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  await ask('b');
  expect(read.at(-1)).toBe('b');
});

test('what cannot be read is asked for again', async () => {
  const lists = new OpenedLists();
  await expect(lists.of('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  const read = opened(1);
  expect(await lists.of('a', async () => read)).toBe(read);
});

test('sums that begin with others leave these as they are', () => {
  const { sums } = opened(3);
  const more = new GroupSums(sums);
  more.addText(more.placeOf(2), 'aufrufe', '5');
  more.addText(more.placeOf(9), 'aufrufe', '7');
  more.addText(more.placeOf(9), 'kosten_eur', '-0.5');
  const callsOf = (of: GroupSums) => of.merkmale.map((merkmal, place) => [merkmal, of.about(place, 0)]);
  expect(callsOf(sums)).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  expect(callsOf(more)).toEqual([
    [1, 1],
    [2, 6],
    [3, 1],
    [9, 7],
  ]);
  expect(sums.has(9)).toBe(false);
  expect(new GroupSums(more).about(3, 0)).toBe(7);
});
