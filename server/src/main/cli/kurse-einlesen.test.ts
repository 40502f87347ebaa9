/** Reference rates out of a file, in each form in which the European Central Bank offers them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { kurseEinlesen } from './kurse-einlesen.ts';

let service: TestService;
let owner: OwnerDatabase;
let folder: string;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
  folder = mkdtempSync(join(tmpdir(), 'zw-kurse-'));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  service.clock.set('2026-11-27T12:00:00Z');
  await service.sql('TRUNCATE wechselkurse');
});

async function take(bytes: Buffer | string, name = 'kurse') {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: 'test', adresse: null };
  const print = (line: string) => void printed.push(line);
  await kurseEinlesen.run({ ...service.context, owner, akteur, print }, [path]);
  return printed;
}

const known = () =>
  service.sql(
    'SELECT tag::text, trim_scale(usd_eur)::text AS usd_eur, quelle FROM wechselkurse ORDER BY tag',
  );

function zipOf(name: string, text: string): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}

const ALL = 'Date,USD,JPY,\n2026-11-26,1.25,170.1,\n2026-11-25,N/A,170,\n1999-01-04,1.1789,133.73,\n';
const ROWS = [
  { tag: '1999-01-04', usd_eur: '0.8482483671', quelle: 'ezb' },
  { tag: '2026-11-26', usd_eur: '0.8', quelle: 'ezb' },
];

test.each([
  ['its table of all days', () => ALL],
  ['the same, packed', () => zipOf('eurofxref-hist.csv', ALL)],
  [
    'the series of its data portal',
    () => 'KEY,TIME_PERIOD,OBS_VALUE\nx,1999-01-04,1.1789\nx,2026-11-26,1.25\n',
  ],
])('are taken from %s', async (_what, file) => {
  expect(await take(await file())).toEqual(['Neue Kurse: 2; bekannt sind sie jetzt bis 2026-11-26.']);
  expect(await known()).toEqual(ROWS);
  expect(await take(await file())).toEqual(['Neue Kurse: 0; bekannt sind sie jetzt bis 2026-11-26.']);
});

test('are taken from its table of one day, which writes the month', async () => {
  await take('Date, USD, JPY, \n26 November 2026, 1.25, 170.1, \n');
  expect(await known()).toEqual(ROWS.slice(1));
});

test('stay as they are known, and the command names what differs', async () => {
  await take(ALL);
  expect(await take('Date,USD\n2026-11-26,1.5\n2026-11-27,1.25\n')).toEqual([
    'Neue Kurse: 1; bekannt sind sie jetzt bis 2026-11-27.',
    'An 1 Tagen ist ein anderer Kurs bekannt und bleibt, zuletzt am 2026-11-26: Kosten beruhen darauf.',
  ]);
  expect((await known())[1]).toEqual(ROWS[1]);
});

test.each([
  ['of something else', 'a,b\n1,2\n', 'in der bekannten Form'],
  ['without the dollar', 'Date,USD\n2026-11-26,N/A\n', 'kein Kurs des Dollars'],
  ['of tomorrow', 'Date,USD\n2026-11-28,1.2\n', 'in der Zukunft'],
  ['of another currency', 'Date,USD\n2026-11-26,170.1\n', 'wie es ihn je gab'],
  ['that is a broken archive', Buffer.from('PK\u0003\u0004 kaputt'), 'lässt sich nicht lesen'],
])('a file %s is refused, and nothing is taken', async (_what, file, why) => {
  await expect(take(file)).rejects.toThrow(why);
  expect(await known()).toEqual([]);
});

test('a file that is not there, or too large, is refused', async () => {
  await expect(kurseEinlesen.run({ ...service.context, owner } as never, ['/gibt/es/nicht'])).rejects.toThrow(
    'gibt es nicht',
  );
  await expect(take(Buffer.alloc(5 * 2 ** 20))).rejects.toThrow('ist größer als 4 MiB');
});
