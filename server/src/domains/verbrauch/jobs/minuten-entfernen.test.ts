import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { registerAccount } from '#test/account.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { minutenEntfernenJob } from './minuten-entfernen.ts';

/** Sums of one call that `addConsumption` adds: in total and by its agent. */
const SUMS = 2;

let service: TestService;
let owner: OwnerDatabase;

beforeAll(async () => {
  service = await startService();
  const connection = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(connection, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

test('removes the minutes of all dimensions after 48 hours, and nothing else', async () => {
  const now = Temporal.Now.zonedDateTimeISO('UTC').round({ smallestUnit: 'hour', roundingMode: 'floor' });
  const at = (hours: number) => {
    const stunde = now.subtract({ hours });
    return { stunde: stunde.toInstant().toString(), tag: stunde.toPlainDate().toString() };
  };
  for (let account = 0; account < 2; account += 1) {
    const { mandantId } = await registerAccount(service);
    await service.sql('INSERT INTO zaehlstaende (mandant_id) VALUES ($1)', [mandantId]);
    // More than one statement removes.
    const old = Array.from({ length: 120 }, (_, index) => ({ ...at(49 + index), agent: 'a' }));
    await addConsumption(service, mandantId, [{ ...at(46), agent: 'b' }, ...old]);
  }
  const count = async (table: string) =>
    (await service.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;
  const hours = await count('verbrauch_laufend_stunde');
  await service.sql(`UPDATE uhrstand SET vergangen_bis = now() - interval '31 days'`);
  await expect(minutenEntfernenJob({ owner }).run()).resolves.toEqual({ entfernt: 0 });
  await service.sql(`UPDATE uhrstand SET vergangen_bis = now() - interval '1 day'`);
  await expect(minutenEntfernenJob({ owner }).run()).resolves.toEqual({
    entfernt: 2 * 120 * SUMS,
  });
  expect(await count('verbrauch_laufend_minute')).toBe(2 * SUMS);
  expect(await count('verbrauch_laufend_stunde')).toBe(hours);
});
