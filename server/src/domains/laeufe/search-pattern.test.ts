import { expect, test } from 'vitest';
import { containing } from './search-pattern.ts';

const matches = (text: string, sought: string) => new RegExp(containing(sought)).test(text);

test.each([
  ['Müller & Söhne', 'muller & SOHNE'],
  ['Müller & Söhne', 'ÜLL'],
  ['Mu\u0308ller', 'müller'],
  ['МОСКВА', 'москва'],
  ['Ελλάδα', 'ΕΛΛΑΔΑ'],
  ['a^b$c.d*e+f?g(h)i[j]k{l}m|n\\o-p/q', 'A^B$C.D*E+F?G(H)I[J]K{L}M|N\\O-P/Q'],
  ['東京', '東京'],
])('%s contains %s', (text, sought) => {
  expect(matches(text, sought)).toBe(true);
});

test.each([
  ['Muller', 'müllerin'],
  ['abc', 'a.c'],
  ['abc', '.*'],
  ['10 %', '1%'],
])('%s does not contain %s', (text, sought) => {
  expect(matches(text, sought)).toBe(false);
});
