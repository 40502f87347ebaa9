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

const get = (query: string, cookie: string | null = ours.cookie) =>
  service.app.inject({ url: `/v1/cockpit/regeln${query}`, headers: cookie ? { cookie } : {} });
const create = async (account: Account, typ: string) => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie: account.cookie },
    payload: { typ },
  });
  return answer.json();
};

test('own rules in the order of their creation, page by page', async () => {
  const rules = [];
  for (const typ of ['stille', 'lauf_deckel', 'latenz']) rules.push(await create(ours, typ));
  await create(foreign, 'duplikat');
  expect((await get('')).json()).toEqual({ regeln: rules, weiter: null });
  const first = (await get('?limit=2')).json();
  expect(first.regeln).toEqual(rules.slice(0, 2));
  expect((await get(`?limit=2&nach=${first.weiter}`)).json()).toEqual({
    regeln: rules.slice(2),
    weiter: null,
  });
});

test('401 without a session; every role may read; 422 for a limit of 0', async () => {
  expect((await get('', null)).statusCode).toBe(401);
  expect(await statusByRole(service, ours, ({ cookie }) => get('', cookie))).toEqual(admitting(EVERYBODY));
  expect((await get('?limit=0')).statusCode).toBe(422);
});
