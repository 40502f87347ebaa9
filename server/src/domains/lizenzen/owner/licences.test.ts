import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fingerprintOf, readKeys, verifyLicence } from '#domains/installation/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { startService, type TestService } from '#test/service.ts';
import { createKeyring } from '../keyring.ts';
import { listKeys } from './keys.ts';
import {
  blockLicences,
  listLicences,
  MAX_BLOCKED,
  makeLicence,
  type Neu,
  unblockLicences,
  type Wahl,
} from './licences.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 5, statementTimeout: 20_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, createLog('fatal')));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  service.clock.set('2026-10-01T10:00:00.000Z');
  await service.sql('TRUNCATE lizenzen, lizenz_sperren');
});

const NEW: Neu = { kunde: 'Muster GmbH', paket: 'enterprise', gueltig_bis: null, mandanten: 2 };
const SPERRLISTE = 'https://example.org/v1/lizenzen/sperrliste';
const make = (fields: Partial<Neu> = {}) =>
  owner.transaction((client) =>
    makeLicence(
      client,
      { ...NEW, ...fields },
      {
        keyring: createKeyring(service.context.secrets),
        now: service.clock.now(),
        von: 'anna@example.org',
        sperrliste: SPERRLISTE,
      },
    ),
  );
const block = (wahl: Wahl, grund = 'gesperrt') =>
  owner.transaction((client) => blockLicences(client, wahl, grund, service.clock.now()));
const unblock = (wahl: Wahl) =>
  owner.transaction((client) => unblockLicences(client, wahl, service.clock.now()));
const list = () => listLicences(owner, null, 100);
const published = async () => (await service.app.inject({ url: '/v1/lizenzen/sperrliste' })).json();

describe('a licence that is made', () => {
  test('verifies with the key that comes with it, says what was asked, and is not kept itself', async () => {
    const { lizenz, token, pruefschluessel } = await make({
      kunde: ' Muster GmbH ',
      gueltig_bis: '2027-01-01T00:00:00Z',
    });
    const said = await verifyLicence(token, await readKeys(pruefschluessel));
    expect(said).toEqual({
      ...{ kunde: 'Muster GmbH', paket: 'enterprise', gueltig_bis: '2027-01-01T00:00:00.000Z', mandanten: 2 },
      ...{ lizenz_id: lizenz.lizenz_id, kid: lizenz.kid, fingerabdruck: fingerprintOf(token) },
      ...{ ausgestellt_am: '2026-10-01T10:00:00.000Z', sperrliste: SPERRLISTE },
    });
    expect(lizenz).toMatchObject({
      fingerabdruck: fingerprintOf(token),
      status: 'aktiv',
      ausgestellt_von: 'anna@example.org',
    });
    expect(await list()).toEqual([lizenz]);
    const kept = await service.sql('SELECT l::text AS row FROM lizenzen l');
    expect(JSON.stringify(kept)).not.toContain(token.split('.')[2]);
    const keys = await owner.transaction((client) =>
      listKeys(client, service.context.secrets, service.clock.now()),
    );
    expect(keys.map(({ kid, lizenzen }) => [kid, lizenzen])).toEqual([[lizenz.kid, 1]]);
  });

  test.each<[string, Partial<Neu>, string]>([
    ['a package there is not', { paket: 'gold' }, 'paket'],
    ['a package that needs no licence', { paket: 'frei' }, 'paket'],
    ['an end that is over', { gueltig_bis: '2026-10-01T10:00:00Z' }, 'gueltig_bis'],
    ['a name with a line break', { kunde: 'Muster\nGmbH' }, 'kunde'],
    ['a name that is an address', { kunde: 'https://example.org' }, 'kunde'],
  ])('refuses %s', async (_what, fields, field) => {
    const refused = await make(fields).catch((error) => error);
    expect(refused).toBeInstanceOf(InvalidInput);
    expect(refused.faults[0].path).toEqual([field]);
    expect(await list()).toEqual([]);
  });
});

describe('blocking', () => {
  test('puts a licence on the list, whichever way it is named, once, and taking it off raises the number', async () => {
    const { lizenz } = await make();
    const { lizenz_id, fingerabdruck, kunde } = lizenz;
    const ways: Wahl[] = [
      { lizenz_id },
      { fingerabdruck: ` ${fingerabdruck.toUpperCase()} ` },
      { kunde },
      { lizenz_id, fingerabdruck, kunde },
    ];
    for (const wahl of ways) {
      const before = (await published()).nummer;
      const blocked = await block(wahl, 'nicht bezahlt');
      expect([blocked.lizenzen.length, blocked.geaendert.length]).toEqual([1, 1]);
      expect(blocked.nummer).toBe(before + 1);
      const { nummer, sperren } = await published();
      expect([nummer, sperren]).toEqual([
        before + 1,
        [{ lizenz_id, fingerabdruck, gesperrt_am: '2026-10-01T10:00:00.000Z' }],
      ]);
      expect(await list()).toMatchObject([{ status: 'gesperrt', grund: 'nicht bezahlt' }]);
      // Once more changes nothing.
      expect(await block(wahl)).toMatchObject({ geaendert: [], nummer: before + 1 });
      expect(await unblock(wahl)).toMatchObject({ geaendert: [{ lizenz_id }], nummer: before + 2 });
      expect(await unblock(wahl)).toMatchObject({ geaendert: [], nummer: before + 2 });
      expect(await published()).toMatchObject({ nummer: before + 2, sperren: [] });
      expect(await list()).toEqual([lizenz]);
    }
  });

  test('means all licences of a customer where only that is given', async () => {
    const [one, two] = [await make(), await make()];
    const other = await make({ kunde: 'Muster' });
    await block({ lizenz_id: one.lizenz.lizenz_id });
    expect(await block({ kunde: 'Muster GmbH' })).toMatchObject({
      lizenzen: [{}, {}],
      geaendert: [{ lizenz_id: two.lizenz.lizenz_id }],
    });
    expect((await list()).filter(({ status }) => status === 'aktiv')).toEqual([other.lizenz]);
    expect((await unblock({ kunde: 'Muster GmbH' })).geaendert).toHaveLength(2);
  });

  test('wants something that names a licence there is, and all of it to agree', async () => {
    const { lizenz } = await make();
    for (const wahl of [{}, { lizenz_id: null, fingerabdruck: null, kunde: null }])
      await expect(block(wahl)).rejects.toThrow(InvalidInput);
    const wrong: Wahl[] = [
      { lizenz_id: randomUUID() },
      { kunde: 'muster gmbh' },
      { kunde: '' },
      { fingerabdruck: '%' },
      { lizenz_id: lizenz.lizenz_id, kunde: 'Andere' },
    ];
    for (const wahl of wrong) {
      await expect(block(wahl)).rejects.toThrow('Diese Lizenz gibt es nicht.');
      await expect(unblock(wahl)).rejects.toThrow('Diese Lizenz gibt es nicht.');
    }
    await expect(block({ kunde: 'Muster GmbH' }, 'x\u202e')).rejects.toThrow(InvalidInput);
  });

  test('at once counts once', async () => {
    const { lizenz } = await make();
    const before = (await published()).nummer;
    const all = await Promise.all([1, 2, 3, 4].map(() => block({ kunde: lizenz.kunde })));
    expect(all.map(({ geaendert }) => geaendert.length).sort()).toEqual([0, 0, 0, 1]);
    expect((await published()).nummer).toBe(before + 1);
  });

  test('ends where the list is full', async () => {
    await make();
    await service.sql(
      `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund) SELECT gen_random_uuid(), '', '' FROM generate_series(1, $1)`,
      [MAX_BLOCKED],
    );
    await expect(block({ kunde: 'Muster GmbH' })).rejects.toThrow('Mehr Lizenzen');
    expect(await list()).toMatchObject([{ status: 'aktiv' }]);
  });
});

test('licences are listed page by page, the latest first', async () => {
  const made = [];
  for (const minute of [10, 11, 11, 12]) {
    service.clock.set(`2026-10-01T10:${minute}:00.000Z`);
    made.unshift((await make()).lizenz);
  }
  const all = await list();
  expect(all.map(({ ausgestellt_am }) => ausgestellt_am)).toEqual(
    made.map(({ ausgestellt_am }) => ausgestellt_am),
  );
  const seen = [];
  let behind: readonly [string, string] | null = null;
  for (const expected of all) {
    const [row] = await listLicences(owner, behind, 1);
    expect(row).toEqual(expected);
    behind = [expected.ausgestellt_am, expected.lizenz_id];
    seen.push(row);
  }
  expect(await listLicences(owner, behind, 1)).toEqual([]);
});
