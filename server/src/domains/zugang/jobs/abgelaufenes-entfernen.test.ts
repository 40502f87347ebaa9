import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { abgelaufenesEntfernenJob } from './abgelaufenes-entfernen.ts';

let service: TestService;
let db: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const { connection, context } = service;
  db = createOwnerDatabase(
    createPool({ connection, max: 1, statementTimeout: 15_000, name: 'test-job' }, context.log),
  );
});
afterAll(async () => {
  await db.close();
  await service.stop();
});

test('removes links and counters that are over, and nothing else', async () => {
  const { mandantId, benutzerId } = await registerAccount(service);
  await service.sql(
    `INSERT INTO passwort_ruecksetzungen (mandant_id, benutzer_id, hash, erstellt_am, gueltig_bis)
     VALUES ($1, $2, '\\x01', now(), now() - interval '1 second'), ($1, $2, '\\x02', now(), now() + interval '1 minute')`,
    [mandantId, benutzerId],
  );
  await service.sql('DELETE FROM drosselung');
  await service.sql(`INSERT INTO drosselung VALUES ('alt', 1, $1), ('neu', 1, $2)`, [
    Date.now() - 1_000,
    Date.now() + 60_000,
  ]);
  const { run } = abgelaufenesEntfernenJob({ owner: db });
  expect(await run()).toEqual({ links: 1, zaehler: 1 });
  expect(await run()).toEqual({ links: 0, zaehler: 0 });
  expect(await service.sql('SELECT key FROM drosselung')).toEqual([{ key: 'neu' }]);
});
