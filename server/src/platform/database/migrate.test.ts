import pg from 'pg';
import { expect, test } from 'vitest';
import { cloneDatabase } from '#test/database.ts';
import { requireDurability } from './migrate.ts';

test('a server that does not wait for its disk is refused', async () => {
  const database = await cloneDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  const set = (value: string) =>
    client.query(`ALTER DATABASE ${database.connection.database} SET synchronous_commit = ${value}`);
  try {
    await requireDurability(database.connection);
    await set('off');
    await expect(requireDurability(database.connection)).rejects.toThrow('Der Server läuft nicht mit');
    await set('remote_apply');
    await requireDurability(database.connection);
  } finally {
    await client.end();
    await database.drop();
  }
});
