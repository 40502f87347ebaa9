import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const read = (headers = {}) => service.app.inject({ url: '/v1/cockpit/erststart', headers });

async function doneSteps(): Promise<string[]> {
  const answer = await read({ cookie: account.cookie });
  expect(answer.statusCode).toBe(200);
  return answer
    .json()
    .schritte.filter((step: { erledigt: boolean }) => step.erledigt)
    .map((step: { schritt: string }) => step.schritt);
}

const insertAgent = (schluessel: string) =>
  service.sql('INSERT INTO agenten (mandant_id, schluessel, name, projekt) VALUES ($1, $2, $2, $3)', [
    account.mandantId,
    schluessel,
    'standard',
  ]);

describe('GET /v1/cockpit/erststart', () => {
  it('ticks off one step after the other', async () => {
    expect(await doneSteps()).toEqual(['konto']);

    const key = await createKey(service, account);
    expect(await doneSteps()).toEqual(['konto', 'schluessel']);

    const confirmed = await service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/regeln/geldgrenzen',
      headers: { cookie: account.cookie },
      payload: {},
    });
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    expect(await doneSteps()).toEqual(['konto', 'schluessel', 'geldgrenzen']);

    await service.sql('INSERT INTO zaehlstaende (mandant_id, ereignisse_gesamt) VALUES ($1, 1)', [
      account.mandantId,
    ]);
    await insertAgent('unbekannt');
    expect(await doneSteps()).toEqual(['konto', 'schluessel', 'geldgrenzen', 'erster_aufruf']);

    await insertAgent('shop/bot');
    expect(await doneSteps()).toEqual([
      'konto',
      'schluessel',
      'geldgrenzen',
      'erster_aufruf',
      'agent_benannt',
    ]);

    await service.sql(`INSERT INTO endkunden (mandant_id, referenz) VALUES ($1, 'K-1')`, [account.mandantId]);
    const complete = (await read({ cookie: account.cookie })).json();
    expect(complete.abgeschlossen).toBe(true);
    expect(complete.schritte.every((step: { titel: string }) => step.titel.length > 0)).toBe(true);

    await service.sql('UPDATE schluessel SET gesperrt_am = now() WHERE schluessel_id = $1', [
      key.schluesselId,
    ]);
    expect(await doneSteps()).not.toContain('schluessel');
  });

  it('sees nothing of other Mandanten', async () => {
    const other = await registerAccount(service);
    const { schritte } = (await read({ cookie: other.cookie })).json();
    expect(schritte.filter((step: { erledigt: boolean }) => step.erledigt)).toHaveLength(1);
  });

  it('is open to every role, and to nobody without a session', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => read({ cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
    expect((await read()).statusCode).toBe(401);
  });
});
