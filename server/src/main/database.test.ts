/** The service on a server that the operator brings along. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { type OwnServer, startOwnServer } from '#test/own-server.ts';
import { until } from '#test/until.ts';
import { openDatabase } from './database.ts';
import { startService } from './service.ts';

const log = createLog('silent');

let server: OwnServer;
let dataDir: string;
beforeAll(async () => {
  server = await startOwnServer();
  dataDir = mkdtempSync(join(tmpdir(), 'zw-service-'));
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const configFor = (DATABASE_URL: string, more: Record<string, string> = {}) =>
  parseConfig({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir, DATABASE_URL, ...more });
const nameOf = (url: string) => new URL(url).pathname.slice(1);
const tablesOf = async (url: string) =>
  (await server.sql(`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`, nameOf(url))).length;

/** Registers and sends an event; resolves once it is counted. */
async function use(address: string, url: string): Promise<void> {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const content = await answer.json();
    expect(answer.ok, JSON.stringify(content)).toBe(true);
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', content };
  };
  const account = { firma: 'Muster GmbH', email: 'a@example.org', passwort: 'richtig-lang-genug' };
  const { cookie } = await post('/v1/registrieren', account);
  const made = await post('/v1/cockpit/konto/schluessel', {}, { cookie });
  const { schluessel } = made.content as { schluessel: string };
  const authorization = `Bearer ${schluessel}`;
  await post('/v1/ereignisse', { ereignisse: [{ agent: 'a' }] }, { authorization });
  await until('the event to be counted', async () => {
    const sql = 'SELECT ereignisse_gesamt::int AS n FROM zaehlstaende';
    return (await server.sql<{ n: number }>(sql, nameOf(url)))[0]?.n === 1;
  });
}

test.each([
  ['a login that it makes', 'CREATEROLE BYPASSRLS', false],
  ['a login that it is given', 'BYPASSRLS', true],
])(
  'it counts under an owner who is no superuser, with %s',
  async (_, attributes, given) => {
    const url = await server.database(attributes);
    const more: Record<string, string> = {};
    if (given) {
      await server.sql(`GRANT zaehlwerk_anfrage TO ${new URL(url).username}`);
      more.DATABASE_URL_ANFRAGEN = await server.login(url, 'IN ROLE zaehlwerk_anfrage');
    }
    const service = await startService(configFor(url, more), log);
    try {
      await use(service.address as string, url);
      const connected = await server.sql<{ name: string; role: string }>(
        `SELECT DISTINCT application_name AS name, usename AS role FROM pg_stat_activity
       WHERE datname = '${nameOf(url)}' AND application_name ~ '^zaehlwerk-(api|counting|jobs)'`,
      );
      const [database] = await server.sql(`SELECT oid FROM pg_database WHERE datname = '${nameOf(url)}'`);
      const login = given
        ? new URL(more.DATABASE_URL_ANFRAGEN as string).username
        : `zaehlwerk_anfrage_${database?.oid}`;
      for (const { name, role } of connected)
        expect(role, name).toBe(/api|anfrage/.test(name) ? login : new URL(url).username);
      expect(connected.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['zaehlwerk-api', 'zaehlwerk-counting', 'zaehlwerk-jobs']),
      );
    } finally {
      await service.stop();
    }
  },
  120_000,
);

test.each([
  ['an owner for whom row-level security holds', 'CREATEROLE', 'BYPASSRLS'],
  ['no way for requests to sign in', 'BYPASSRLS', 'Bitte lassen Sie einen Superuser'],
])('it is not started with %s, and nothing is changed', async (_, attributes, sentence) => {
  const url = await server.database(attributes);
  await expect(startService(configFor(url), log)).rejects.toThrow(sentence);
  expect(await tablesOf(url)).toBe(0);
});

test('migrating needs no key and makes no login', async () => {
  const url = await server.database('CREATEROLE BYPASSRLS');
  const empty = mkdtempSync(join(tmpdir(), 'zw-service-'));
  const database = await openDatabase({ ...configFor(url), dataDir: empty }, log);
  await database.stop();
  expect(await tablesOf(url)).toBeGreaterThan(30);
  expect(existsSync(join(empty, 'schluessel.key'))).toBe(false);
  rmSync(empty, { recursive: true });
});
