/** Exports under way: how many there may be, and how they end. */
import { readdirSync, readlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '#domains/protokoll/index.ts';
import { rightsOf } from '#domains/zugang/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { createPlaces } from '#platform/archive-room.ts';
import { createShares } from '#platform/shares.ts';
import { createSpoolRoom, type SpoolOptions } from '#platform/spool.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { unzip } from '#test/unzip.ts';
import { startExport } from '../service.ts';

const INHABER = {
  benutzerId: '00000000-0000-7000-8000-000000000000',
  firma: 'Muster GmbH',
  zeitzone: 'Europe/Berlin',
  rolle: 'inhaber' as const,
  rechte: rightsOf('inhaber'),
};

const createRoom = (options: SpoolOptions) =>
  Object.assign(createSpoolRoom(options), { writing: createShares<MandantId>({ places: 1, waiting: 0 }) });

let service: TestService;
let address: string;

beforeAll(async () => {
  service = await startService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => service?.stop());

const get = ({ cookie }: Account) =>
  service.app.inject({ method: 'GET', url: '/v1/cockpit/export.zip', headers: { cookie } });
const exportsOf = ({ mandantId }: Account) =>
  service.sql(`SELECT FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'daten.ausgegeben'`, [
    mandantId,
  ]);

/** Backends of the database that are in an export. */
const exporting = () =>
  service.sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
       AND query ~ '^(DECLARE|FETCH|CLOSE)'`,
  );

/** Spool files that this process has open. */
const spoolFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(service.context.config.dataDir);
    } catch {
      return false;
    }
  }).length;

/** Has exports wait in the middle, before the runs are read. */
async function withRunsLocked<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client(service.connection);
  await client.connect();
  await client.query('BEGIN; LOCK TABLE laeufe IN ACCESS EXCLUSIVE MODE');
  return work().finally(() => client.end());
}

/** More than fits into the buffers on the way: those of TCP were seen to take eight megabytes. */
const insertMuch = ({ sql }: TestService, mandantId: string) =>
  sql(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, agent, projekt, status, geschaetzt, quelle,
       kurs_usd_eur, fehlercode)
     SELECT $1, gen_random_uuid(), now(), now(), 'a', 'standard', 'erfolgreich', false, 'ingest', 1,
       (SELECT string_agg(encode(sha512((n || '/' || i)::bytea), 'hex'), '') FROM generate_series(1, 40) i)
     FROM generate_series(1, 5000) AS n`,
    [mandantId],
  );

async function withMuch(): Promise<Account> {
  const account = await registerAccount(service);
  await insertMuch(service, account.mandantId);
  return account;
}

/** Whether the Mandant may have an export again; a small one, since nobody waits for what it holds. */
async function hasPlace(account: Account): Promise<boolean> {
  await service.sql('DELETE FROM ereignisse WHERE mandant_id = $1', [account.mandantId]);
  return (await get(account)).statusCode === 200;
}

/** Begins a download and reads its first bytes. */
async function begin(account: Account, signal: AbortSignal | null = null) {
  const answer = await fetch(`${address}/v1/cockpit/export.zip`, {
    headers: { cookie: account.cookie },
    signal,
  });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const first = await reader.read();
  const rest = async () => {
    const chunks = [first.value as Uint8Array];
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
    return Buffer.concat(chunks);
  };
  const isComplete = () =>
    rest().then(
      () => true,
      () => false,
    );
  return { status: answer.status, rest, isComplete };
}

// Tens of megabytes each; `platform/archive-room`, `shares` and `spool` have who gets a place, and that what is unread is on disk.
test.runIf(isWhole)(
  'readers that take nothing hold up nobody else, neither in the service nor in the database',
  async () => {
    const [first, second, third] = [await withMuch(), await withMuch(), await registerAccount(service)];
    const reading = [await begin(first), await begin(second)];
    // Both archives are on disk, unread; their snapshots have ended.
    await until('the end of both transactions', async () => (await exporting()).length === 0);
    expect(spoolFiles()).toBe(2);
    expect(readdirSync(join(service.context.config.dataDir, 'ausgaben'))).toEqual([]);
    expect((await get(third)).statusCode).toBe(200);
    for (const { rest } of reading) expect((await unzip(await rest())).size).toBeGreaterThan(15);
    await until('the files to be closed', () => spoolFiles() === 0);
  },
);

test('one for each Mandant, four made at a time, the others in turn', async () => {
  const accounts: Account[] = [];
  while (accounts.length < 4) accounts.push(await registerAccount(service));
  const [first, fifth, sixth] = [
    accounts[0] as Account,
    await registerAccount(service),
    await registerAccount(service),
  ];
  const [hangUp, ends] = [new AbortController(), new AbortController()];
  const { reading, waiting } = await withRunsLocked(async () => {
    const begun = [];
    for (const account of accounts)
      begun.push(await begin(account, account === accounts[3] ? ends.signal : null));
    const answer = await get(first);
    expect([answer.statusCode, answer.json().code]).toEqual([429, 'export_laeuft']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    const gone = begin(sixth, hangUp.signal);
    const inTurn = get(fifth);
    hangUp.abort();
    await expect(gone).rejects.toThrow();
    // Whose place is the next one's at once.
    ends.abort();
    return { reading: begun, waiting: inTurn };
  });
  expect((await waiting).statusCode).toBe(200);
  // What is refused or not waited for is no export, so it is not in the audit log.
  expect([(await exportsOf(first)).length, (await exportsOf(fifth)).length]).toEqual([1, 1]);
  expect(await exportsOf(sixth)).toEqual([]);
  for (const { rest } of reading.slice(0, 3)) expect((await unzip(await rest())).size).toBeGreaterThan(15);
  await until('a place for the first', async () => (await get(first)).statusCode === 200);
});

// Tens of megabytes; while one is made, the test above has the same.
test.runIf(isWhole)('until the archive is read, it is the only one of its Mandant', async () => {
  const account = await withMuch();
  const { rest } = await begin(account);
  await until('the end of the transaction', async () => (await exporting()).length === 0);
  expect((await get(account)).statusCode).toBe(429);
  expect((await unzip(await rest())).size).toBeGreaterThan(15);
  expect(await hasPlace(account)).toBe(true);
});

test('without room on the disk none is begun, and one that outgrows it is a broken download', async () => {
  const small = await startService({ EXPORT_PLATZ_MB: '2' });
  try {
    const { cookie, mandantId } = await registerAccount(small);
    const ask = () => small.app.inject({ method: 'GET', url: '/v1/cockpit/export.zip', headers: { cookie } });
    expect((await ask()).statusCode).toBe(200);
    await small.sql('INSERT INTO zaehlstaende (mandant_id, ereignisse_gesamt) VALUES ($1, 1000000)', [
      mandantId,
    ]);
    const refused = await ask();
    expect(refused.statusCode).toBe(503);
    expect(refused.json().code).toBe('export_kein_platz');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const entries = await small.sql(`SELECT FROM pruefprotokoll WHERE aktion = 'daten.ausgegeben'`);
    expect(entries).toHaveLength(1);
    await small.sql('DELETE FROM zaehlstaende WHERE mandant_id = $1', [mandantId]);
    await insertMuch(small, mandantId);
    await expect(ask()).rejects.toThrow();
    await small.sql('DELETE FROM ereignisse WHERE mandant_id = $1', [mandantId]);
    await until('room again', async () => (await ask()).statusCode === 200);
  } finally {
    await small.stop();
  }
});

test('HEAD begins none', async () => {
  const account = await registerAccount(service);
  const ask = (cookie: string, query = '') =>
    service.app.inject({ method: 'HEAD', url: `/v1/cockpit/export.zip${query}`, headers: { cookie } });
  const answer = await ask(account.cookie);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/zip');
  expect(answer.headers['content-length']).toBeUndefined();
  expect(await exportsOf(account)).toEqual([]);
  expect((await ask(account.cookie, '?tage=0')).statusCode).toBe(422);
  expect((await ask('zw_sitzung=abc')).statusCode).toBe(401);
});

test('a receiver that goes away ends transaction and cursor, and leaves its place', async () => {
  const account = await withMuch();
  const abort = new AbortController();
  await withRunsLocked(async () => {
    await begin(account, abort.signal);
    await until('the export to wait', async () => (await exporting()).length === 1);
    abort.abort();
    await until('the file to be closed', () => spoolFiles() === 0);
  });
  await until('the end of the transaction', async () => (await exporting()).length === 0);
  await until('its place', () => hasPlace(account));
});

test('one that is read too slowly is cut off, and leaves its place', async () => {
  const account = await withMuch();
  const spools = createRoom({
    directory: join(service.context.config.dataDir, 'langsam'),
    maxBytes: 1e9,
    reserve: 0,
    pace: { bytes: 1e6, ms: 240 },
  });
  const takePlace = createPlaces<MandantId>(1);
  const { stream } = await startExport(
    service.context,
    { takePlace, spools, longest: 60_000 },
    { ...INHABER, mandant: mandantId(account.mandantId) },
    SYSTEM,
    90,
  );
  await expect(finished(stream)).rejects.toThrow('bytes in 240 ms');
  await until('its place', () => takePlace(mandantId(account.mandantId)));
});

test('one that takes too long to be made is broken off', async () => {
  const account = await withMuch();
  await withRunsLocked(async () => {
    const { stream } = await startExport(
      service.context,
      {
        takePlace: createPlaces(1),
        spools: createRoom({
          directory: join(service.context.config.dataDir, 'lange'),
          maxBytes: 1e9,
          reserve: 0,
          pace: { bytes: 1, ms: 60_000 },
        }),
        longest: 300,
      },
      { ...INHABER, mandant: mandantId(account.mandantId) },
      SYSTEM,
      90,
    );
    await expect(buffer(stream)).rejects.toThrow('too long');
  });
  await until('the end of the transaction', async () => (await exporting()).length === 0);
});

test('what fails midway is a broken download, never a complete one', async () => {
  const account = await withMuch();
  await withRunsLocked(async () => {
    const { status, isComplete } = await begin(account);
    expect(status).toBe(200);
    const [{ pid }] = await until('the export to wait', async () => {
      const [backend] = await exporting();
      return backend ? [backend] : null;
    });
    await service.sql('SELECT pg_terminate_backend($1::int)', [pid]);
    expect(await isComplete()).toBe(false);
  });
  await until('its place', () => hasPlace(account));
});

test('a list that cannot be read at all is a broken download, too', async () => {
  const account = await withMuch();
  await service.sql('ALTER TABLE laeufe RENAME TO laeufe_weg');
  try {
    const { isComplete } = await begin(account);
    expect(await isComplete()).toBe(false);
  } finally {
    await service.sql('ALTER TABLE laeufe_weg RENAME TO laeufe');
  }
});
