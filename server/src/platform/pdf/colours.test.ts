import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, lightOf } from '#test/colours.ts';
import { accentOf, INK, MUTED, PALE } from './colours.ts';

const light = (colour: string) =>
  lightOf(`rgb(${[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(' ')})`);

test('any accent can be read: text at 4.5 to 1, bars at 3 to 1', () => {
  const part = fc.integer({ min: 0, max: 0xffffff });
  fc.assert(
    fc.property(part, (value) => {
      const colour = `#${value.toString(16).padStart(6, '0')}`;
      const { plain, mark, text } = accentOf(colour);
      expect(plain).toBe(colour);
      expect(contrast(light(text), light('#ffffff'))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light(mark), light('#ffffff'))).toBeGreaterThanOrEqual(3);
    }),
  );
});

test('one that can be read stays as it is; what is no colour is that of the service', () => {
  expect(accentOf('#101010')).toEqual({ plain: '#101010', mark: '#101010', text: '#101010' });
  expect(accentOf('rot').plain).toBe(accentOf(null).plain);
});

test('the inks of the kit are readable on its grounds', () => {
  for (const ink of [INK, MUTED])
    for (const ground of ['#ffffff', PALE]) expect(contrast(light(ink), light(ground))).toBeGreaterThan(4.5);
});
