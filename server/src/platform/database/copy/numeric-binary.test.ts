/** PostgreSQL itself is the judge: what it reads from our bytes must be what it reads from the decimal's text. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOf } from '#kernel/money.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { numericRoom, writeNumeric } from './numeric-binary.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  await client.query('CREATE TABLE zahlen (nr int, wert numeric)');
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

interface Scaled {
  value: bigint;
  scale: number;
}

function bytesOf({ value, scale }: Scaled): Buffer {
  const room = numericRoom(String(value).length);
  // Filled, so that a byte left out shows.
  const bytes = Buffer.alloc(room, 0xee);
  const length = writeNumeric(new DataView(bytes.buffer, bytes.byteOffset, room), 0, value, scale);
  expect(length).toBeLessThanOrEqual(room);
  return bytes.subarray(0, length);
}

function rowOf(number: number, numeric: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head.writeInt16BE(2, 0);
  head.writeInt32BE(4, 2);
  head.writeInt32BE(number, 6);
  head.writeInt32BE(numeric.length, 10);
  return Buffer.concat([head, numeric]);
}

/** The texts PostgreSQL shows for values it got in binary form. */
async function readBack(values: Scaled[]): Promise<string[]> {
  const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const rows = values.map((value, index) => rowOf(index, bytesOf(value)));
  const copy = client.query(copyFrom('COPY zahlen FROM STDIN (FORMAT binary)'));
  await pipeline(Readable.from([Buffer.concat([header, ...rows, Buffer.from([0xff, 0xff])])]), copy);
  const { rows: read } = await client.query<{ wert: string }>('SELECT wert::text FROM zahlen ORDER BY nr');
  await client.query('TRUNCATE zahlen');
  return read.map((row) => row.wert);
}

/** The texts PostgreSQL shows for the same values as text. */
async function readText(values: Scaled[]): Promise<string[]> {
  const texts = values.map(({ value, scale }) => textOf(value, scale));
  const { rows } = await client.query<{ wert: string }>(
    'SELECT n::numeric::text AS wert FROM unnest($1::text[]) WITH ORDINALITY AS t (n, nr) ORDER BY nr',
    [texts],
  );
  return rows.map((row) => row.wert);
}

const roundNumber = fc
  .tuple(fc.bigInt({ min: -99_999n, max: 99_999n }), fc.nat({ max: 45 }))
  .map(([few, zeros]) => few * 10n ** BigInt(zeros));
const scaled: fc.Arbitrary<Scaled> = fc.record({
  value: fc.oneof(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), fc.bigInt(), roundNumber),
  scale: fc.nat({ max: 34 }),
});

test('any value at any scale', async () => {
  const property = fc.asyncProperty(fc.array(scaled, { minLength: 1, maxLength: 200 }), async (values) => {
    expect(await readBack(values)).toEqual(await readText(values));
  });
  await fc.assert(property, { numRuns: fuzzRuns(60) });
});

test('zeros, ones and borders of the groups at every scale', async () => {
  const values = Array.from({ length: 35 }, (_, scale) =>
    [0n, 1n, 9n, 9_999n, 10_000n, 10_001n, 99_990_000n, 10n ** 24n, 10n ** 34n + 1n, 2n ** 53n].flatMap(
      (value) => [
        { value, scale },
        { value: -value, scale },
      ],
    ),
  ).flat();
  expect(await readBack(values)).toEqual(await readText(values));
});
