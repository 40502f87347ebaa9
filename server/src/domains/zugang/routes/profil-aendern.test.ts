import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const change = (payload: object, cookie: string, language?: string) =>
  service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/profil',
    headers: { cookie, ...(language === undefined ? {} : { 'accept-language': language }) },
    payload,
  });
const me = async (cookie: string) =>
  (await service.app.inject({ url: '/v1/ich', headers: { cookie } })).json().benutzer;
const entries = (benutzerId: string) =>
  service.sql(
    `SELECT akteur_id, objekt_art, objekt_id, vorher, nachher FROM pruefprotokoll
     WHERE aktion = 'profil.geaendert' AND objekt_id = $1 ORDER BY eintrag_id`,
    [benutzerId],
  );

describe('PUT /v1/cockpit/profil', () => {
  it('changes what is given, leaves the rest, and clears what is null', async () => {
    const user = await addUser(service, account, 'betrachter');
    expect(await me(user.cookie)).toMatchObject({ name: null, sprache: null, zeitzone: null });
    const first = await change(
      { name: '  Anna Muster ', sprache: 'en', zeitzone: 'america/new_york' },
      user.cookie,
    );
    expect(first.statusCode).toBe(200);
    const chosen = { name: 'Anna Muster', sprache: 'en', zeitzone: 'America/New_York' };
    expect(first.json().benutzer).toMatchObject({ benutzer_id: user.benutzerId, ...chosen });
    expect(await me(user.cookie)).toMatchObject(chosen);
    await change({ sprache: 'de' }, user.cookie);
    expect(await me(user.cookie)).toMatchObject({ ...chosen, sprache: 'de' });
    await change({ name: ' ', sprache: null, zeitzone: null }, user.cookie);
    expect(await me(user.cookie)).toMatchObject({ name: null, sprache: null, zeitzone: null });
    // Nobody else's profile was touched, nor the zone in which the Mandant counts its days.
    expect(await me(account.cookie)).toMatchObject({ name: null, sprache: null, zeitzone: null });
  });

  it('is in the audit log, once for what changed and not for what did not', async () => {
    const user = await addUser(service, account, 'betrachter');
    await change({ sprache: 'en' }, user.cookie);
    await change({ sprache: 'en' }, user.cookie);
    await change({}, user.cookie);
    expect(await entries(user.benutzerId)).toEqual([
      {
        akteur_id: user.benutzerId,
        objekt_art: 'benutzer',
        objekt_id: user.benutzerId,
        vorher: { sprache: null },
        nachher: { sprache: 'en' },
      },
    ]);
  });

  it('keeps the role and all else that is not the user’s own to decide', async () => {
    const user = await addUser(service, account, 'betrachter');
    await change({ rolle: 'inhaber', betreiber: true, email: 'a@b.example', name: 'Bea' }, user.cookie);
    expect(await me(user.cookie)).toMatchObject({
      rolle: 'betrachter',
      betreiber: false,
      email: user.email,
      name: 'Bea',
    });
  });

  it.each([
    [{ sprache: 'fr' }, 'sprache', 'literal_error'],
    [{ name: 'x'.repeat(121) }, 'name', 'string_too_long'],
    [{ name: 'Gewinn https://evil.example' }, 'name', 'value_error'],
    [{ zeitzone: 'Europe/Entenhausen' }, 'zeitzone', 'value_error'],
    [{ zeitzone: '+02:00' }, 'zeitzone', 'value_error'],
    [{ zeitzone: 7 }, 'zeitzone', 'string_type'],
  ])('refuses %j', async (payload, field, type) => {
    const answer = await change(payload, account.cookie);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ type, loc: ['body', field] });
  });

  it('says in the language of the request what no time zone is', async () => {
    const said = async (language: string) =>
      (await change({ zeitzone: 'Mond' }, account.cookie, language)).json().detail[0].ctx.error;
    expect(await said('de')).toBe('Das ist keine Zeitzone wie „Europe/Berlin“.');
    expect(await said('en')).toBe('This is no time zone like “Europe/Berlin”.');
  });

  it('is for everybody who is signed in', async () => {
    const statuses = await statusByRole(service, account, (user) => change({ sprache: 'de' }, user.cookie));
    expect(statuses).toEqual(admitting(EVERYBODY));
    expect((await change({ sprache: 'de' }, '')).statusCode).toBe(401);
  });
});
