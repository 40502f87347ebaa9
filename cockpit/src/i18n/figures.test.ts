import { expect, it } from 'vitest';
import { en } from '../../test/en.ts';
import { de } from './de.ts';

/** Every text by its path. */
function textsOf(part: object, path = ''): [string, string][] {
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : textsOf(value as object, `${path}${key}.`),
  );
}
/** What is put into a text, each once, by its name. */
const figuresIn = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name))].sort();
const english = new Map(textsOf(en));

it('a text says the same figures and names in both languages', () => {
  const differing = textsOf(de)
    // One of anything may be said without a figure.
    .filter(([path]) => !path.endsWith('_one'))
    .filter(([path, text]) => String(figuresIn(text)) !== String(figuresIn(english.get(path) ?? '')))
    .map(([path]) => path);
  expect(differing).toEqual([]);
});

it('a sentence is not the same in both languages', () => {
  const same = textsOf(de).filter(
    ([path, text]) => text === english.get(path) && /\p{L}+ \p{L}+ \p{L}+/u.test(text),
  );
  expect(same).toEqual([]);
});
