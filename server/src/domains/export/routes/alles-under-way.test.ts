/** Exports under way: how many there may be, and how they end. */
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '#domains/protokoll/index.ts';
import { rightsOf } from '#domains/zugang/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { unzip } from '#test/unzip.ts';
import { createPlaces } from '../rules.ts';
import { startExport } from '../service.ts';

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

/** Backends of the database that are in an export, for at least so long without a statement. */
const reading = (idleMs = 0) =>
  service.sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(DECLARE|FETCH|CLOSE)'
       AND (state = 'idle in transaction' AND state_change <= now() - make_interval(secs => $1 / 1000.0)
         OR state = 'active' AND $1 = 0)`,
    [idleMs],
  );
const untilStill = () => until('the export to stand still', async () => (await reading(500))[0]);

/** More than fits into any buffer on the way, so that an export nobody reads stands still. */
async function withMuch(): Promise<Account> {
  const account = await registerAccount(service);
  await service.sql(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, agent, projekt, status, geschaetzt, quelle,
       kurs_usd_eur, fehlercode)
     SELECT $1, gen_random_uuid(), now(), now(), 'a', 'standard', 'erfolgreich', false, 'ingest', 1,
       (SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 56 + n * 0))
     FROM generate_series(1, 5000) AS n`,
    [account.mandantId],
  );
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

test('one for each Mandant, two in all; then there is room again', async () => {
  const [first, second, third] = [await withMuch(), await withMuch(), await registerAccount(service)];
  const running = [await begin(first), await begin(second)];
  for (const account of [first, third]) {
    const answer = await get(account);
    expect(answer.statusCode).toBe(429);
    expect(answer.json().code).toBe('export_laeuft');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  // What is refused is no export, so it is not in the audit log.
  expect(await exportsOf(third)).toEqual([]);
  for (const { rest } of running) expect((await unzip(await rest())).size).toBeGreaterThan(15);
  expect((await get(third)).statusCode).toBe(200);
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
  await begin(account, abort.signal);
  await untilStill();
  abort.abort();
  await until('the end of the transaction', async () => (await reading()).length === 0);
  await until('its place', () => hasPlace(account));
});

test('a receiver that takes all the time there is is cut off', async () => {
  const account = await withMuch();
  const mandant = mandantId(account.mandantId);
  const { stream } = await startExport(
    service.context,
    createPlaces<MandantId>(1),
    {
      mandant,
      firma: 'Muster GmbH',
      zeitzone: 'Europe/Berlin',
      rolle: 'inhaber',
      rechte: rightsOf('inhaber'),
    },
    SYSTEM,
    { tage: 90, longest: 300 },
  );
  await expect(finished(stream)).rejects.toThrow('too long');
  await until('the end of the transaction', async () => (await reading()).length === 0);
});

test('what fails midway is a broken download, never a complete one', async () => {
  const account = await withMuch();
  const { status, isComplete } = await begin(account);
  expect(status).toBe(200);
  const { pid } = await untilStill();
  await service.sql('SELECT pg_terminate_backend($1)', [pid]);
  expect(await isComplete()).toBe(false);
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
