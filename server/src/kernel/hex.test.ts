import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UUID_BYTES, UUID_LENGTH, uuidBytes, uuidText, uuidTexts, writeHex, writeUuid } from './hex.ts';

/** Every second letter large. */
const mixed = (text: string) =>
  [...text].map((letter, index) => (index % 2 ? letter.toUpperCase() : letter)).join('');
const digitsOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const UUID = '0123abcd-4567-89ef-0123-456789abcdef';

describe('a UUID', () => {
  test('comes back from its bytes, which are its digits', () => {
    for (let round = 0; round < 1_000; round += 1) {
      const uuid = randomUUID();
      expect(uuidBytes(uuid)).toEqual(digitsOf(uuid));
      expect(uuidText(uuidBytes(uuid))).toBe(uuid);
    }
  });

  test('of any digits, large or small, comes back in small ones', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: UUID_BYTES, maxLength: UUID_BYTES }), (bytes) => {
        const text = uuidText(Buffer.from(bytes));
        expect(text).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        for (const form of [text, text.toUpperCase(), mixed(text)])
          expect(uuidBytes(form)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('is read from an array as PostgreSQL writes it', () => {
    fc.assert(
      fc.property(fc.array(fc.uuid()), (uuids) => {
        expect(uuidTexts(`{${uuids.join(',')}}`)).toEqual(uuids);
      }),
    );
  });

  test('is read from where it stands, and written to where it shall stand', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
        fc.nat({ max: 20 }),
        (uuid, before, at) => {
          const target = Buffer.alloc(at + UUID_BYTES + 3, 0xee);
          expect(writeUuid(target, at, Buffer.from(`${before}${uuid}}`), before.length)).toBe(true);
          expect(uuidText(target, at)).toBe(uuid);
          target.fill(0xee, at, at + UUID_BYTES);
          expect(target).toEqual(Buffer.alloc(target.length, 0xee));
        },
      ),
    );
  });

  test('with a single character of another kind is none', () => {
    const wrong = fc
      .integer({ min: 0, max: 255 })
      .filter((byte) => !/[0-9a-f]/i.test(String.fromCharCode(byte)));
    fc.assert(
      fc.property(fc.uuid(), fc.nat({ max: UUID_LENGTH - 1 }), wrong, (uuid, at, byte) => {
        const bytes = Buffer.from(uuid);
        fc.pre(bytes[at] !== byte);
        bytes[at] = byte;
        expect(writeUuid(Buffer.alloc(UUID_BYTES), 0, bytes, 0)).toBe(false);
      }),
    );
  });

  test('with a digit in place of a hyphen is none', () => {
    for (const at of [8, 13, 18, 23]) {
      const text = `${UUID.slice(0, at)}0${UUID.slice(at + 1)}`;
      expect(writeUuid(Buffer.alloc(UUID_BYTES), 0, Buffer.from(text), 0)).toBe(false);
    }
  });

  test('whose end is missing is none, wherever it breaks off', () => {
    for (let length = 0; length < UUID_LENGTH; length += 1)
      expect(writeUuid(Buffer.alloc(UUID_BYTES), 0, Buffer.from(UUID.slice(0, length)), 0)).toBe(false);
    expect(writeUuid(Buffer.alloc(UUID_BYTES), 0, Buffer.from(UUID), 1)).toBe(false);
  });

  test.each([
    ['nothing', ''],
    ['one digit less', UUID.slice(1)],
    ['one digit more', `${UUID}0`],
    ['space around', ` ${UUID.slice(0, -2)} `],
    ['a UUID in braces', `{${UUID}}`],
    ['a UUID as a URN', `urn:uuid:${UUID}`],
    ['digits without hyphens', UUID.replaceAll('-', '')],
    ['as long a text of bare digits', 'a'.repeat(UUID_LENGTH)],
    ['other letters', `${UUID.slice(0, -1)}g`],
    ['digits of other alphabets', `${UUID.slice(0, -1)}０`],
    // The low byte of this letter is that of the digit 0.
    ['letters that end like digits', `${UUID.slice(0, -1)}\u0430`],
    ['half an emoji', `${UUID.slice(0, -1)}\ud83d`],
  ])('is not: %s', (_what, text) => {
    expect(() => uuidBytes(text)).toThrow(RangeError);
  });
});

describe('hex digits', () => {
  test('are the bytes that the platform makes of them', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.nat({ max: 9 }),
        fc.nat({ max: 9 }),
        (bytes, from, at) => {
          const text = Buffer.from(bytes).toString('hex');
          for (const form of [text, text.toUpperCase(), mixed(text)]) {
            const target = Buffer.alloc(at + bytes.length + 2, 0xee);
            const source = Buffer.from(`${'"'.repeat(from)}${form}"`);
            expect(writeHex(target, at, source, from, bytes.length)).toBe(true);
            const around = [Buffer.alloc(at, 0xee), Buffer.from(form, 'hex'), Buffer.alloc(2, 0xee)];
            expect(target).toEqual(Buffer.concat(around));
          }
        },
      ),
    );
  });

  test('are only those: every other byte is refused, as the first and as the second of a pair', () => {
    const target = Buffer.alloc(1);
    for (let byte = 0; byte < 256; byte += 1) {
      const isDigit = /[0-9a-f]/i.test(String.fromCharCode(byte));
      expect(writeHex(target, 0, Buffer.from([byte, 0x30]), 0, 1), `first ${byte}`).toBe(isDigit);
      expect(writeHex(target, 0, Buffer.from([0x30, byte]), 0, 1), `second ${byte}`).toBe(isDigit);
    }
  });

  test('are missing when there are fewer than asked for', () => {
    const target = Buffer.alloc(4);
    expect(writeHex(target, 0, Buffer.from('0123456'), 0, 4)).toBe(false);
    expect(writeHex(target, 0, Buffer.from('01234567'), 1, 4)).toBe(false);
    expect(writeHex(target, 0, Buffer.from('01234567'), 0, 4)).toBe(true);
    expect(writeHex(target, 0, Buffer.alloc(0), 0, 0)).toBe(true);
  });
});
