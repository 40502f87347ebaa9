import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService({ USD_EUR_RATE: '0.91', USD_EUR_RATE_DATUM: '2026-10-01' });
  account = await registerAccount(service);
});
afterAll(() => service?.stop());

const ask = (cookie?: string) =>
  service.app.inject({ url: '/v1/cockpit/preise/kurse', headers: cookie ? { cookie } : {} });

const ERSATZKURS = { usd_eur: '0.91', tag: '2026-10-01' };

test('are the substitute alone where no rate was ever fetched', async () => {
  const answer = await ask(account.cookie);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toEqual({ referenzkurse: [], geholt_am: null, ersatzkurs: ERSATZKURS });
});

test('are the latest ten of the European Central Bank, exactly', async () => {
  await service.sql(
    `INSERT INTO wechselkurse (tag, usd_eur, quelle, geholt_am)
     SELECT DATE '2026-11-01' + n, 0.85 + n * 0.0000000001, 'ezb', TIMESTAMPTZ '2026-11-20 15:30:00Z' FROM generate_series(1, 12) n`,
  );
  const { referenzkurse, geholt_am } = (await ask(account.cookie)).json();
  expect(referenzkurse).toHaveLength(10);
  expect(referenzkurse[0]).toEqual({ tag: '2026-11-13', usd_eur: '0.8500000012' });
  expect(referenzkurse[9]).toEqual({ tag: '2026-11-04', usd_eur: '0.8500000003' });
  expect(geholt_am).toBe('2026-11-20T15:30:00.000Z');
});

test('are for everybody with a session', async () => {
  expect(await statusByRole(service, account, ({ cookie }) => ask(cookie))).toEqual(admitting(EVERYBODY));
  expect((await ask()).statusCode).toBe(401);
});
