/** What is put back is what was there, of every table; what is damaged or does not fit is refused and changes nothing. */
import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, test as anyTest, beforeAll, describe, expect } from 'vitest';
import { createLog } from '#platform/log.ts';
import { createDatabase, onCluster, type TestDatabase } from '#test/database.ts';
import { isWhole } from '#test/depth.ts';
import { makeFormer, TABLES_BEFORE } from '#test/former-schema.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTenants } from '#test/tenants.ts';
import { migrate } from '../migrate.ts';
import { BackupRefused, type Manifest, readBackup, restoreBackup, rotate, writeBackup } from './index.ts';
import type { BackupTable } from './manifest.ts';
import { signatureOf } from './signature.ts';

/** A cluster is backed up by its own means, and refused here. */
const test = anyTest.skipIf(onCluster());

const KEY = randomBytes(32);
const log = createLog('fatal');

let service: TestService;
let folder: string;
let directory: string;
let manifest: Manifest;
const databases: TestDatabase[] = [];

const backUp = (connection: pg.ClientConfig, name: string): Promise<Manifest> =>
  writeBackup({ connection, directory: join(folder, name), version: '0.1.0', secretKey: KEY });

async function createEmpty(): Promise<TestDatabase> {
  const database = await createDatabase();
  databases.push(database);
  return database;
}

async function withClient<T>(
  { connection }: TestDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, options: '-c TimeZone=UTC' });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Rows and a hash over them, by table, partitions for themselves. */
const contentsOf = (database: TestDatabase) =>
  withClient(database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
         AND relname <> 'migrationen' ORDER BY 1`,
    );
    const contents: Record<string, { rows: number; hash: string | null }> = {};
    for (const { name } of rows) {
      const found = await client.query(
        `SELECT count(*)::int AS rows, md5(string_agg(t::text, E'\\n' ORDER BY t::text)) AS hash FROM "${name}" t`,
      );
      contents[name] = found.rows[0];
    }
    return contents;
  });

/** Everything of the schema that pg_catalog describes as text. */
const schemaOf = (database: TestDatabase) =>
  withClient(database, async (client) => {
    const { rows } = await client.query(
      `SELECT 'constraint' AS kind, conrelid::regclass::text || ' ' || conname AS name, pg_get_constraintdef(oid) AS text
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
       UNION ALL SELECT 'trigger', tgrelid::regclass::text || ' ' || tgname, tgenabled::text || pg_get_triggerdef(oid)
       FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
         JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = 'public'::regnamespace
       UNION ALL SELECT 'table', relname, relrowsecurity::text || relforcerowsecurity || coalesce(relacl::text, '')
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       ORDER BY 1, 2`,
    );
    return rows;
  });

const isEmpty = (database: TestDatabase) =>
  withClient(database, async (client) => {
    const sql = `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`;
    return (await client.query(sql)).rowCount === 0;
  });

beforeAll(async () => {
  service = await startService();
  await createTenants(service);
  folder = mkdtempSync(join(tmpdir(), 'zw-sicherung-'));
  directory = join(folder, 'eins');
  manifest = await backUp(service.connection, 'eins');
});
afterAll(async () => {
  for (const { drop } of databases) await drop();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ofService = (): TestDatabase => ({ ...service, drop: async () => undefined });

test('every table comes back as it was, rules and rights included', async () => {
  const database = await createEmpty();
  await restoreBackup(database.connection, directory, await readBackup(directory, KEY));
  const before = await contentsOf(ofService());
  expect(await contentsOf(database)).toEqual(before);
  expect(await schemaOf(database)).toEqual(await schemaOf(ofService()));
  // The comparison is worth something: hardly a table is empty.
  const full = Object.values(before).filter(({ rows }) => rows > 0);
  expect(full.length).toBeGreaterThan(40);
  expect(manifest.tabellen.reduce((sum, { zeilen }) => sum + zeilen, 0)).toBe(
    full.reduce((sum, { rows }) => sum + rows, 0),
  );
});

test('what 0.3.0 has backed up comes back and is migrated on', async () => {
  const former = await createEmpty();
  await makeFormer(former.connection);
  const before = await contentsOf(former);
  await backUp(former.connection, 'frueher');
  const database = await createEmpty();
  const found = await readBackup(join(folder, 'frueher'), KEY);
  await restoreBackup(database.connection, join(folder, 'frueher'), found);
  // What nothing asks for any more is not brought back.
  const gone = [...TABLES_BEFORE.namedStill, ...TABLES_BEFORE.unused];
  const wanted = Object.fromEntries(Object.entries(before).filter(([name]) => !gone.includes(name)));
  expect(Object.keys(before).length - Object.keys(wanted).length).toBe(gone.length);
  expect(await contentsOf(database)).toEqual(wanted);
  await migrate(database.connection, log);
  const rowsOf = (contents: typeof before) =>
    Object.entries(contents).map(([name, { rows }]) => [name, rows]);
  const migrated = await contentsOf(database);
  expect(rowsOf(migrated)).toEqual(expect.arrayContaining(rowsOf(wanted)));
  expect(migrated.mandanten?.rows).toBe(1);
});

test('one with calls that are in no piece is refused, and changes nothing', async () => {
  const former = await createEmpty();
  await makeFormer(former.connection);
  await withClient(former, (client) =>
    client.query(
      'INSERT INTO zaehlstaende (mandant_id, marken, stuecke_bis) SELECT mandant_id, 2, 1 FROM mandanten',
    ),
  );
  await backUp(former.connection, 'offene-stuecke');
  const database = await createEmpty();
  const found = await readBackup(join(folder, 'offene-stuecke'), KEY);
  const restoring = restoreBackup(database.connection, join(folder, 'offene-stuecke'), found);
  await expect(restoring).rejects.toThrow('v0.3.0 ist noch nicht fertig');
  expect(await isEmpty(database)).toBe(true);
});

test('a backup is not written over another, nor put into a database that holds something', async () => {
  const again = backUp(service.connection, 'eins');
  await expect(again).rejects.toThrow(BackupRefused);
  const into = restoreBackup(service.connection, directory, manifest);
  await expect(into).rejects.toThrow('Die Datenbank ist nicht leer.');
  expect(readdirSync(folder).filter((name) => name.includes('unfertig'))).toEqual([]);
});

test('migrations wait for a backup, and it for them', async () => {
  const database = await createEmpty();
  await migrate(database.connection, log);
  await withClient(database, async (holder) => {
    await holder.query('SELECT pg_advisory_lock(7219404513)');
    let done = false;
    const running = backUp(database.connection, 'wartet').then(() => {
      done = true;
    });
    const waits = `SELECT FROM pg_stat_activity WHERE application_name = 'zaehlwerk-sicherung' AND wait_event = 'advisory'`;
    await expect.poll(async () => (await holder.query(waits)).rowCount).toBe(1);
    expect(done).toBe(false);
    await holder.query('SELECT pg_advisory_unlock(7219404513)');
    await running;
  });
});

describe('a backup that is not what was written is refused', () => {
  /** A copy of the backup to spoil. */
  function copyTo(name: string): string {
    const copy = join(folder, name);
    mkdirSync(copy);
    for (const file of readdirSync(directory)) copyFileSync(join(directory, file), join(copy, file));
    return copy;
  }
  const spoils: Record<string, (path: string) => void> = {
    'a flipped bit': (path) => {
      const bytes = readFileSync(path);
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] as number) ^ 1;
      writeFileSync(path, bytes);
    },
    'an end cut off': (path) => writeFileSync(path, readFileSync(path).subarray(0, -1)),
    'a missing file': (path) => rmSync(path),
  };

  test.each(Object.entries(spoils))('%s, in each of its files', async (name, spoil) => {
    const copy = copyTo(name);
    expect(await readBackup(copy, KEY)).toEqual(manifest);
    const all = readdirSync(directory);
    // Tables are all alike.
    for (const file of all.filter((each, nth) => isWhole || nth % 12 === 0 || !each.endsWith('.copy.zst'))) {
      spoil(join(copy, file));
      // Of the signature only the end of its line is lost.
      const isLineEnd = file === 'SHA256SUMS.hmac' && name === 'an end cut off';
      if (!isLineEnd) await expect(readBackup(copy, KEY), file).rejects.toThrow(BackupRefused);
      copyFileSync(join(directory, file), join(copy, file));
    }
    expect(await readBackup(copy, KEY)).toEqual(manifest);
  });

  test('rows that were changed, with sums made anew', async () => {
    const copy = copyTo('gefaelscht');
    const file = 'mandanten.copy.zst';
    const changed = zstdCompressSync(
      zstdDecompressSync(readFileSync(join(copy, file)))
        .toString()
        .replace('GmbH', 'Gmbh'),
    );
    writeFileSync(join(copy, file), changed);
    const sums = readFileSync(join(copy, 'SHA256SUMS'), 'utf8');
    const hash = createHash('sha256').update(changed).digest('hex');
    writeFileSync(
      join(copy, 'SHA256SUMS'),
      sums.replace(/^.* mandanten\.copy\.zst$/m, `${hash}  mandanten.copy.zst`),
    );
    await expect(readBackup(copy, KEY)).rejects.toThrow('Sie wurde nach dem Schreiben geändert');
    rmSync(join(copy, 'SHA256SUMS.hmac'));
    await expect(readBackup(copy, KEY)).rejects.toThrow('Ihr fehlt die Unterschrift');
    // Who trusts it all the same gets what is there.
    expect(await readBackup(copy, 'unsigned')).toEqual(manifest);
  });

  test('one of another installation, or without a key to check it by', async () => {
    await expect(readBackup(directory, randomBytes(32))).rejects.toThrow('von einem anderen Schlüssel');
    await expect(readBackup(directory, null)).rejects.toThrow('Der Schlüssel für Geheimnisse fehlt');
  });

  test.each(['manifest.json', 'SHA256SUMS'])('one whose %s has no end is not read', async (name) => {
    const copy = copyTo(`endlos-${name}`);
    truncateSync(join(copy, name), 17 * 2 ** 20);
    await expect(readBackup(copy, KEY)).rejects.toThrow('größer als in jeder Sicherung');
  });

  test('a directory that is none', async () => {
    await expect(readBackup(folder, KEY)).rejects.toThrow('keine vollständige Sicherung');
  });

  test.each([
    [
      'of a later version',
      (made: Manifest) => made.migrationen.push({ nummer: 9_999, name: 'x', pruefsumme: '' }),
    ],
    [
      'of a version before 0.3.0',
      (made: Manifest) =>
        made.migrationen.splice(0, made.migrationen.length, { nummer: 37, name: 'x', pruefsumme: '' }),
    ],
    ['with another schema', (made: Manifest) => made.tabellen[0]?.spalten.push('unbekannt')],
    [
      'with other numbers of rows',
      (made: Manifest) => made.tabellen.splice(0, 1, { ...(made.tabellen[0] as BackupTable), zeilen: 1_000 }),
    ],
    [
      'that unpacks to more than was packed',
      (made: Manifest) => {
        for (const table of made.tabellen) if (table.zeilen > 0) table.umfang -= 1;
      },
    ],
  ])('one %s leaves the database empty', async (_name, change) => {
    const database = await createEmpty();
    const changed = structuredClone(manifest);
    change(changed);
    await expect(restoreBackup(database.connection, directory, changed)).rejects.toThrow(BackupRefused);
    expect(await isEmpty(database)).toBe(true);
  });
});

describe('of the backups in a folder the newest stay', () => {
  let place: string;
  /** Copies, each a day older than the one before, signed anew. */
  function fill(names: string[]): void {
    place = mkdtempSync(join(folder, 'ordner-'));
    for (const [index, name] of names.entries()) {
      const copy = join(place, name);
      mkdirSync(copy);
      for (const file of readdirSync(directory)) copyFileSync(join(directory, file), join(copy, file));
      const stand = new Date(Date.parse(manifest.stand) - index * 86_400_000).toISOString();
      const text = `${JSON.stringify({ ...manifest, stand }, null, 2)}\n`;
      const hash = createHash('sha256').update(text).digest('hex');
      const sums = readFileSync(join(copy, 'SHA256SUMS'), 'utf8').replace(
        /^.* manifest\.json$/m,
        `${hash}  manifest.json`,
      );
      writeFileSync(join(copy, 'manifest.json'), text);
      writeFileSync(join(copy, 'SHA256SUMS'), sums);
      writeFileSync(join(copy, 'SHA256SUMS.hmac'), signatureOf(KEY, sums));
    }
  }
  const left = () => readdirSync(place).sort();
  const spoil = (name: string) => rmSync(join(place, name, 'mandanten.copy.zst'));

  test('older ones go', async () => {
    fill(['a', 'b', 'c', 'd']);
    expect(await rotate(place, KEY, 2)).toEqual({ removed: ['c', 'd'], damaged: [] });
    expect(left()).toEqual(['a', 'b']);
    expect(await rotate(place, KEY, 2)).toEqual({ removed: [], damaged: [] });
  });

  test('one that is damaged does not count, and stays to be looked at', async () => {
    fill(['a', 'b', 'c', 'd']);
    spoil('a');
    expect(await rotate(place, KEY, 2)).toEqual({ removed: ['d'], damaged: ['a'] });
    expect(left()).toEqual(['a', 'b', 'c']);
  });

  test('the only good one stays, however old and however few are to', async () => {
    fill(['a', 'b', 'c']);
    for (const name of ['a', 'b']) spoil(name);
    expect(await rotate(place, KEY, 1)).toEqual({ removed: [], damaged: ['a', 'b'] });
    expect(left()).toEqual(['a', 'b', 'c']);
  });

  test('what this installation has not made stays', async () => {
    fill(['a', 'b', 'c', 'fremd']);
    mkdirSync(join(place, 'leer'));
    writeFileSync(join(place, 'notiz.txt'), 'x');
    const sums = readFileSync(join(place, 'fremd', 'SHA256SUMS'), 'utf8');
    writeFileSync(join(place, 'fremd', 'SHA256SUMS.hmac'), signatureOf(randomBytes(32), sums));
    expect(await rotate(place, KEY, 1)).toEqual({ removed: ['b', 'c'], damaged: [] });
    expect(left()).toEqual(['a', 'fremd', 'leer', 'notiz.txt']);
  });
});
