import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIGURE_NAMES } from '#contracts';
import { readFormerList } from './former-list.ts';

interface Written {
  groessen: string[];
  listen: { liste: string; gruppen: Record<string, string[]> }[];
}
/** Lists as the last release that made them wrote them: none, few and many groups, compressed, of either sign, beyond 128 bits. */
const { groessen, listen }: Written = JSON.parse(
  readFileSync(new URL('./former-lists.json', import.meta.url), 'utf8'),
);

test.each(listen.entries().toArray())('list %i is what was written', (_, { liste, gruppen }) => {
  const groups = readFormerList(Buffer.from(liste, 'base64'));
  const read = groups.map(({ merkmal, values }) => [
    `${merkmal}`,
    groessen.map((name) => `${values[FIGURE_NAMES.indexOf(name as (typeof FIGURE_NAMES)[number])]}`),
  ]);
  expect(Object.fromEntries(read)).toEqual(gruppen);
});

test('a list is refused when a later version has written it', () => {
  expect(() => readFormerList(Buffer.from([3, 0]))).toThrow('version 3');
  expect(() => readFormerList(Buffer.from([1, 1, 1, 18, 0, 1, 1]))).toThrow('figure of a later version');
});
