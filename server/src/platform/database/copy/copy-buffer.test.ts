/** PostgreSQL itself is the judge: what it reads from the rows must be what it reads from text. */
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { microsOf, secondsOf } from '#kernel/microseconds.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { CopyBuffer } from './copy-buffer.ts';
import { copyIn } from './copy-in.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  await client.query(
    `SET TimeZone = 'UTC'; CREATE TABLE werte (nr bigint, wann timestamptz, wer uuid, was text, daten bytea, ja boolean)`,
  );
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

interface Row {
  wann: string;
  wer: string;
  was: string | null;
  daten: string;
  ja: boolean;
}

function write(out: CopyBuffer, row: Row, number: number | bigint): void {
  out.row(6);
  out.integer(number);
  out.instant(secondsOf(row.wann), microsOf(row.wann));
  out.bytes(Buffer.from(row.wer.replaceAll('-', ''), 'hex'), 0, 16);
  if (row.was === null) out.null();
  else out.text(row.was);
  out.bytes(Buffer.from(`aa${row.daten}bb`, 'hex'), 1, 1 + row.daten.length / 2);
  out.boolean(row.ja);
}

async function readBack(out: CopyBuffer): Promise<(Row & { nr: string })[]> {
  await copyIn(client, 'COPY werte FROM STDIN (FORMAT binary)', [out.finish()]);
  const { rows } = await client.query(
    `SELECT nr::text, to_char(wann, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS wann, wer::text, was, encode(daten, 'hex') AS daten, ja
     FROM werte ORDER BY werte.nr`,
  );
  await client.query('TRUNCATE werte');
  return rows;
}

const twoDigits = (max: number, min = 0) =>
  fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));
const instant = fc
  .tuple(
    fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    fc.integer({ min: 0, max: 999_999 }),
  )
  .map(([day, micros]) => `${day.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`);
const row: fc.Arbitrary<Row> = fc.record({
  wann: instant,
  wer: fc.uuid(),
  was: fc.option(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.replaceAll('\0', '')),
      fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
    ),
  ),
  daten: fc.array(twoDigits(99), { maxLength: 200 }).map((pairs) => pairs.join('')),
  ja: fc.boolean(),
});
const plain: Row = {
  wann: '2026-03-29T01:30:00.123456Z',
  wer: '0123abcd-4567-89ef-0123-456789abcdef',
  was: 'x',
  daten: '00ff',
  ja: true,
};

describe('rows in binary form', () => {
  test('come back as they were', async () => {
    const property = fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 400 }), async (rows) => {
      const out = new CopyBuffer(0);
      for (const [index, each] of rows.entries()) write(out, each, index);
      expect(await readBack(out)).toEqual(rows.map((each, index) => ({ nr: String(index), ...each })));
    });
    await fc.assert(property, { numRuns: fuzzRuns(40) });
  });

  test('hold counts to the last digit', async () => {
    const counts = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, 2n ** 53n, 2n ** 63n - 1n];
    const out = new CopyBuffer(0);
    for (const count of counts) write(out, plain, count);
    expect((await readBack(out)).map(({ nr }) => nr)).toEqual(counts.map(String));
  });

  test('take instants with fewer decimals, too', async () => {
    const out = new CopyBuffer(0);
    for (const [index, wann] of ['2024-02-29T23:59:59Z', '1999-12-31T00:00:00.5Z'].entries())
      write(out, { ...plain, wann }, index);
    expect((await readBack(out)).map(({ wann }) => wann)).toEqual([
      '2024-02-29T23:59:59.000000Z',
      '1999-12-31T00:00:00.500000Z',
    ]);
  });

  test('are taken back to a mark, also over many messages', async () => {
    const long = { ...plain, was: 'ü'.repeat(20_000) };
    const out = new CopyBuffer(0);
    for (let number = 0; number < 5; number += 1) write(out, long, number);
    const mark = out.mark();
    for (let number = 5; number < 15; number += 1) write(out, long, number);
    out.rewind(mark);
    write(out, long, 99);
    expect(await readBack(out)).toEqual([0, 1, 2, 3, 4, 99].map((nr) => ({ nr: String(nr), ...long })));
    out.reset();
    write(out, plain, 1);
    expect(await readBack(out)).toEqual([{ nr: '1', ...plain }]);
  });
});

test.each([
  ['a fraction', (out: CopyBuffer) => out.integer(1.5)],
  ['more than a number counts', (out: CopyBuffer) => out.integer(2 ** 53)],
])('%s is refused', (_what, write) => {
  const out = new CopyBuffer(0);
  out.row(1);
  expect(() => write(out)).toThrow(RangeError);
});

describe('statements and data in one piece', () => {
  const data = (numbers: number[]) => {
    const out = new CopyBuffer(0);
    for (const number of numbers) write(out, plain, number);
    return out.finish();
  };
  const COPY = 'COPY werte FROM STDIN (FORMAT binary)';

  test('fail with the first error, and leave the connection as it was before', async () => {
    await client.query('CREATE UNIQUE INDEX einmal ON werte (nr)');
    await expect(copyIn(client, `${COPY}; ${COPY}`, [data([1, 1]), data([2])])).rejects.toMatchObject({
      code: '23505',
    });
    await expect(copyIn(client, `${COPY}; ${COPY}`, [data([1]), data([2, 3])])).resolves.toBeUndefined();
    const { rows } = await client.query('SELECT array_agg(nr::int ORDER BY nr) AS all FROM werte');
    expect(rows).toEqual([{ all: [1, 2, 3] }]);
    await client.query('DROP INDEX einmal; TRUNCATE werte');
  });
});
