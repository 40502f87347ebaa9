/** Each return from the provider counts once, in the browser that began the login, in time. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#test/account.ts';
import {
  beginLogin,
  leadsTo,
  proveDomain,
  putSso,
  returnTo,
  type SsoService,
  sessionOf,
  setUpNextCompany,
  startSsoWithProvider,
  visitProvider,
} from '#test/company-account.ts';
import type { OidcProvider } from '#test/oidc-provider.ts';

let service: SsoService;
let provider: OidcProvider;
let account: Account;
let domain: string;
beforeAll(async () => {
  ({ service, provider } = await startSsoWithProvider());
});
afterAll(() => service.stop());
beforeEach(async () => {
  ({ account, domain } = await setUpNextCompany(service, provider));
});

describe('GET /v1/sso/callback takes a return once, from the browser that began it, in time', () => {
  async function comeBack() {
    provider.visitor = { sub: `erika-${domain}`, email: `erika@${domain}`, email_verified: true };
    const { adresse, cookie } = await beginLogin(service, `erika@${domain}`);
    return { url: await visitProvider(adresse, service.redirectUri), cookie };
  }

  it('not twice', async () => {
    const { url, cookie } = await comeBack();
    expect(leadsTo(await returnTo(service, url, cookie))).toBe('/');
    const again = await returnTo(service, url, cookie);
    expect(leadsTo(again)).toBe('/anmelden?fehler=sso_abgelaufen');
    expect(sessionOf(again)).toBeUndefined();
  });

  it('not by HEAD, as what looks at links before the user does', async () => {
    const { url, cookie } = await comeBack();
    const { pathname, search } = new URL(url);
    const looked = await service.app.inject({ method: 'HEAD', url: pathname + search, headers: { cookie } });
    expect(looked.statusCode).toBe(200);
    expect(looked.headers['set-cookie']).toBeUndefined();
    expect(leadsTo(await returnTo(service, url, cookie))).toBe('/');
  });

  it('not twice at the same time', async () => {
    const { url, cookie } = await comeBack();
    const answers = await Promise.all([1, 2, 3, 4].map(() => returnTo(service, url, cookie)));
    expect(answers.filter((answer) => sessionOf(answer) !== undefined)).toHaveLength(1);
    expect(answers.filter((answer) => leadsTo(answer) === '/')).toHaveLength(1);
  });

  it('not in a browser without the cookie, nor with that of another login', async () => {
    const [first, second] = [await comeBack(), await comeBack()];
    for (const answer of [
      await returnTo(service, first.url),
      await returnTo(service, second.url, first.cookie),
    ]) {
      expect(leadsTo(answer)).toBe('/anmelden?fehler=sso_browser');
      expect(sessionOf(answer)).toBeUndefined();
    }
    // A wrong browser has used it up, too.
    expect(leadsTo(await returnTo(service, second.url, second.cookie))).toBe(
      '/anmelden?fehler=sso_abgelaufen',
    );
  });

  it('not after ten minutes', async () => {
    const { url, cookie } = await comeBack();
    await service.sql(`UPDATE sso_vorgaenge SET gueltig_bis = now() - interval '1 second'`);
    expect(leadsTo(await returnTo(service, url, cookie))).toBe('/anmelden?fehler=sso_abgelaufen');
  });

  it.each(['', '?state=unbekannt&code=abc', '?code=abc', '?error=access_denied'])(
    'not out of nowhere: %j',
    async (search) => {
      const answer = await service.app.inject({ url: `/v1/sso/callback${search}` });
      expect(answer.statusCode).toBe(200);
      expect(leadsTo(answer)).toBe('/anmelden?fehler=sso_abgelaufen');
    },
  );

  it.each([
    ['off', { aktiv: false }],
    ['led elsewhere', { issuer: 'https://anderswo.example' }],
  ])('not when the provider was switched %s meanwhile', async (_name, changes) => {
    const { url, cookie } = await comeBack();
    const settings = { issuer: provider.issuer, client_id: provider.clientId, domains: [domain] };
    await putSso(service, account, { ...settings, ...changes });
    expect(leadsTo(await returnTo(service, url, cookie))).toBe('/anmelden?fehler=sso_abgelaufen');
  });

  it('not when the domain was given up meanwhile', async () => {
    const { url, cookie } = await comeBack();
    const settings = { issuer: provider.issuer, client_id: provider.clientId };
    await putSso(service, account, { ...settings, domains: [`neu-${domain}`] });
    await proveDomain(service, account, `neu-${domain}`);
    expect(leadsTo(await returnTo(service, url, cookie))).toBe('/anmelden?fehler=sso_domain_fremd');
  });

  it('not when the account was cancelled meanwhile', async () => {
    const { url, cookie } = await comeBack();
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [account.mandantId]);
    expect(leadsTo(await returnTo(service, url, cookie))).toBe('/anmelden?fehler=sso_abgelaufen');
  });
});

describe('GET /v1/sso/callback', () => {
  it('checks the lengths of what it gets', async () => {
    const answer = await service.app.inject({ url: `/v1/sso/callback?state=${'s'.repeat(201)}` });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ loc: ['query', 'state'], type: 'string_too_long' });
  });
});
