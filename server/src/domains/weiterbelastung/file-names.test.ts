import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainName, uniqueNames } from './file-names.ts';

test.each([
  ['K-4711', 'K-4711'],
  ['Müller & Söhne', 'Mueller_Soehne'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['a"; filename="b\r\nx: y', 'a_filename_b_x_y'],
  ['株式会社', '_'],
  ['x'.repeat(120), 'x'.repeat(60)],
])('%j is %j in a file name', (referenz, name) => {
  expect(plainName(referenz)).toBe(name);
});

test('a name says by itself that it was changed, or that others are like it', () => {
  expect(uniqueNames(['K-1', 'k-2', 'K-2', 'é', 'e'])).toEqual([
    'K-1',
    expect.stringMatching(/^k-2~[0-9a-f]{12}$/),
    expect.stringMatching(/^K-2~[0-9a-f]{12}$/),
    expect.stringMatching(/^e~[0-9a-f]{12}$/),
    expect.stringMatching(/^e~[0-9a-f]{12}$/),
  ]);
});

test('no two references have the same name where case does not count, and every file system takes it', () => {
  const part = fc.constantFrom('a', 'A', 'ä', 'Ä', '/', '\\', '~', '.', ' ', '😀', '会', '-', '0'.repeat(70));
  const references = fc.uniqueArray(
    fc.oneof(
      fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      fc.string(),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(references, (referenzen) => {
      const names = uniqueNames(referenzen);
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(referenzen.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9._~-]{0,73}$/);
    }),
  );
});
