import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excessOf, MAX_NAMES, MAX_NESTING, MAX_VALUES } from './extent.ts';

const excess = (text: string) => excessOf(Buffer.from(text));
const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`;
const namesOf = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `"${(first + index).toString(36)}":1`).join(',');

describe('levels of nesting', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  test.each([
    [nested(MAX_NESTING), null],
    [nested(MAX_NESTING + 1), 'nesting'],
    [`{"a":${nested(MAX_NESTING)}}`, 'nesting'],
    ['{"a":'.repeat(MAX_NESTING + 1), 'nesting'],
    // Beside one another, and within text, there may be any number.
    [list(nested(900), 20), null],
    [JSON.stringify('['.repeat(5_000)), null],
    [`["${'['.repeat(5_000)}\\"[[", [[]]]`, null],
  ] as const)('%#', (text, expected) => expect(excess(text)).toBe(expected));
});

describe('values', () => {
  test.each(['1', '""', 'null', '", ,{[,"'])('like %s are counted', (item) => {
    expect(excess(list(item, MAX_VALUES - 1))).toBeNull();
    expect(excess(list(item, MAX_VALUES))).toBe('values');
  });

  test('that hold others count, too, wherever they stand', () => {
    expect(excess(list('{}', MAX_VALUES))).toBe('values');
    expect(excess(list('[[]]', MAX_VALUES / 2))).toBe('values');
    expect(excess(list('{"a":{"b":[1,2]}}', MAX_VALUES / 4))).toBe('values');
  });

  test('of the largest ordinary batch are not too many', () => {
    const event = JSON.stringify(Object.fromEntries(Array.from({ length: 36 }, (_, n) => [`feld_${n}`, n])));
    expect(excess(list(event, 10_000))).toBeNull();
  });
});

describe('names', () => {
  test('that differ are counted, in one object or in many', () => {
    expect(excess(`{${namesOf(Math.floor(0.9 * MAX_NAMES))}}`)).toBeNull();
    // Some share a hash with others.
    expect(excess(`{${namesOf(Math.ceil(1.1 * MAX_NAMES))}}`)).toBe('names');
    const objects = Array.from({ length: 1_100 }, (_, n) => `{${namesOf(20, 20 * n)}}`);
    expect(excess(`[${objects.join(',')}]`)).toBe('names');
  });

  test('that are the same are one', () => {
    expect(excess(list(`{${namesOf(15)}}`, 10_000))).toBeNull();
    expect(excess(list('{"\\u00e4":1,"\\"":1}', 50_000))).toBeNull();
  });
});

test('no text makes it fail, and the look ends with the first excess', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(excessOf(bytes)).toBeNull();
    }),
  );
  let read = 0;
  const endless = new Proxy(Buffer.alloc(1), {
    get(_target, name) {
      if (name === 'length') return 10 * 2 ** 20;
      read += 1;
      return 0x5b;
    },
  });
  expect(excessOf(endless)).toBe('nesting');
  expect(read).toBeLessThan(MAX_NESTING + 10);
});
