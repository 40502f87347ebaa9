import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Extent, excessOf } from './extent.ts';

const excess = (text: string) => excessOf(Buffer.from(text));
const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`;
const namesOf = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `"${(first + index).toString(36)}":1`).join(',');
const event = (zusatz: string) => `{"ereignisse":[{"zusatz":${zusatz}}]}`;

describe('levels of nesting', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  test.each([
    [nested(1_000), null],
    [nested(1_001), 'nesting'],
    [`{"a":${nested(1_000)}}`, 'nesting'],
    ['{"a":'.repeat(1_001), 'nesting'],
    // Within text there may be any number.
    [JSON.stringify('['.repeat(5_000)), null],
    [`["${'['.repeat(5_000)}\\"[[", [[]]]`, null],
  ] as const)('%#', (text, expected) => expect(excess(text)).toBe(expected));
});

describe('values', () => {
  test.each(['1', '""', 'null', '", ,{[,"'])('like %s are counted', (item) => {
    expect(excess(list(item, 399_998))).toBeNull();
    expect(excess(list(item, 400_001))).toBe('values');
  });

  test('that hold others count, too', () => {
    expect(excess(list('{}', 200_001))).toBe('values');
    expect(excess(list('{"a":{}}', 133_400))).toBe('values');
  });

  test('of the largest ordinary batch are not too many', () => {
    const fields = Object.fromEntries(Array.from({ length: 36 }, (_, n) => [`feld_${n}`, n]));
    expect(excess(list(JSON.stringify(fields), 10_000))).toBeNull();
  });

  test('in free data are as many as are ordinary for the length, some thousands in any case', () => {
    expect(excess(event(`{"a":${list('1', 4_900)}}`))).toBeNull();
    expect(excess(event(`{"a":${list('1', 5_100)}}`))).toBe('values');
    expect(excess(event(`{"a":${list('"an ordinary text, neither long nor short"', 50_000)}}`))).toBeNull();
    expect(excess(event(`{"a":${list('"a"', 50_000)}}`))).toBe('values');
  });
});

describe('names', () => {
  test('that differ are counted, in one object or in many', () => {
    expect(excess(`{${namesOf(1_900)}}`)).toBeNull();
    // Some share a hash with others.
    expect(excess(`{${namesOf(2_300)}}`)).toBe('names');
    const objects = Array.from({ length: 150 }, (_, n) => `{${namesOf(20, 20 * n)}}`);
    expect(excess(`[${objects.join(',')}]`)).toBe('names');
  });

  test('may be more in a longer text', () => {
    expect(excess(`{${namesOf(3_000)},"text":"${'x'.repeat(2_000_000)}"}`)).toBeNull();
  });

  test('that are the same are one', () => {
    expect(excess(list(`{${namesOf(15)}}`, 10_000))).toBeNull();
    expect(excess(list('{"\\u00e4":1,"\\"":1}', 50_000))).toBeNull();
  });
});

test('a text in pieces has what all of them have', () => {
  const extent = new Extent(100);
  const piece = Buffer.from(list('1', 1_100));
  const found = Array.from({ length: 6 }, () => extent.add(piece, 0, piece.length, 3));
  expect(found).toEqual([null, null, null, null, 'values', 'values']);
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
  expect(read).toBeLessThan(1_010);
});
