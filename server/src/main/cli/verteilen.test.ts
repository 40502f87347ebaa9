/** The command line spreads a database over a cluster; on any other it says why not. */
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { distribute } from '#platform/database/distribution.ts';
import { createPool, migrate } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { VOLUME_TABLES } from '#platform/database/volume-tables.ts';
import { createLog } from '#platform/log.ts';
import { cloneDatabase, createDatabase, onCluster, type TestDatabase } from '#test/database.ts';
import type { CommandContext } from './command.ts';
import { verteilen } from './verteilen.ts';
import { verteilung } from './verteilung.ts';

const log = createLog('fatal');
let database: TestDatabase;
afterEach(() => database?.drop());

/** Runs a command as the command line does; resolves with its lines. */
async function run(command: typeof verteilen): Promise<string[]> {
  const { connection } = database;
  const owner = createOwnerDatabase(
    createPool({ connection, max: 1, statementTimeout: 60_000, name: 'cli' }, log),
  );
  const lines: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: 'Kommandozeile (test)', adresse: null };
  const context = { owner, akteur, clock: systemClock, print: (line: string) => void lines.push(line) };
  await command.run(context as unknown as CommandContext, []).finally(() => owner.close());
  return lines;
}

async function ask<R extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return client
    .query<R>(sql, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe.skipIf(onCluster())('on a server that is none of a cluster', () => {
  test('nothing is spread, and it is said why', async () => {
    database = await cloneDatabase();
    await expect(run(verteilen)).rejects.toThrow(/^Diese Datenbank ist kein Koordinator/);
    const lines = await run(verteilung);
    expect(lines).toHaveLength(VOLUME_TABLES.length + 2);
    expect(lines[1]).toMatch(/^eingang +hier +\d+(,\d)? KiB$/);
    expect(lines.at(-1)).toMatch(/gehört zu keinem Citus-Verbund/);
  });
});

const FILL = `INSERT INTO projekte (mandant_id, schluessel, name) SELECT m, 'p', 'p' FROM unnest($1::uuid[]) AS m`;
const MANDANTEN = Array.from({ length: 40 }, () => crypto.randomUUID());

describe.skipIf(!onCluster())('on a cluster', { timeout: 180_000 }, () => {
  test('every volume table is spread, with what is in it, and only once', async () => {
    database = await createDatabase();
    await migrate(database.connection, log);
    await ask(FILL, [MANDANTEN]);
    expect((await run(verteilung)).at(-1)).toBe(
      `„verteilen“ würde ${VOLUME_TABLES.length} Mengentabellen verteilen.`,
    );

    const lines = await run(verteilen);
    expect(lines[0]).toMatch(/^eingang: verteilt auf \d+ Teile, /);
    expect(lines.at(-1)).toBe(
      `${VOLUME_TABLES.length} von ${VOLUME_TABLES.length} Mengentabellen wurden verteilt.`,
    );
    const nodes = await ask<{ node: string }>(
      `SELECT DISTINCT nodename || ':' || nodeport AS node FROM citus_shards WHERE table_name = 'projekte'::regclass`,
    );
    expect(nodes.length).toBeGreaterThan(1);
    expect(await ask('SELECT count(*)::int AS n FROM projekte')).toEqual([{ n: MANDANTEN.length }]);
    // Nothing is left behind on the coordinator, where it would lie in the way of a later look.
    expect(await ask(`SELECT pg_relation_size('projekte') AS size`)).toEqual([{ size: '0' }]);

    const again = await run(verteilen);
    expect(again[0]).toBe('eingang: war schon verteilt');
    expect(again.at(-1)).toBe('Alle Mengentabellen waren schon verteilt; verändert wurde nichts.');
    const noted = await ask<{ aktion: string; nachher: object }>(
      'SELECT aktion, nachher FROM betreiberprotokoll',
    );
    expect(noted).toEqual([{ aktion: 'datenbank.verteilt', nachher: { tabellen: [...VOLUME_TABLES] } }]);
    expect((await run(verteilung)).at(-1)).toBe(
      'Alle Mengentabellen sind verteilt; „verteilen“ täte nichts.',
    );
  });

  test('is refused while a service is connected', async () => {
    database = await createDatabase();
    await migrate(database.connection, log);
    const service = new pg.Client({ ...database.requests, application_name: 'zaehlwerk-api' });
    await service.connect();
    await expect(run(verteilen)).rejects.toThrow(/^Der Dienst läuft: 1 Verbindungen sind offen/);
    await service.end();
    expect(await ask('SELECT count(*)::int AS n FROM pg_dist_partition')).toEqual([{ n: 0 }]);
  });

  test('tables of later migrations join those that are spread', async () => {
    database = await createDatabase();
    await migrate(database.connection, log);
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query('BEGIN');
    await distribute(client, VOLUME_TABLES.slice(0, -2));
    await client.query('COMMIT');
    await client.end();
    // The two that are left are as a later migration leaves them: one that may run again does.
    await ask('DELETE FROM migrationen WHERE nummer = 101');
    await migrate(database.connection, log);
    const spread = await ask<{ name: string }>(
      `SELECT logicalrelid::text AS name FROM pg_dist_partition JOIN pg_class c ON c.oid = logicalrelid WHERE NOT c.relispartition`,
    );
    expect(spread.map(({ name }) => name).sort()).toEqual([...VOLUME_TABLES].sort());
  });
});
