/** PostgreSQL itself is the judge: what it reads from the bytes must be what it reads from text. */
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instantOf } from '#kernel/microseconds.ts';
import { textOf } from '#kernel/money.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { BinaryArray, type ElementType } from './binary-array.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

async function readBack(type: ElementType, array: BinaryArray): Promise<string[]> {
  const { rows } = await client.query<{ wert: string }>(
    `SELECT trim_scale(wert::numeric)::text AS wert FROM unnest($1::${type}[]) WITH ORDINALITY AS n (wert, i) ORDER BY i`,
    [array.finish()],
  );
  return rows.map(({ wert }) => wert);
}

const RANGES = {
  smallint: fc.integer({ min: -32_768, max: 32_767 }),
  int: fc.integer(),
  bigint: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  numeric: fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -20_000, max: 20_000 }),
    fc.bigInt({ min: -(10n ** 130n), max: 10n ** 130n }),
  ),
} satisfies Partial<Record<ElementType, fc.Arbitrary<number | bigint>>>;

test.each(Object.keys(RANGES) as (keyof typeof RANGES)[])('whole numbers of type %s', async (type) => {
  await fc.assert(
    fc.asyncProperty(fc.array(RANGES[type], { minLength: 1, maxLength: 300 }), async (values) => {
      const array = new BinaryArray(type);
      for (const value of values) array.whole(value);
      expect(await readBack(type, array)).toEqual(values.map((value) => BigInt(value).toString()));
    }),
    { numRuns: 20 },
  );
});

test('UUIDs, some of them null', async () => {
  const uuids = fc.array(fc.option(fc.uuid()), { minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(uuids, async (values) => {
      const array = new BinaryArray('uuid');
      for (const value of values)
        if (value === null) array.null();
        else array.uuid(value);
      const { rows } = await client.query<{ werte: (string | null)[] }>(
        'SELECT $1::uuid[]::text[] AS werte',
        [array.finish()],
      );
      expect(rows[0]?.werte).toEqual(values);
    }),
    { numRuns: 20 },
  );
});

test.each(['', 'ab', '01234567-89ab-cdef-0123-456789abcdef0', '0123456789abcdef-0123-456789abcdef-01'])(
  'what is no UUID is refused: %s',
  (text) => {
    expect(() => new BinaryArray('uuid').uuid(text)).toThrow(RangeError);
  },
);

test('amounts', async () => {
  const amount = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n });
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 100 }), async (values) => {
      const array = new BinaryArray('numeric');
      for (const value of values) array.scaled(value, 34);
      expect(await readBack('numeric', array)).toEqual(values.map((value) => textOf(value, 34)));
    }),
    { numRuns: 20 },
  );
});

test('digits to the base of 10,000', async () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9_999 }), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(digits, fc.integer({ min: 0, max: 110 }), async (list, zeros) => {
      const array = new BinaryArray('numeric');
      array.digits(list, list.length, zeros);
      const whole = list.reduce((sum, digit) => sum * 10_000n + BigInt(digit), 0n) * 10_000n ** BigInt(zeros);
      expect(await readBack('numeric', array)).toEqual([whole.toString()]);
    }),
    { numRuns: 50 },
  );
});

/** As the database writes the values of a column. */
async function textsOf(type: ElementType, array: BinaryArray): Promise<(string | null)[]> {
  const { rows } = await client.query<{ wert: string | null }>(
    `SELECT wert::text FROM unnest($1::${type}[]) WITH ORDINALITY AS n (wert, i) ORDER BY i`,
    [array.finish()],
  );
  return rows.map(({ wert }) => wert);
}

test('texts, and nothing, are read as they are', async () => {
  const texts = fc.array(fc.option(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))));
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      const array = new BinaryArray('text');
      for (const value of values) {
        if (value === null) array.null();
        else array.text(value);
      }
      expect(await textsOf('text', array)).toEqual(values);
    }),
    { numRuns: 30 },
  );
});

test('nothing among numbers is nothing', async () => {
  const array = new BinaryArray('bigint');
  array.whole(1);
  array.null();
  array.whole(2);
  expect(await textsOf('bigint', array)).toEqual(['1', null, '2']);
});

test('instants are exact to the microsecond, from the year 1 to the year 9999', async () => {
  const instants = [
    '0001-01-01T00:00:00.000001Z',
    '1969-12-31T23:59:59.999999Z',
    '2000-01-01T00:00:00Z',
    '2026-11-27T10:11:12.345678Z',
    '2300-06-01T12:00:00.000001Z',
    '9999-12-31T23:59:59.999999Z',
  ];
  const array = new BinaryArray('timestamptz');
  for (const instant of instants) {
    const { seconds, micros } = instantOf(instant);
    array.instant(seconds, micros);
  }
  await client.query("SET timezone = 'UTC'");
  const expected = await client.query<{ wert: string }>(
    'SELECT wert::timestamptz::text AS wert FROM unnest($1::text[]) WITH ORDINALITY AS n (wert, i) ORDER BY i',
    [instants],
  );
  expect(await textsOf('timestamptz', array)).toEqual(expected.rows.map(({ wert }) => wert));
});
