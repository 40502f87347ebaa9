import { compactVerify, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { startService, type TestService } from '#test/service.ts';
import { listKeys, rotateKey, withdrawKey } from './keys.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 1, statementTimeout: 20_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, createLog('fatal')));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const ask = (query = '') => service.app.inject({ url: `/v1/lizenzen/sperrliste${query}` });
const read = async (query = '') => {
  const answer = await ask(query);
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const now = () => service.clock.now();
const keys = () => owner.transaction((client) => listKeys(client, service.context.secrets, now()));
const activeKey = async () => (await keys()).find(({ status }) => status === 'aktiv');
const rotate = () => owner.transaction((client) => rotateKey(client, service.context.secrets, now()));

describe('keys that rotate', () => {
  const kidOf = ({ signatur }: { signatur: string }) => decodeProtectedHeader(signatur).kid;

  it('sign the list for installations that believe them, the active one for all others', async () => {
    const before = (await activeKey())?.kid;
    const { vorher, nachher } = await rotate();
    expect([vorher.kid, vorher.status, nachher.status]).toEqual([before, 'aktiv', 'aktiv']);
    const list = await read();
    expect(kidOf(list)).toBe(nachher.kid);
    const old = await read(`?kid=${before}`);
    expect(kidOf(old)).toBe(before);
    expect({ ...old, signatur: '' }).toEqual({ ...list, signatur: '' });
    const jwk = (await keys()).find(({ kid }) => kid === before)?.jwk;
    await compactVerify(old.signatur, jwk ?? {}, { algorithms: ['EdDSA'] });
  });

  it('sign nothing once they are withdrawn, and are gone then', async () => {
    const before = (await activeKey())?.kid ?? '';
    await rotate();
    const withdraw = (kid: string) =>
      owner.transaction((client) => withdrawKey(client, service.context.secrets, kid, now()));
    await expect(withdraw((await activeKey())?.kid ?? '')).rejects.toThrow('wechseln Sie ihn zuerst');
    await expect(withdraw('gibt-es-nicht')).rejects.toThrow('Diesen Schlüssel gibt es nicht.');
    expect(await withdraw(before)).toMatchObject({ kid: before, status: 'prüft noch', lizenzen: 0 });
    await expect(withdraw(before)).rejects.toThrow('Diesen Schlüssel gibt es nicht.');
    expect((await ask(`?kid=${before}`)).statusCode).toBe(404);
    expect((await keys()).find(({ kid }) => kid === before)).toMatchObject({
      status: 'zurückgezogen',
      jwk: null,
    });
    const rows = await service.sql('SELECT kid FROM lizenz_schluessel WHERE verschluesselt IS NULL');
    expect(rows).toEqual([{ kid: before }]);
  });
});
