import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { proveDomain, putSso, type SsoService, startSsoService } from '#test/company-account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';

let service: SsoService;
beforeAll(async () => {
  service = await startSsoService();
});
afterAll(() => service.stop());

const remove = (cookie: string) =>
  service.app.inject({
    method: 'DELETE',
    url: '/v1/cockpit/mandant/sso',
    headers: cookie === '' ? {} : { cookie },
  });

async function setUp(domain: string): Promise<Account> {
  const account = await registerAccount(service);
  const settings = { issuer: 'https://login.firma.example', client_id: 'z', client_secret: 'geheim' };
  await putSso(service, account, { ...settings, domains: [domain] });
  return account;
}

describe('DELETE /v1/cockpit/mandant/sso', () => {
  it('removes the provider and frees its domains', async () => {
    const account = await setUp('frei.example');
    await proveDomain(service, account, 'frei.example');
    const answer = await remove(account.cookie);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ eingerichtet: false, client_secret_gesetzt: false, domains: [] });
    await proveDomain(service, await setUp('frei.example'), 'frei.example');
  });

  it('writes it into the audit log, once', async () => {
    const account = await setUp('einmal.example');
    await remove(account.cookie);
    expect((await remove(account.cookie)).statusCode).toBe(200);
    const entries = await service.sql(
      `SELECT akteur_name, vorher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'sso.entfernt'`,
      [account.mandantId],
    );
    expect(entries).toMatchObject([
      {
        akteur_name: account.email,
        vorher: { issuer: 'https://login.firma.example', domains: ['einmal.example'] },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('geheim"');
  });

  it('leaves the users, and other Mandanten', async () => {
    const [account, other] = [await setUp('eins.example'), await setUp('zwei.example')];
    await addUser(service, account, 'betrachter');
    await remove(account.cookie);
    expect(
      await service.sql('SELECT 1 FROM benutzer WHERE mandant_id = $1', [account.mandantId]),
    ).toHaveLength(2);
    const answer = await service.app.inject({
      url: '/v1/cockpit/mandant/sso',
      headers: { cookie: other.cookie },
    });
    expect(answer.json().eingerichtet).toBe(true);
  });

  it('is for those who administer', async () => {
    const account = await setUp('rechte.example');
    const statuses = await statusByRole(service, account, ({ cookie }) => remove(cookie));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
    expect((await remove('')).statusCode).toBe(401);
  });
});
