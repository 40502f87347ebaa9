import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { createSweeping } from './sweeping.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 2, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const vacuums = async () =>
  (
    await service.sql<{ n: number }>(
      "SELECT vacuum_count::int AS n FROM pg_stat_user_tables WHERE relname = 'zaehlmarken'",
    )
  )[0]?.n ?? 0;

test('the room of rows that are gone is freed once they are many, and counting goes on where that is refused', async () => {
  const { log } = service.context;
  const sweeping = createSweeping(owner, log, 'zaehlmarken');
  sweeping.gone(4_999);
  await sweeping.end();
  expect(await vacuums()).toBe(0);
  sweeping.gone(1);
  await sweeping.end();
  await until('the vacuum to be told of', async () => (await vacuums()) === 1);
  const refusing = { ...owner, query: () => Promise.reject(new Error('not now')) };
  const refused = createSweeping(refusing, log, 'zaehlmarken');
  refused.gone(5_000);
  await refused.end();
  refused.gone(5_000);
  await refused.end();
});
