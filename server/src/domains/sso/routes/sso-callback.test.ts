import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, addUser, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import {
  beginLogin,
  leadsTo,
  logInByCompany,
  putSso,
  returnTo,
  type SsoService,
  sessionOf,
  setUpCompany,
  setUpNextCompany,
  startSsoWithProvider,
  visitProvider,
} from '#test/company-account.ts';
import {
  type OidcProvider,
  type OidcProviderOptions,
  startOidcProvider,
  type Visitor,
} from '#test/oidc-provider.ts';

let service: SsoService;
let provider: OidcProvider;
let account: Account;
let domain: string;
beforeAll(async () => {
  ({ service, provider } = await startSsoWithProvider());
});
afterAll(() => service.stop());
beforeEach(async () => {
  ({ account, domain } = await setUpNextCompany(service, provider, { rolle_neu: 'bearbeiter' }));
});

/** Somebody at the provider, with an address there that is vouched for. */
const visitor = (name: string, changes: Partial<Visitor> = {}): Visitor => ({
  sub: `${name}-${domain}`,
  email: `${name}@${domain}`,
  email_verified: true,
  name: name.toUpperCase(),
  ...changes,
});

const ich = async (cookie: string | undefined) =>
  (await service.app.inject({ url: '/v1/ich', headers: cookie ? { cookie } : {} })).json();

const users = (mandantId = account.mandantId) =>
  service.sql<{ benutzer_id: string; email: string; rolle: string; passwort_hash: string | null }>(
    'SELECT * FROM benutzer WHERE mandant_id = $1 ORDER BY erstellt_am',
    [mandantId],
  );

const sessions = () =>
  service
    .sql('SELECT 1 FROM sitzungen WHERE mandant_id = $1', [account.mandantId])
    .then((rows) => rows.length);

const entries = (aktion: string) =>
  service.sql('SELECT * FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = $2', [
    account.mandantId,
    aktion,
  ]);

async function signIn(person: Visitor) {
  provider.visitor = person;
  return logInByCompany(service, person.email as string);
}

/** A user of the account with an address in its domain. */
async function addColleague(name: string, rolle = 'betrachter'): Promise<Account> {
  const user = await addUser(service, account, rolle);
  const email = `${name}@${domain}`;
  await service.sql('UPDATE benutzer SET email = $2 WHERE benutzer_id = $1', [user.benutzerId, email]);
  return { ...user, email };
}

describe('GET /v1/sso/callback signs in', () => {
  it('somebody new, as a user in the role that is set, without a password', async () => {
    const answer = await signIn(visitor('erika'));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).not.toMatch(/<script/i);
    expect(leadsTo(answer)).toBe('/');
    expect(await ich(sessionOf(answer))).toMatchObject({
      benutzer: { email: `erika@${domain}`, name: 'ERIKA', rolle: 'bearbeiter', passwort_gesetzt: false },
      mandant: { mandant_id: account.mandantId },
    });
    expect(answer.cookies.find(({ name }) => name === 'zw_sitzung')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
    expect(await entries('benutzer.angelegt')).toMatchObject([
      {
        akteur_art: 'benutzer',
        nachher: {
          email: `erika@${domain}`,
          rolle: 'bearbeiter',
          issuer: provider.issuer,
          subject: `erika-${domain}`,
        },
      },
    ]);
    expect(await entries('anmeldung.erfolgreich')).toMatchObject([{ nachher: { mit: 'firmenkonto' } }]);
    expect((await logIn(service, `erika@${domain}`, PASSWORT)).statusCode).toBe(401);
  });

  it('somebody new whose address another Mandant has without having proven it', async () => {
    const squatter = await registerAccount(service);
    const email = `erika@${domain}`;
    await service.sql('UPDATE benutzer SET email = $2, email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
      squatter.benutzerId,
      email,
    ]);
    const answer = await signIn(visitor('erika'));
    expect(leadsTo(answer)).toBe('/');
    expect(await ich(sessionOf(answer))).toMatchObject({
      benutzer: { email, email_bestaetigt: true },
      mandant: { mandant_id: account.mandantId },
    });
    expect(await ich(squatter.cookie)).toMatchObject({ code: 'nicht_angemeldet' });
    expect((await logIn(service, email)).statusCode).toBe(401);
  });

  it('a user of the account, whose address is proven by it', async () => {
    const colleague = await addColleague('max');
    await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
      colleague.benutzerId,
    ]);
    const answer = await signIn(visitor('max'));
    expect((await ich(sessionOf(answer))).benutzer.email_bestaetigt).toBe(true);
  });

  it('the same user again, whatever the address has become', async () => {
    await signIn(visitor('erika'));
    const answer = await signIn(visitor('erika', { email: `erika.neu@${domain}` }));
    expect((await ich(sessionOf(answer))).benutzer.email).toBe(`erika@${domain}`);
    expect(await users()).toHaveLength(2);
    expect(await entries('benutzer.angelegt')).toHaveLength(1);
  });

  it('a user the account has, linked by the address in any spelling, once', async () => {
    const colleague = await addColleague('max');
    const person = visitor('max', { email: `MAX@${domain.toUpperCase()}` });
    for (const answer of [await signIn(person), await signIn(person)])
      expect((await ich(sessionOf(answer))).benutzer).toMatchObject({
        benutzer_id: colleague.benutzerId,
        rolle: 'betrachter',
        passwort_gesetzt: true,
      });
    expect(await users()).toHaveLength(2);
    expect(await entries('benutzer.verknuepft')).toMatchObject([
      { objekt_id: colleague.benutzerId, nachher: { issuer: provider.issuer, subject: `max-${domain}` } },
    ]);
  });

  it('somebody new whose two first logins come back at the same time, as one user', async () => {
    provider.visitor = visitor('erika');
    const begun = await Promise.all([1, 2].map(() => beginLogin(service, `erika@${domain}`)));
    const returned = await Promise.all(
      begun.map(({ adresse }) => visitProvider(adresse, service.redirectUri)),
    );
    const answers = await Promise.all(
      returned.map((url, index) => returnTo(service, url, begun[index]?.cookie)),
    );
    expect(answers.map(leadsTo)).toEqual(['/', '/']);
    expect(await users()).toHaveLength(2);
  });

  it('with a session of its own: the one the browser came with ends', async () => {
    const colleague = await addColleague('max');
    provider.visitor = visitor('max');
    const { adresse, cookie } = await beginLogin(service, `max@${domain}`);
    const url = await visitProvider(adresse, service.redirectUri);
    const answer = await returnTo(service, url, `${cookie}; ${colleague.cookie}`);
    expect(sessionOf(answer)).not.toBe(colleague.cookie);
    expect((await ich(sessionOf(answer))).benutzer.benutzer_id).toBe(colleague.benutzerId);
    expect(await ich(colleague.cookie)).toMatchObject({ code: 'nicht_angemeldet' });
  });

  it('an inhaber, since an inhaber chose the provider', async () => {
    await service.sql('UPDATE benutzer SET email = $2 WHERE benutzer_id = $1', [
      account.benutzerId,
      `chef@${domain}`,
    ]);
    const answer = await signIn(visitor('chef'));
    expect((await ich(sessionOf(answer))).benutzer).toMatchObject({
      benutzer_id: account.benutzerId,
      rolle: 'inhaber',
    });
  });
});

describe('GET /v1/sso/callback takes the other ways of providers', () => {
  it.each<[string, Partial<OidcProviderOptions>]>([
    ['the address in the user info only', { emailInIdToken: false }],
    ['the secret in the body', { authentication: 'client_secret_post' }],
    ['no secret', { authentication: 'none' }],
  ])('%s', async (_name, options) => {
    const other = await startOidcProvider({ redirectUri: service.redirectUri, ...options });
    try {
      const theirs = `andere-${domain}`;
      const clientSecret = options.authentication === 'none' ? null : other.clientSecret;
      await setUpCompany(service, { ...other, clientSecret }, theirs);
      other.visitor = { sub: 'a', email: `a@${theirs}`, email_verified: true };
      const answer = await logInByCompany(service, `a@${theirs}`);
      expect((await ich(sessionOf(answer))).benutzer).toMatchObject({ email: `a@${theirs}`, name: null });
    } finally {
      await other.stop();
    }
  });
});

describe('GET /v1/sso/callback refuses', () => {
  async function expectRefused(person: Visitor, fehler: string, email = person.email as string) {
    const [usersBefore, sessionsBefore] = [await users(), await sessions()];
    provider.visitor = person;
    const answer = await logInByCompany(service, email);
    expect(answer.statusCode).toBe(200);
    expect(leadsTo(answer)).toBe(`/anmelden?fehler=${fehler}`);
    expect(sessionOf(answer)).toBeUndefined();
    expect([await users(), await sessions()]).toEqual([usersBefore, sessionsBefore]);
    expect(
      await service.sql('SELECT 1 FROM sso_identitaeten WHERE mandant_id = $1', [account.mandantId]),
    ).toEqual([]);
  }

  it.each<[string, Partial<Visitor>]>([
    ['not confirmed', { email_verified: false }],
    ['of which nothing is said', { email_verified: undefined }],
    ['that is none', { email: 'erika' }],
  ])('an address %s', (_name, changes) =>
    expectRefused(visitor('erika', changes), 'sso_email_unbestaetigt', `erika@${domain}`),
  );

  it.each(['\u0000', 'erika\ud800', 'e'.repeat(256)])('a subject that is none: %j', (sub) =>
    expectRefused(visitor('erika', { sub }), 'sso_antwort_ungueltig'),
  );

  it('an address in a domain that is claimed, but not proven', async () => {
    await putSso(service, account, {
      issuer: provider.issuer,
      client_id: provider.clientId,
      domains: [domain, `nicht-bewiesen-${domain}`],
    });
    const email = `erika@nicht-bewiesen-${domain}`;
    await expectRefused(visitor('erika', { email }), 'sso_domain_fremd', `erika@${domain}`);
  });

  it('an address in a domain that is another Mandant’s', async () => {
    const theirs = `fremd-${domain}`;
    await setUpCompany(service, provider, theirs);
    await expectRefused(
      visitor('erika', { email: `erika@${theirs}` }),
      'sso_domain_fremd',
      `erika@${domain}`,
    );
  });

  it('an address that belongs to a user of another Mandant', async () => {
    const foreign = await registerAccount(service);
    const email = `erika@${domain}`;
    await service.sql('UPDATE benutzer SET email = $2 WHERE benutzer_id = $1', [foreign.benutzerId, email]);
    await expectRefused(visitor('erika'), 'konto_woanders');
  });

  it('a disabled user', async () => {
    const colleague = await addColleague('max');
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [colleague.benutzerId]);
    await expectRefused(visitor('max'), 'konto_deaktiviert');
  });

  it('a disabled user who came this way before', async () => {
    await signIn(visitor('erika'));
    await service.sql('UPDATE benutzer SET aktiv = false WHERE email = $1', [`erika@${domain}`]);
    const answer = await signIn(visitor('erika'));
    expect(leadsTo(answer)).toBe('/anmelden?fehler=konto_deaktiviert');
    expect(sessionOf(answer)).toBeUndefined();
  });

  it('somebody who was given the address of a user who came this way before', async () => {
    await signIn(visitor('erika'));
    const answer = await signIn(visitor('erika', { sub: `jemand-anders-${domain}` }));
    expect(leadsTo(answer)).toBe('/anmelden?fehler=konto_verknuepft');
    expect(sessionOf(answer)).toBeUndefined();
  });

  it('an inhaber when a verwalter chose the issuer, and a user who is inhaber by then', async () => {
    const verwalter = await addUser(service, account, 'verwalter');
    await addColleague('chefin', 'inhaber');
    const settings = { issuer: provider.issuer, client_id: provider.clientId, domains: [domain] };
    await putSso(service, verwalter, { ...settings, issuer: 'https://eigener.example' });
    await putSso(service, verwalter, { ...settings, client_secret: provider.clientSecret });
    await expectRefused(visitor('chefin'), 'konto_passwort');
    await addColleague('max');
    expect(leadsTo(await signIn(visitor('max')))).toBe('/');
    await service.sql(`UPDATE benutzer SET rolle = 'inhaber' WHERE email = $1`, [`max@${domain}`]);
    expect(leadsTo(await signIn(visitor('max')))).toBe('/anmelden?fehler=konto_passwort');
    await putSso(service, account, settings);
    expect(leadsTo(await signIn(visitor('max')))).toBe('/');
  });

  it('operators of the installation', async () => {
    const colleague = await addColleague('betreiberin');
    await service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
      account.mandantId,
      colleague.benutzerId,
    ]);
    await expectRefused(visitor('betreiberin'), 'konto_passwort');
  });

  it('a login the provider refused', async () => {
    const { adresse, cookie } = await beginLogin(service, `erika@${domain}`);
    const answer = await returnTo(service, await visitProvider(adresse, service.redirectUri), cookie);
    expect(leadsTo(answer)).toBe('/anmelden?fehler=sso_abgebrochen');
  });
});
