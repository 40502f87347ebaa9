import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { parseRates } from '../owner/reference-rates.ts';
import { kurseHolenJob } from './kurse-holen.ts';

const HEAD = 'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE';
const line = (day: string, value: string) => `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,${day},${value}`;
const csv = (...lines: string[]) => [HEAD, ...lines, ''].join('\r\n');

describe('the list', () => {
  test('gives EUR for one USD, rounded to ten decimals, half to even', () => {
    const text = csv(line('2026-11-18', '1.1592'), line('2026-11-19', '1'), line('2026-11-20', '1.25'));
    expect(parseRates(text)).toEqual([
      { tag: '2026-11-18', usdEur: '0.8626639061' },
      { tag: '2026-11-19', usdEur: '1' },
      { tag: '2026-11-20', usdEur: '0.8' },
    ]);
  });

  test('may have days without a rate', () => {
    const text = csv(
      line('2026-11-18', ''),
      line('2026-11-19', 'NaN'),
      line('2026-11-20', '0'),
      line('2026-W47', '1.1'),
      line('2026-11-21', '2'),
    );
    expect(parseRates(text)).toEqual([{ tag: '2026-11-21', usdEur: '0.5' }]);
  });

  test('is found by the names of its columns', () => {
    expect(parseRates('OBS_VALUE,X,TIME_PERIOD\n4,,2026-11-20\n')).toEqual([
      { tag: '2026-11-20', usdEur: '0.25' },
    ]);
    expect(parseRates(csv())).toEqual([]);
  });

  test.each(['', '<html></html>', 'TIME_PERIOD,VALUE\n2026-11-20,1.1'])(
    'of another form is refused: %j',
    (text) => {
      expect(() => parseRates(text)).toThrow('in der bekannten Form');
    },
  );
});

let database: TestDatabase;
let db: OwnerDatabase;
let server: Server;
let answer: { status: number; body: string };
let asked: (string | null)[];
const log = createLog('fatal');

beforeAll(async () => {
  database = await cloneDatabase();
  const options = { connection: database.connection, max: 2, statementTimeout: 10_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, log));
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  await db.query('DELETE FROM wechselkurse');
  asked = [];
  server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://bank').searchParams.get('startPeriod'));
    response.writeHead(answer.status, { 'content-type': 'text/csv' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const fetchRates = (status: number, body: string) => {
  answer = { status, body };
  const { port } = server.address() as AddressInfo;
  return kurseHolenJob({ owner: db, log }, `http://127.0.0.1:${port}/kurse.csv`).run();
};
const stored = async () =>
  (await db.query('SELECT tag, usd_eur::text, quelle FROM wechselkurse ORDER BY tag')).rows;

describe('the job', () => {
  test('stores what it fetched, and never changes a rate that costs rest on', async () => {
    expect(await fetchRates(200, csv(line('2026-11-19', '1.25')))).toEqual({ geholt: 1 });
    await fetchRates(200, csv(line('2026-11-19', '2'), line('2026-11-20', '1.6')));
    expect(await stored()).toEqual([
      { tag: '2026-11-19', usd_eur: '0.8', quelle: 'ezb' },
      { tag: '2026-11-20', usd_eur: '0.625', quelle: 'ezb' },
    ]);
  });

  test('goes on without rates where the bank does not answer, or not well', async () => {
    expect(await fetchRates(503, 'busy')).toEqual({ geholt: 0 });
    const nobodyThere = kurseHolenJob({ owner: db, log }, 'http://127.0.0.1:1/kurse.csv');
    expect(await nobodyThere.run()).toEqual({ geholt: 0 });
    expect(await stored()).toEqual([]);
  });

  test('fails, and is repeated, when the form has changed', async () => {
    await expect(fetchRates(200, '<html></html>')).rejects.toThrow('in der bekannten Form');
    expect(await stored()).toEqual([]);
  });

  test('fetches the whole history until it has it, then what follows the last day without a gap before it', async () => {
    await db.query("INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ('1999-01-20', 0.9, 'ezb')");
    await fetchRates(503, 'busy');
    expect(asked).toEqual([null]);
    await fetchRates(
      200,
      csv(line('1999-01-04', '1.25'), line('1999-01-05', '1.25'), line('1999-01-08', '1.6')),
    );
    // What was entered by hand for a later day hides no gap.
    await fetchRates(503, 'busy');
    const missing = ['08', '11', '12', '13', '14', '15', '18', '19', '20', '21'];
    await fetchRates(200, csv(...missing.map((day) => line(`1999-01-${day}`, '1.6'))));
    await fetchRates(200, csv(line('1999-01-21', '1.6'), line('1999-01-22', '2')));
    expect(asked).toEqual([null, null, '1999-01-08', '1999-01-08', '1999-01-21']);
    expect((await stored()).map(({ tag, usd_eur }) => [tag, usd_eur]).slice(-4)).toEqual([
      ['1999-01-19', '0.625'],
      ['1999-01-20', '0.9'],
      ['1999-01-21', '0.625'],
      ['1999-01-22', '0.5'],
    ]);
  });

  test('reads no more than the rates can be, of an answer without an end', async () => {
    let sent = 0;
    const endless = createServer((_request, response) => {
      const chunk = `${line('2026-11-20', '1.6')}\n`.repeat(1_000);
      const write = () => {
        while (!response.destroyed && sent < 200 * 2 ** 20) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      response.write(`${HEAD}\n`);
      write();
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const { port } = endless.address() as AddressInfo;
    expect(await kurseHolenJob({ owner: db, log }, `http://127.0.0.1:${port}/`).run()).toEqual({ geholt: 0 });
    expect(sent).toBeLessThan(40 * 2 ** 20);
    expect(await stored()).toEqual([]);
    await new Promise((resolve) => endless.close(resolve));
  });
});
