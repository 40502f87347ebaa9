import { expect, it } from 'vitest';
import { EMPTY, toInput, withEntry } from './book.ts';

const approved = (modell: string, ersetzt: string[] = []) => ({ modell, ersetzt });
const content = { ...EMPTY, freigaben: [approved('a'), approved('b')] };
const models = (next: typeof content) => next.freigaben.map(({ modell }) => modell);

it('an entry is added, put in place of another, and removed', () => {
  expect(models(withEntry(content, 'freigaben', null, approved('c')))).toEqual(['a', 'b', 'c']);
  expect(models(withEntry(content, 'freigaben', approved('a'), approved('c')))).toEqual(['c', 'b']);
  expect(models(withEntry(content, 'freigaben', approved('a'), null))).toEqual(['b']);
});

it('an entry that others have changed meanwhile is not lost: the new one is added beside it', () => {
  const other = { ...content, freigaben: [approved('a', ['x'])] };
  expect(models(withEntry(other, 'freigaben', approved('a'), approved('c')))).toEqual(['a', 'c']);
  expect(models(withEntry(other, 'freigaben', approved('a'), null))).toEqual(['a']);
});

it('what is sent names the edition it replaces and has nothing of its author', () => {
  const read = { fassung: 7, erstellt_am: null, erstellt_von: 'anna@muster.example', ...content };
  expect(toInput(7, read)).toEqual({ fassung: 7, ...content });
});
