import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, createKey, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { createOperator, operatorActs } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let operator: Account;
beforeAll(async () => {
  service = await startService();
  operator = await createOperator(service);
});
afterAll(() => service?.stop());

const takeBack = async (id: string, { cookie } = operator) => {
  const url = `/v1/betreiber/mandanten/${id}/reaktivieren`;
  const answer = await service.app.inject({ method: 'POST', url, headers: { cookie } });
  return { status: answer.statusCode, body: answer.json() };
};
async function cancelled(): Promise<Account> {
  const account = await registerAccount(service);
  await createKey(service, account);
  const answer = await service.app.inject({
    method: 'DELETE',
    url: '/v1/cockpit/konto',
    headers: { cookie: account.cookie },
    payload: { passwort: PASSWORT },
  });
  expect(answer.statusCode).toBe(200);
  return account;
}

it('makes a cancelled Mandant active again, with both logs', async () => {
  const { mandantId, email } = await cancelled();
  expect(await takeBack(mandantId)).toEqual({
    status: 200,
    body: { status: 'aktiv', entsperrte_schluessel: 1, ohne_adresse: 0 },
  });
  expect((await logIn(service, email)).statusCode).toBe(200);
  const acts = (await operatorActs(service)).filter(({ mandant }) => mandant === mandantId);
  expect(acts).toMatchObject([
    { aktion: 'konto.kuendigung_aufgehoben', akteur_id: operator.benutzerId, objekt_name: null },
  ]);
  const audit = await service.sql(
    `SELECT akteur_name, akteur_id FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'konto.kuendigung_aufgehoben'`,
    [mandantId],
  );
  expect(audit).toEqual([{ akteur_name: 'Betreiber', akteur_id: null }]);
});

it('409 for one that is not cancelled or whose time is up, 404 for one that is not there', async () => {
  const { mandantId } = await registerAccount(service);
  expect(await takeBack(mandantId)).toMatchObject({ status: 409, body: { code: 'nicht_gekuendigt' } });
  const late = await cancelled();
  await service.sql(`UPDATE mandanten SET gekuendigt_am = now() - interval '30 days' WHERE mandant_id = $1`, [
    late.mandantId,
  ]);
  expect(await takeBack(late.mandantId)).toMatchObject({ status: 409, body: { code: 'frist_abgelaufen' } });
  expect(await takeBack(randomUUID())).toMatchObject({ status: 404 });
  expect((await takeBack('x')).status).toBe(422);
});

it('401 and 403 for who is no operator', async () => {
  const { mandantId } = await cancelled();
  expect((await takeBack(mandantId, { ...operator, cookie: '' })).status).toBe(401);
  expect((await takeBack(mandantId, await registerAccount(service))).status).toBe(403);
});
