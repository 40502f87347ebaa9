/** What the month will cost. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
beforeAll(async () => {
  service = await startService();
  // Noon in Berlin: 15 days and 12 hours are left, 24 whole hours lie in the last day.
  service.clock.set('2026-11-15T11:00:00Z');
});
afterAll(() => service.stop());
beforeEach(async () => {
  ours = await registerAccount(service);
});

const get = (headers: Record<string, string> = { cookie: ours.cookie }) =>
  service.app.inject({ url: '/v1/cockpit/budgets/prognose', headers });
const spent = (kosten_eur: string, stunde: string, unbepreist = 0) => ({
  agent: 'a',
  projekt: 'p',
  funktion: 'f',
  aufrufe: 1,
  unbepreist,
  kosten_eur,
  kosten_usd: kosten_eur,
  stunde,
  tag: stunde.slice(0, 10),
});
const firstCall = (at: string) =>
  service.sql(
    `INSERT INTO zaehlstaende (mandant_id, daten_von) VALUES ($1, $2)
     ON CONFLICT (mandant_id) DO UPDATE SET daten_von = excluded.daten_von`,
    [ours.mandantId, at],
  );

test('what was spent, and the rest of the month at the pace of the last 24 hours', async () => {
  await firstCall('2026-10-01T00:00:00Z');
  await addConsumption(service, ours.mandantId, [
    spent('1000', '2026-10-31T10:00:00Z'),
    spent('20.000000000000000000000000000000001', '2026-11-10T10:00:00Z'),
    spent('5.2', '2026-11-15T09:00:00Z'),
  ]);
  const answer = await get();
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({
    monat: '2026-11',
    von: '2026-11-01T00:00:00+01:00',
    bis: '2026-12-01T00:00:00+01:00',
    bisher_eur: '25.200000000000000000000000000000001',
    prognose_eur: '105.8',
    budgets: 0,
    ueberschritten: 0,
    reichen_nicht: 0,
  });
});

test('nothing is foretold of a first day, and nothing is known of calls without a price', async () => {
  await firstCall('2026-11-14T12:00:00Z');
  await addConsumption(service, ours.mandantId, [spent('5', '2026-11-15T09:00:00Z')]);
  expect((await get()).json()).toMatchObject({ bisher_eur: '5', prognose_eur: null });
  ours = await registerAccount(service);
  expect((await get()).json()).toMatchObject({ bisher_eur: null, prognose_eur: null });
  await firstCall('2026-10-01T00:00:00Z');
  await addConsumption(service, ours.mandantId, [spent('0', '2026-11-10T10:00:00Z', 1)]);
  expect((await get()).json()).toMatchObject({ bisher_eur: null, prognose_eur: null });
});

test('budgets that are spent, and those that will be', async () => {
  await firstCall('2026-10-01T00:00:00Z');
  await addConsumption(service, ours.mandantId, [
    spent('20', '2026-11-10T10:00:00Z'),
    spent('5.2', '2026-11-15T09:00:00Z'),
  ]);
  for (const [art, objekt, eur] of [
    ['funktion', 'f', 25],
    ['benutzer', 'u', 1],
  ])
    await service.sql(
      `INSERT INTO budgets (mandant_id, objekt_art, objekt, budget_eur, bei_erreichen) VALUES ($1, $2, $3, $4, 'warnen')`,
      [ours.mandantId, art, objekt, eur],
    );
  await service.sql(
    `INSERT INTO projekte (mandant_id, schluessel, name, budget_eur) VALUES ($1, 'p', 'p', 105)`,
    [ours.mandantId],
  );
  expect((await get()).json()).toMatchObject({ budgets: 3, ueberschritten: 1, reichen_nicht: 1 });
});

test('401 without a session; every role may read', async () => {
  expect((await get({})).statusCode).toBe(401);
  expect(await statusByRole(service, ours, ({ cookie }) => get({ cookie }))).toEqual(admitting(EVERYBODY));
});
