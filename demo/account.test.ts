import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { cookieOf, logIn, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { newState, openAccount } from './account.ts';
import { DemoRefused, readState, stateFile, writeState } from './state.ts';

let service: TestService;
let owner: OwnerDatabase;
let dataDir: string;

beforeEach(async () => {
  service = await startService();
  const { connection, context } = service;
  owner = createOwnerDatabase(
    createPool({ connection, max: 2, statementTimeout: 10_000, name: 'demo' }, context.log),
  );
  dataDir = mkdtempSync(join(tmpdir(), 'zw-demo-'));
});

afterEach(async () => {
  await owner.close();
  await service.stop();
  rmSync(dataDir, { recursive: true });
});

const open = (keyWorks = true) => openAccount(service.context, owner, dataDir, async () => keyWorks);
const countOf = async (table: string) =>
  (await service.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count;

describe('openAccount', () => {
  it('makes the Mandant of the demo, its login and its key', async () => {
    const state = await open();
    expect((await logIn(service, state.email, state.passwort)).json()).toMatchObject({
      benutzer: { email: 'demo@zaehlwerk.example', rolle: 'inhaber' },
      mandant: { firma: 'Nordlicht Software GmbH' },
    });
    expect(await service.sql('SELECT demo FROM mandanten')).toEqual([{ demo: true }]);
    const answer = await service.app.inject({
      url: '/v1/anbindung/pruefen',
      headers: { authorization: `Bearer ${state.schluessel}` },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('leaves no session behind: the list of sessions holds those of people alone', async () => {
    const state = await open();
    expect(await countOf('sitzungen')).toBe(0);
    const answer = await logIn(service, state.email, state.passwort, { 'user-agent': 'Browser' });
    const listed = await service.app.inject({
      url: '/v1/cockpit/sitzungen',
      headers: { cookie: cookieOf(answer) },
    });
    expect(listed.json().sitzungen).toMatchObject([{ diese: true, geraet: 'Browser' }]);
    await open();
    expect(await countOf('sitzungen')).toBe(1);
  });

  it('keeps the login in a file that only its owner may read', async () => {
    const state = await open();
    expect(readState(dataDir)).toEqual(state);
    expect(statSync(stateFile(dataDir)).mode & 0o777).toBe(0o600);
  });

  it('begins 30 days before its first start', async () => {
    service.clock.set('2026-11-20T10:00:00.000Z');
    const { beginn, gesendet_bis, gefuellt } = await open();
    expect([beginn, gesendet_bis, gefuellt]).toEqual([
      '2026-11-20T10:00:00.000Z',
      '2026-10-21T10:00:00.000Z',
      false,
    ]);
  });

  it('finds at the next start what it made', async () => {
    const first = await open();
    expect(await open()).toEqual(first);
    expect([await countOf('mandanten'), await countOf('schluessel')]).toEqual([1, 1]);
  });

  it('makes a new key when the old one was blocked', async () => {
    const first = await open();
    const second = await open(false);
    expect(second).toEqual({ ...first, schluessel: second.schluessel });
    expect(second.schluessel).not.toBe(first.schluessel);
    expect(readState(dataDir)?.schluessel).toBe(second.schluessel);
  });

  it('goes on where a start was killed before there was a key', async () => {
    const first = await open();
    writeState(dataDir, { ...first, schluessel: null });
    const second = await open();
    expect(second.passwort).toBe(first.passwort);
    expect(second.schluessel).toMatch(/^zw_live_/);
    expect(await countOf('mandanten')).toBe(1);
  });

  it('begins anew when the database is empty again', async () => {
    writeState(dataDir, { ...newState(new Date()), gefuellt: true });
    expect((await open()).gefuellt).toBe(false);
  });

  it('leaves alone what belongs to somebody else', async () => {
    await registerAccount(service, 'Echte Firma GmbH');
    await expect(open()).rejects.toThrow(DemoRefused);
    expect(await service.sql('SELECT demo FROM mandanten')).toEqual([{ demo: false }]);
    expect(readState(dataDir)).toBeNull();
  });

  it('goes on when somebody registered in the demo', async () => {
    const first = await open();
    await registerAccount(service, 'Neugierige GmbH');
    expect(await open()).toEqual(first);
    expect(await service.sql('SELECT demo FROM mandanten ORDER BY demo')).toEqual([
      { demo: false },
      { demo: true },
    ]);
  });

  it('says what to do when its file is missing or broken', async () => {
    await open();
    writeFileSync(stateFile(dataDir), '{"email": ');
    await expect(open()).rejects.toThrow('beschädigt');
    rmSync(stateFile(dataDir));
    await expect(open()).rejects.toThrow('fehlt');
  });
});
