import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import {
  boolean,
  count,
  date,
  datetime,
  dayOrInstant,
  decimalInput,
  email,
  integer,
  oneOf,
  optional,
  record,
  secret,
  Type,
  text,
  uuid,
} from '#contracts';
import { Pass } from './faults.ts';
import { compileCheck } from './index.ts';
import { compileReader } from './readers.ts';
import { holdsStorableText } from './storable.ts';
import { refined } from './strict.ts';

const instant = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const iso = instant.map((at) => at.toISOString());
const day = iso.map((at) => at.slice(0, 10));
const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String);
const decimal = fc.tuple(digits, fc.nat()).map(([whole, places]) => `${whole}.${places}`);

/** Every building block with values close to its canonical form. */
const BLOCKS: Record<string, [TSchema, fc.Arbitrary<unknown>]> = {
  text: [text({ min: 1, max: 5 }), fc.string({ unit: 'binary', maxLength: 7 })],
  pattern: [Type.String({ pattern: '^[0-9a-fA-F]{4}$' }), fc.stringMatching(/^[0-9a-fA-F]{3,5}$/)],
  secret: [secret({ min: 10 }), fc.string()],
  email: [email(), fc.oneof(fc.emailAddress(), fc.string())],
  word: [oneOf('csv', 'ledger'), fc.constantFrom('csv', 'ledger', 'LEDGER')],
  uuid: [uuid(), fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase(), `{${id}}`, id.slice(1)))],
  datetime: [
    datetime(),
    fc.oneof(
      iso,
      iso.map((at) => at.replace('Z', '+02:00')),
      iso.map((at) => at.replace(/\.\d+/, '')),
      day,
      fc.double(),
    ),
  ],
  date: [
    date(),
    fc.oneof(
      day,
      iso,
      day.map((at) => at.replace(/..$/, '31')),
      fc.integer(),
    ),
  ],
  dayOrInstant: [dayOrInstant(), fc.oneof(day, iso, fc.double())],
  integer: [integer({ min: -5, max: 5 }), fc.oneof(fc.integer({ min: -7, max: 7 }), digits)],
  count: [count(), fc.oneof(fc.double(), fc.maxSafeNat(), digits)],
  boolean: [boolean(), fc.oneof(fc.boolean(), fc.constantFrom('yes', 'OFF', 0, 1, 2))],
  decimal: [decimalInput(), fc.oneof(decimal, digits, fc.double())],
  bounded: [decimalInput({ min: '0', max: '1000' }), fc.oneof(decimal, fc.double({ min: -1, max: 1001 }))],
  record: [record(), fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.object())],
  array: [
    Type.Array(integer(), { minItems: 1, maxItems: 3 }),
    fc.array(fc.oneof(fc.integer(), digits), { maxLength: 4 }),
  ],
  optional: [optional(uuid()), fc.option(fc.uuid())],
};

const awkward = fc.constantFrom<unknown>(
  '\ud800',
  'a\0b',
  Number.POSITIVE_INFINITY,
  -0,
  null,
  undefined,
  [],
  {},
  '__proto__',
  '0'.repeat(5000),
);
const anything = fc.oneof(fc.jsonValue(), fc.anything({ withBigInt: false }), awkward);

describe.each(Object.entries(BLOCKS))('%s', (_name, [schema, near]) => {
  const body = Type.Object({ f: Type.Optional(schema) });
  const strict = Compile(refined(body));
  const read = compileReader(body);
  const check = compileCheck(body);
  const value = fc
    .oneof({ arbitrary: near, weight: 3 }, { arbitrary: anything, weight: 1 })
    .map((f) => ({ f }));

  it('never throws, and says why it refuses', () => {
    fc.assert(
      fc.property(fc.oneof(value, anything), (given) => {
        const result = check(given, ['body']);
        if (result.ok) return;
        expect(result.faults.length).toBeGreaterThan(0);
        for (const { loc, msg } of JSON.parse(JSON.stringify(result.faults))) {
          expect(loc[0]).toBe('body');
          expect(msg).not.toContain('undefined');
        }
      }),
    );
  });

  it('reads laxly, to an equal value, whatever passes strictly', () => {
    fc.assert(
      fc.property(value, (given) => {
        fc.pre(strict.Check(given) && holdsStorableText(given) && given.f !== undefined);
        const pass = new Pass(['body'], 'enclosing');
        expect(read(given, pass)).toStrictEqual(given);
        expect(pass.faults).toEqual([]);
      }),
      { maxSkipsPerRun: 1000 },
    );
  });

  it('makes canonical what it reads laxly', () => {
    fc.assert(
      fc.property(value, (given) => {
        const result = check(given, ['body']);
        if (result.ok) expect(strict.Check(result.value)).toBe(true);
      }),
    );
  });
});

it('shows no secret, wherever it stands', () => {
  const CANARY = 'geheimes-wort';
  const login = Type.Object({
    email: email(),
    passwort: secret({ max: 3 }),
    code: optional(secret({ min: 20 })),
  });
  const check = compileCheck(Type.Object({ a: login, list: Type.Array(login, { maxItems: 1 }) }));
  const part = fc.record(
    {
      email: fc.constantFrom('a@b.de', 5, null),
      passwort: fc.constant(CANARY),
      code: fc.constant(CANARY),
      extra: fc.constant(CANARY),
    },
    { requiredKeys: [] },
  );
  const side = fc.oneof(part, fc.array(part), fc.constant(CANARY), fc.constant([CANARY]));
  const body = fc.oneof(fc.record({ a: side, list: side }, { requiredKeys: [] }), side);
  fc.assert(
    fc.property(body, (given) => {
      const result = check(given, ['body']);
      expect(JSON.stringify(result.ok ? [] : result.faults)).not.toContain(CANARY);
    }),
  );
});
