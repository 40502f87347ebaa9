import { describe, expect, test } from 'vitest';
import { ByteTexts } from './byte-texts.ts';
import { JsonCursor, UNUSUAL } from './scan-json.ts';

/** Reads texts and objects as they stand in JSON one behind the other, and answers their numbers. */
function read(texts: ByteTexts, json: string[]): number[] {
  const cursor = new JsonCursor(Buffer.from(json.join('\n')));
  texts.reset(cursor.bytes);
  return json.map((each) => {
    if (each.startsWith('{')) cursor.object();
    else cursor.text();
    return texts.numberOf(cursor.start, cursor.end, cursor.hash);
  });
}

const packed = (texts: ByteTexts): string[] => {
  const { ends, bytes } = texts.toPacked();
  return [...ends.subarray(1)].map((end, index) => bytes.toString('utf8', ends[index], end));
};

describe('texts of a batch', () => {
  test('are numbered from 1 in the order they come, each once', () => {
    const texts = new ByteTexts();
    expect(read(texts, ['"a"', '"ü🦊"', '""', '"a"', '""', '"ab"', '"ü🦊"'])).toEqual([1, 2, 3, 1, 3, 4, 2]);
    expect(texts.size).toBe(4);
    expect(packed(texts)).toEqual(['a', 'ü🦊', '', 'ab']);
  });

  test('are others than free data of the same bytes', () => {
    const texts = new ByteTexts();
    expect(read(texts, ['"{}"', '{}', '"{ }"', '{ }', '{}', '"{}"'])).toEqual([1, 2, 3, 4, 2, 1]);
    expect(packed(texts)).toEqual(['{}', '{}', '{ }', '{ }']);
  });

  test('are kept in another form where that was asked for, and told apart by what was sent', () => {
    const texts = new ByteTexts();
    read(texts, ['"a"', '{ "ä": 1 }', '"b"']);
    texts.replace(2, Buffer.from('{"ä":1}'));
    expect(packed(texts)).toEqual(['a', '{"ä":1}', 'b']);
    const { bytes } = new JsonCursor(Buffer.from('"a"'));
    texts.reset(bytes);
    expect([texts.size, packed(texts)]).toEqual([0, []]);
    expect(read(texts, ['"b"', '"a"'])).toEqual([1, 2]);
    expect(packed(texts)).toEqual(['b', 'a']);
  });

  test('may be many more than there was room for, and few again afterwards', () => {
    const texts = new ByteTexts();
    for (const many of [513, 20_000, 10, 3_000]) {
      const distinct = Array.from({ length: many }, (_, index) => `text ${index}`);
      const numbers = distinct.map((_, index) => index + 1);
      const json = distinct.map((text) => JSON.stringify(text));
      expect(read(texts, [...json, ...json.toReversed()])).toEqual([...numbers, ...numbers.toReversed()]);
      expect(packed(texts)).toEqual(distinct);
    }
  });
});

describe('different texts of one hash', () => {
  const texts = new ByteTexts();
  const numbersOf = (distinct: number, hash: number) => {
    texts.reset(Buffer.from(Array.from({ length: distinct }, (_, index) => `${index % 10}`).join('')));
    return Array.from({ length: distinct }, (_, index) => texts.numberOf(index, index + 1, hash));
  };

  test.each([0, -1, 0x7fffffff, -0x80000000])(
    'get different numbers as long as they are few (%i)',
    (hash) => {
      expect(numbersOf(4, hash)).toEqual([1, 2, 3, 4]);
      expect(texts.numberOf(2, 3, hash)).toBe(3);
      expect(packed(texts)).toEqual(['0', '1', '2', '3']);
    },
  );

  test('are told apart by their lengths, too', () => {
    texts.reset(Buffer.from('aaa'));
    expect([3, 2, 1, 2, 3].map((end) => texts.numberOf(0, end, 7))).toEqual([1, 2, 3, 2, 1]);
  });

  test('are given up when they are many: each would have to be compared with all', () => {
    expect(() => numbersOf(10, 7)).toThrow(UNUSUAL);
    expect(numbersOf(2, 7)).toEqual([1, 2]);
  });
});
