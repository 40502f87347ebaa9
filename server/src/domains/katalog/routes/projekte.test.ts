import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());

const get = (query = '', cookie: string | null = ours.cookie) =>
  service.app.inject({ url: `/v1/cockpit/projekte${query}`, headers: cookie ? { cookie } : {} });

test('own projects by key, page by page, with plain decimals', async () => {
  await service.sql(
    `INSERT INTO projekte (mandant_id, schluessel, name, budget_eur)
     VALUES ($1, 'b', 'B', 100.50), ($1, 'a', 'A', NULL), ($2, 'c', 'C', 1)`,
    [ours.mandantId, foreign.mandantId],
  );
  const { projekte, weiter } = (await get()).json();
  expect(projekte).toEqual([
    {
      projekt_id: expect.any(String),
      schluessel: 'a',
      name: 'A',
      budget_eur: null,
      budget_bei_erreichen: null,
    },
    {
      projekt_id: expect.any(String),
      schluessel: 'b',
      name: 'B',
      budget_eur: '100.5',
      budget_bei_erreichen: 'warnen',
    },
  ]);
  expect(weiter).toBeNull();
  const first = (await get('?limit=1')).json();
  expect(first.projekte).toEqual(projekte.slice(0, 1));
  expect((await get(`?limit=1&nach=${first.weiter}`)).json()).toEqual({
    projekte: projekte.slice(1),
    weiter: null,
  });
});

test('401 without a session; every role may read; 422 for a limit of 0', async () => {
  expect((await get('', null)).statusCode).toBe(401);
  expect(await statusByRole(service, ours, ({ cookie }) => get('', cookie))).toEqual(admitting(EVERYBODY));
  expect((await get('?limit=0')).statusCode).toBe(422);
});
