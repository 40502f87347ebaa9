import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, addUser, cookieOf, PASSWORT, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let production: TestService;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://zaehlwerk.example' });
  production = await startService({
    NODE_ENV: 'production',
    BASE_URL: 'https://zaehlwerk.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
});
afterAll(async () => {
  await service.stop();
  await production.stop();
});
beforeEach(() => service.clock.set('2026-05-01T10:00:00.000Z'));

/** A user who has just registered, with the link of the mail. */
async function register(on = service, email = `${randomUUID()}@example.org`) {
  const answer = await on.app.inject({
    method: 'POST',
    url: '/v1/registrieren',
    payload: { firma: 'Muster GmbH', email, passwort: PASSWORT },
  });
  expect(answer.statusCode).toBe(201);
  const { benutzer, mandant } = answer.json();
  return { cookie: cookieOf(answer), email, benutzerId: benutzer.benutzer_id, mandantId: mandant.mandant_id };
}
const lastToken = async (on = service) =>
  /token=([A-Za-z0-9_-]{43})/.exec((await on.mails()).at(-1)?.text ?? '')?.[1] as string;

const confirm = (token: unknown, cookie?: string) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/email/bestaetigen',
    headers: cookie ? { cookie } : {},
    payload: { token },
  });
const sendAgain = (cookie?: string, on = service) =>
  on.app.inject({ method: 'POST', url: '/v1/email/bestaetigung', headers: cookie ? { cookie } : {} });
const isProven = async ({ cookie }: Pick<Account, 'cookie'>) =>
  (await service.app.inject({ url: '/v1/ich', headers: { cookie } })).json().benutzer.email_bestaetigt;

describe('a registration', () => {
  it('can be used at once and sends a link that confirms the address', async () => {
    const user = await register();
    expect(await isProven(user)).toBe(false);
    const mail = (await service.mails()).at(-1);
    expect(mail).toMatchObject({ an: user.email, betreff: 'Bitte bestätigen Sie Ihre E-Mail-Adresse' });
    expect(mail?.text).toContain('https://zaehlwerk.example/email-bestaetigen?token=');
    // What a stranger may have typed with the address of another.
    expect(mail?.text).not.toContain('Muster GmbH');
    const [row] = await service.sql(
      'SELECT b::text AS zeile FROM email_bestaetigungen b WHERE benutzer_id = $1',
      [user.benutzerId],
    );
    expect(row?.zeile).not.toContain(await lastToken());
  });

  it('fills no mailbox, however often an address is registered and given up again', async () => {
    const email = `${randomUUID()}@example.org`;
    const before = (await service.mails()).length;
    for (let time = 0; time < 5; time += 1) {
      const { mandantId } = await register(service, email);
      await service.sql(
        `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = now() WHERE mandant_id = $1`,
        [mandantId],
      );
    }
    expect((await service.mails()).length - before).toBe(3);
  });
});

describe('POST /v1/email/bestaetigen', () => {
  it('confirms the address, once, and says so in the audit log', async () => {
    const user = await register();
    const token = await lastToken();
    const answer = await confirm(token, user.cookie);
    expect([answer.statusCode, answer.json()]).toEqual([200, { bestaetigt: true }]);
    expect(await isProven(user)).toBe(true);
    expect((await confirm(token, user.cookie)).statusCode).toBe(404);
    expect(
      await service.sql(
        `SELECT akteur_id, objekt_id, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'email.bestaetigt'`,
        [user.mandantId],
      ),
    ).toEqual([
      { akteur_id: user.benutzerId, objekt_id: user.benutzerId, nachher: { email_bestaetigt: true } },
    ]);
  });

  it('takes the link with the account it was made for: nobody vouches for what another has registered', async () => {
    const squatter = await register();
    const token = await lastToken();
    const colleague = await addUser(service, squatter, 'verwalter');
    const foreign = await registerAccount(service);
    expect((await confirm(token)).statusCode).toBe(401);
    for (const { cookie } of [colleague, foreign]) {
      const answer = await confirm(token, cookie);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'link_ungueltig']);
    }
    expect(await isProven(squatter)).toBe(false);
  });

  it('takes a link for seven days, and of several at once one', async () => {
    const user = await register();
    const token = await lastToken();
    service.clock.set('2026-05-08T09:59:59.000Z');
    const again = await service.app.inject({
      method: 'POST',
      url: '/v1/anmelden',
      payload: { email: user.email, passwort: PASSWORT },
    });
    const cookie = cookieOf(again);
    const answers = await Promise.all([1, 2, 3].map(() => confirm(token, cookie)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404]);

    const late = await register();
    const old = await lastToken();
    service.clock.set('2026-05-15T09:59:59.000Z');
    await service.sql('UPDATE sitzungen SET erstellt_am = $2, zuletzt_am = $2 WHERE benutzer_id = $1', [
      late.benutzerId,
      '2026-05-15T09:59:59.000Z',
    ]);
    expect((await confirm(old, late.cookie)).statusCode).toBe(404);
  });

  it.each(['kurz', 7, null])('checks its body: %j', async (token) => {
    const answer = await confirm(token, (await register()).cookie);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', 'token']);
  });
});

describe('POST /v1/email/bestaetigung', () => {
  it('sends another link; the one before ends', async () => {
    const user = await register();
    const first = await lastToken();
    const answer = await sendAgain(user.cookie);
    expect(answer.statusCode).toBe(200);
    const second = await lastToken();
    expect(answer.json()).toEqual({
      gesendet: false,
      link: `https://zaehlwerk.example/email-bestaetigen?token=${second}`,
    });
    expect((await service.mails()).at(-1)?.an).toBe(user.email);
    expect((await confirm(first, user.cookie)).statusCode).toBe(404);
    expect((await confirm(second, user.cookie)).statusCode).toBe(200);
  });

  it('keeps the link to the mail in production', async () => {
    const { cookie } = await register(production);
    expect((await sendAgain(cookie, production)).json()).toEqual({ gesendet: true });
  });

  it('sends none for an address that is confirmed', async () => {
    const answer = await sendAgain((await registerAccount(service)).cookie);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'email_schon_bestaetigt']);
  });

  it('wants a session, and patience', async () => {
    expect((await sendAgain()).statusCode).toBe(401);
    const { cookie } = await register();
    for (let time = 0; time < 5; time += 1) expect((await sendAgain(cookie)).statusCode).toBe(200);
    const answer = await sendAgain(cookie);
    expect([answer.statusCode, answer.json().code]).toEqual([429, 'zu_viele_versuche']);
  });
});

describe('a reset link', () => {
  async function reset(email: string) {
    const asked = await service.app.inject({
      method: 'POST',
      url: '/v1/passwort/vergessen',
      payload: { email },
    });
    const token = new URL(asked.json().link).searchParams.get('token');
    const payload = { token, passwort: 'ein-neues-passwort' };
    return service.app.inject({ method: 'POST', url: '/v1/passwort/neu', payload });
  }
  const proven = async ({ benutzerId }: { benutzerId: string }) =>
    (
      await service.sql('SELECT email_bestaetigt_am IS NOT NULL AS ja FROM benutzer WHERE benutzer_id = $1', [
        benutzerId,
      ])
    )[0]?.ja;

  it('confirms the address it was sent to', async () => {
    const user = await register();
    expect((await reset(user.email)).statusCode).toBe(200);
    expect(await proven(user)).toBe(true);
  });

  it('vouches for no account behind a second factor that somebody else may have set up', async () => {
    const user = await register();
    await service.sql(
      `INSERT INTO zweite_faktoren (mandant_id, benutzer_id, geheimnis, erstellt_am, bestaetigt_am)
       VALUES ($1, $2, 'x', now(), now())`,
      [user.mandantId, user.benutzerId],
    );
    expect((await reset(user.email)).statusCode).toBe(200);
    expect(await proven(user)).toBe(false);
  });
});
