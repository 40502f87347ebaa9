import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonCursor } from './cursor.ts';
import { ByteStringDictionary } from './string-dictionary.ts';

/** Reads texts and objects as they stand in JSON one behind the other, and answers their numbers. */
function read(texts: ByteStringDictionary, json: string[]): number[] {
  const cursor = new JsonCursor(Buffer.from(`{${json.join('\n')}`));
  texts.reset(cursor.bytes);
  cursor.take(0x7b);
  return json.map((each) => {
    const isObject = each.startsWith('{');
    if (isObject) cursor.object();
    else cursor.text();
    return isObject
      ? texts.numberOf(cursor.start, cursor.end)
      : texts.numberOf(cursor.start - 1, cursor.end + 1);
  });
}

const packed = (texts: ByteStringDictionary): string[] => {
  const { ends, copyTo } = texts.toPacked();
  const bytes = Buffer.alloc(ends.at(-1) ?? 0);
  copyTo(bytes, 0);
  return [...ends.subarray(1)].map((end, index) => bytes.toString('utf8', ends[index], end));
};

describe('texts of a batch', () => {
  test('are numbered from 0 in the order they come, each once', () => {
    const texts = new ByteStringDictionary();
    expect(read(texts, ['"a"', '"ü🦊"', '""', '"a"', '""', '"ab"', '"ü🦊"'])).toEqual([0, 1, 2, 0, 2, 3, 1]);
    expect(texts.size).toBe(4);
    expect(packed(texts)).toEqual(['a', 'ü🦊', '', 'ab']);
  });

  test('are others than free data of the same bytes', () => {
    const texts = new ByteStringDictionary();
    expect(read(texts, ['"{}"', '{}', '"{ }"', '{ }', '{}', '"{}"'])).toEqual([0, 1, 2, 3, 1, 0]);
    expect(packed(texts)).toEqual(['{}', '{}', '{ }', '{ }']);
  });

  test('are kept in another form where that was asked for, and told apart by what was sent', () => {
    const texts = new ByteStringDictionary();
    read(texts, ['"a"', '{ "ä": 1 }', '"b"']);
    texts.replace(1, Buffer.from('{"ä":1}'));
    expect(packed(texts)).toEqual(['a', '{"ä":1}', 'b']);
    texts.reset(Buffer.from('"a"'));
    expect([texts.size, packed(texts)]).toEqual([0, []]);
    expect(read(texts, ['"b"', '"a"'])).toEqual([0, 1]);
    expect(packed(texts)).toEqual(['b', 'a']);
  });

  test('may be more than there are places for, and few again afterwards', () => {
    const texts = new ByteStringDictionary();
    for (const many of [513, 20_000, 10, 3_000]) {
      const distinct = Array.from({ length: many }, (_, index) => `text ${index}`);
      const sent = [...distinct, ...distinct.toReversed()];
      const numbers = read(
        texts,
        sent.map((text) => JSON.stringify(text)),
      );
      const kept = packed(texts);
      expect(numbers.map((number) => kept[number])).toEqual(sent);
    }
  });

  test('are told apart by every byte and by their lengths, in whatever order they come', () => {
    const texts = new ByteStringDictionary();
    // The last bytes decide on the place of a text; most of these share theirs.
    const text = fc
      .tuple(fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'ü', '{'), fc.constantFrom('', 'gleich', 'leich', '}'))
      .map(([beginning, end]) => JSON.stringify(beginning + end));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (json) => {
        const numbers = read(texts, json);
        const kept = packed(texts);
        expect(numbers.map((number) => kept[number])).toEqual(json.map((each) => JSON.parse(each)));
      }),
    );
  });
});
