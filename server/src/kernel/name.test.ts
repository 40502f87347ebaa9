import { expect, it } from 'vitest';
import { holdsAddress, nameProblem, oneLine, textProblem } from './name.ts';

it.each([
  'Muster & Söhne GmbH',
  'Café „Zur Post“ Co. KG',
  '株式会社',
  'שלום בע"מ',
  'wwwerk',
  'A: B // C',
  'Müller–Lüdenscheidt 🦊',
])('takes %s as a name', (name) => {
  expect(nameProblem(name)).toBeNull();
  expect(oneLine(name)).toBe(name);
});

const UNSEEN = [0x00, 0x07, 0x09, 0x1b, 0x7f, 0x85, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029];
for (let code = 0x202a; code <= 0x202e; code += 1) UNSEEN.push(code);
for (let code = 0x2066; code <= 0x2069; code += 1) UNSEEN.push(code);

it('refuses every character that is not seen', () => {
  for (const code of UNSEEN) {
    const text = `a${String.fromCodePoint(code)}b`;
    expect(nameProblem(text)?.de, code.toString(16)).toMatch(/Steuerzeichen/);
    expect(textProblem(text)?.de, code.toString(16)).toMatch(/Steuerzeichen/);
    expect(oneLine(text), code.toString(16)).toBe('a b');
  }
});

it('refuses line breaks in a name, not in a text', () => {
  for (const text of ['a\nb', 'a\r\nb']) {
    expect(nameProblem(text)?.de).toMatch(/einer Zeile/);
    expect(textProblem(text)).toBeNull();
  }
  expect(textProblem('a\rb')).not.toBeNull();
});

it.each(['Gewinn https://evil.example', 'ftp://x', 'www.evil.example', 'jetzt: WWW.evil.example'])(
  'refuses the address in %s',
  (name) => {
    expect(nameProblem(name)?.de).toMatch(/Internetadresse/);
    expect(holdsAddress(name)).toBe(true);
    expect(textProblem(name)).toBeNull();
  },
);
