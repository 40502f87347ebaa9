import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { putSso, type SsoService, setUpCompany, startSsoService } from '#test/company-account.ts';

const PROVIDER = { issuer: 'https://login.firma.example', clientId: 'z', clientSecret: 'geheim' };

let service: SsoService;
let account: Account;
beforeAll(async () => {
  service = await startSsoService();
  account = await setUpCompany(service, PROVIDER, 'firma.example', { name: 'Konto der Firma' });
});
afterAll(() => service.stop());

const ask = (email: string) => service.app.inject({ url: '/v1/sso/anbieter', query: { email } });

const NONE = { vorhanden: false, name: null };

describe('GET /v1/sso/anbieter', () => {
  it.each(['erika@firma.example', 'ERIKA@FIRMA.EXAMPLE', 'a@b@firma.example'])('knows %s', async (email) => {
    const answer = await ask(email);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ vorhanden: true, name: 'Konto der Firma' });
  });

  it('looks at the domain only, not at who has an account', async () => {
    const user = await addUser(service, account, 'betrachter');
    await service.sql('UPDATE benutzer SET email = $2 WHERE benutzer_id = $1', [
      user.benutzerId,
      'vorhanden@firma.example',
    ]);
    expect((await ask('vorhanden@firma.example')).body).toBe((await ask('fremd@firma.example')).body);
    expect((await ask(account.email)).json()).toEqual(NONE);
  });

  it.each(['erika@unter.firma.example', 'erika@example', 'firma.example', '@firma.example', '', 'erika@'])(
    'does not know %j',
    async (email) => {
      const answer = await ask(email);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual(NONE);
    },
  );

  it('does not know claims without proof', async () => {
    const other = await registerAccount(service);
    await putSso(service, other, {
      issuer: PROVIDER.issuer,
      client_id: 'z',
      domains: ['nur-behauptet.example'],
    });
    expect((await ask('a@nur-behauptet.example')).json()).toEqual(NONE);
  });

  it('does not know providers that are switched off, nor those of cancelled accounts', async () => {
    await setUpCompany(service, PROVIDER, 'aus.example', { aktiv: false });
    expect((await ask('a@aus.example')).json()).toEqual(NONE);
    const gone = await setUpCompany(service, PROVIDER, 'weg.example');
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [gone.mandantId]);
    expect((await ask('a@weg.example')).json()).toEqual(NONE);
  });

  it('wants an address of at most 254 characters', async () => {
    expect((await service.app.inject({ url: '/v1/sso/anbieter' })).statusCode).toBe(422);
    expect((await ask(`${'a'.repeat(250)}@firma.example`)).statusCode).toBe(422);
  });
});
