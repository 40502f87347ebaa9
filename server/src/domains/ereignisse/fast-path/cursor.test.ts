import { describe, expect, test } from 'vitest';
import { END, FALL_BACK, JsonCursor, wordOf } from './cursor.ts';

/** A cursor over bytes that begin and end in the midst of others, which would go on with anything. */
function over(json: string, rest = '"}]12 ,true', before = '"{[1'): JsonCursor {
  const memory = Buffer.from(before + json + rest);
  const start = Buffer.byteLength(before);
  return new JsonCursor(memory.subarray(start, start + Buffer.byteLength(json)));
}
const read = (json: string, what: 'text' | 'object') => {
  const cursor = over(json);
  cursor[what]();
  return { text: cursor.bytes.toString('utf8', cursor.start, cursor.end), at: cursor.at };
};
const counted = (json: string) => {
  const cursor = over(json);
  return [cursor.count(), cursor.at];
};

describe('the end of the bytes', () => {
  test.each(['', ' ', '\t\r\n '])('is seen behind %j', (json) => {
    const cursor = over(json);
    expect([cursor.peek(), cursor.peek(), cursor.at]).toEqual([END, END, json.length]);
    expect(cursor.takes(0x22)).toBe(false);
    expect(cursor.takesWord(wordOf('true'))).toBe(false);
    expect(() => cursor.take(0x22)).toThrow(FALL_BACK);
    for (const what of ['text', 'count', 'object'] as const) expect(() => cursor[what]()).toThrow(FALL_BACK);
  });

  test.each([
    ['text', '"'],
    ['text', '"ein'],
    ['object', '{'],
    ['object', '{"a":{}'],
    ['object', '{"a'],
    ['object', '{"}'],
  ] as const)('comes too early for %s in %j', (what, json) => {
    expect(() => over(json)[what]()).toThrow(FALL_BACK);
  });

  test('ends a count, whatever stands behind it', () => {
    expect(counted('1')).toEqual([1, 1]);
    expect(counted('  42')).toEqual([42, 4]);
  });
});

describe('a byte and a word', () => {
  test('are taken only if they come next; white space counts for bytes alone', () => {
    const cursor = over(' \n: true');
    expect(cursor.takes(0x2c)).toBe(false);
    cursor.take(0x3a);
    expect(cursor.takesWord(wordOf('true'))).toBe(false);
    expect(cursor.peek()).toBe(0x74);
    expect(cursor.takesWord(wordOf('true'))).toBe(true);
    expect(cursor.peek()).toBe(END);
  });

  test.each(['null', 'false', '"agent"', '"zusatz"', '"eingabe_token"', '"werkzeug_fingerabdruck"'])(
    'every byte of %s matters',
    (text) => {
      const word = wordOf(text);
      const cursor = over(text);
      expect([cursor.takesWord(word), cursor.at]).toEqual([true, text.length]);
      for (let index = 0; index < text.length; index += 1) {
        const other = over(`${text.slice(0, index)}~${text.slice(index + 1)}`);
        expect([other.takesWord(word), other.at], `${index}`).toEqual([false, 0]);
      }
      expect(over(text.slice(0, -1), text.slice(-1)).takesWord(word)).toBe(false);
    },
  );
});

describe('a text', () => {
  test.each(['', 'a', 'ü🦊', "{}[]:,/'", '\u007f\u0080\u2028\ufeff'])('is %j, to the byte', (text) => {
    const { at, text: found } = read(` "${text}"`, 'text');
    expect([found, at]).toEqual([text, Buffer.byteLength(text) + 3]);
  });

  test.each(['a', "'a'", '{}', '1', '"\\n"', '"\\\\"', '"a\\"b"', '"\n"', '"\t"', '"\0"', '"\u001f"'])(
    'is not %j',
    (json) => expect(() => over(json).text()).toThrow(FALL_BACK),
  );
});

describe('a count', () => {
  test.each(['0', '7', '10', '2026', '999999999999999', '123456789012345'])('is %s', (json) => {
    expect(counted(`${json},`)).toEqual([Number(json), json.length]);
  });

  test.each(['', '-1', '-0', '+1', '.5', '00', '01', '"1"', 'null', 'e1', 'x'])('is not %j', (json) =>
    expect(() => over(json, '').count()).toThrow(FALL_BACK),
  );

  test.each(['1.5', '1e3', '1E3', '0x1', '1234567890123456'])('is not all of %s', (json) => {
    const cursor = over(json);
    cursor.count();
    expect(cursor.takes(0x2c) || cursor.takes(0x7d)).toBe(false);
  });
});

describe('an object', () => {
  test.each(['{}', '{ }', '{"a":{"b":[{}]}}', '{"a":"}","{":"{{"}', '{"ü":"🦊"}', '{unsinn}', '{"a":[}'])(
    'goes from brace to brace, whatever stands between them: %s',
    (json) => {
      const { at, text } = read(` ${json}`, 'object');
      expect([text, at]).toEqual([json, Buffer.byteLength(json) + 1]);
    },
  );

  test.each(['[]', '"{}"', 'null', '}', '{"a":"\\n"}', '{"a\\"":1}', '{\\}'])('is not %j', (json) =>
    expect(() => over(json).object()).toThrow(FALL_BACK),
  );
});
