import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, logIn, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { alteSitzungenEntfernenJob } from './alte-sitzungen-entfernen.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 1, statementTimeout: 15_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const me = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/ich', headers: { cookie } })).statusCode;

test('removes the sessions of all Mandanten after 14 days, however lately they were used, and none before', async () => {
  const accounts = [await registerAccount(service), await registerAccount(service)];
  for (const { email } of accounts) await logIn(service, email);
  // The session of the registration gets old, that of the login stays young.
  await service.sql(`UPDATE sitzungen s SET erstellt_am = now() - interval '14 days 1 second'
    WHERE erstellt_am = (SELECT min(erstellt_am) FROM sitzungen WHERE benutzer_id = s.benutzer_id)`);
  const { run } = alteSitzungenEntfernenJob({ owner });
  expect(await run()).toEqual({ entfernt: 2 });
  expect(await run()).toEqual({ entfernt: 0 });
  expect(await service.sql('SELECT DISTINCT count(*) AS n FROM sitzungen GROUP BY benutzer_id')).toEqual([
    { n: 1 },
  ]);
  for (const account of accounts) expect(await me(account)).toBe(401);
});
