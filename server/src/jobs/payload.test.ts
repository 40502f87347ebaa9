import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { GiveUp } from './failure.ts';
import { createPayloadReader, olderPayload } from './payload.ts';

const reader = createPayloadReader(3, Type.Object({ empfaenger: Type.Array(Type.String()) }), {
  2: olderPayload(Type.Object({ an: Type.String() }), ({ an }) => ({ empfaenger: [an] })),
});

describe('a payload', () => {
  test('of today is written and read as it is', () => {
    const payload = { empfaenger: ['a', 'ö'] };
    expect(reader.read(3, JSON.parse(reader.write(payload)))).toEqual(payload);
  });

  test('of an earlier version becomes one of today', () => {
    expect(reader.read(2, { an: 'a' })).toEqual({ empfaenger: ['a'] });
  });

  test.each([
    [1, { an: 'a' }, 'payloads of version 1 are not read any more; this is 3'],
    [2, { wer: 'a' }, 'the payload is not one of version 2'],
    [3, { an: 'a' }, 'the payload is not one of version 3'],
    [3, null, 'the payload is not one of version 3'],
  ])('that cannot be read says why: version %i, %j', (version, raw, why) => {
    expect(() => reader.read(version, raw)).toThrow(new GiveUp(why));
  });

  test('that is none is not written', () => {
    expect(() => reader.write({ empfaenger: 'a' } as never)).toThrow(TypeError);
  });
});
