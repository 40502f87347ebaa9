import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markProven } from '#domains/zugang/index.ts';
import { mandantId as newMandantId } from '#kernel/mandant-id.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://zaehlwerk.example.org' });
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const invite = (payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'POST', url: '/v1/cockpit/benutzer/einladen', headers, payload });

const invitationsOf = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/cockpit/benutzer', headers: { cookie } })).json().einladungen;

const mailTo = async (email: string) => (await service.mails()).filter(({ an }) => an === email);

describe('POST /v1/cockpit/benutzer/einladen', () => {
  it('sends a link that is stored as its hash, and says until when it is good', async () => {
    service.clock.set('2026-05-01T10:00:00.123Z');
    const fresh = await registerAccount(service, 'Muster GmbH');
    const answer = await invite(
      { email: 'neu@example.org', rolle: 'bearbeiter' },
      { cookie: fresh.cookie, host: '192.0.2.9' },
    );
    expect(answer.statusCode).toBe(200);
    const { link, ...rest } = answer.json();
    expect(link).toMatch(/^https:\/\/zaehlwerk\.example\.org\/einladung\?token=[A-Za-z0-9_-]{43}$/);
    expect(rest).toEqual({
      einladung_id: expect.any(String),
      email: 'neu@example.org',
      rolle: 'bearbeiter',
      eingeladen_von: fresh.email,
      status: 'offen',
      mail_gehalten: false,
      erstellt_am: '2026-05-01T10:00:00.123Z',
      gueltig_bis: '2026-05-08T10:00:00.123Z',
    });
    const mails = await mailTo('neu@example.org');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.betreff).toBe('Einladung zu Zählwerk');
    expect(mails[0]?.text).toContain('im Konto „Muster GmbH“ bei Zählwerk');
    expect(mails[0]?.text).toContain(link);
    const token = link.split('token=')[1];
    const [row] = await service.sql(
      `SELECT e::text AS row, sha256($2::bytea) = hash AS hashed FROM einladungen e WHERE einladung_id = $1`,
      [rest.einladung_id, token],
    );
    expect(row?.row).not.toContain(token);
    expect(row?.hashed).toBe(true);
    const [entry] = await service.sql(
      `SELECT akteur_name, objekt_name, nachher, p::text AS whole FROM pruefprotokoll p
       WHERE mandant_id = $1 AND aktion = 'benutzer.eingeladen'`,
      [fresh.mandantId],
    );
    expect(entry).toMatchObject({
      akteur_name: fresh.email,
      objekt_name: 'neu@example.org',
      nachher: { rolle: 'bearbeiter', gueltig_bis: '2026-05-08T10:00:00.123Z' },
    });
    expect(entry?.whole).not.toContain(token);
  });

  it('makes the invited a betrachter unless the request names a role', async () => {
    expect((await invite({ email: 'ohne-rolle@example.org' })).json().rolle).toBe('betrachter');
  });

  it('replaces an open invitation of the same address, in whatever spelling', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const first = (await invite({ email: 'Doppelt@example.org', rolle: 'verwalter' }, headers)).json();
    const second = (await invite({ email: 'doppelt@EXAMPLE.org' }, headers)).json();
    expect(await invitationsOf(fresh)).toMatchObject([
      { einladung_id: second.einladung_id, email: 'doppelt@EXAMPLE.org', rolle: 'betrachter' },
    ]);
    const read = async (link: string) =>
      (await service.app.inject({ url: link.replace(/^.*(?=\/einladung)/, '/v1') })).statusCode;
    expect(await read(first.link)).toBe(404);
    expect(await read(second.link)).toBe(200);
  });

  it('leaves one invitation when an address is invited twice at once', async () => {
    const fresh = await registerAccount(service);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => invite({ email: 'eilig@example.org' }, { cookie: fresh.cookie })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(await invitationsOf(fresh)).toHaveLength(1);
  });

  it('refuses the address of one of its own users', async () => {
    const user = await addUser(service, account, 'betrachter');
    const answer = await invite({ email: user.email.toUpperCase() });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('email_vergeben');
    expect(await mailTo(user.email)).toEqual([]);
  });

  it('does not tell whether an address has an account elsewhere', async () => {
    const elsewhere = await registerAccount(service);
    const [known, unknown] = [
      await invite({ email: elsewhere.email }),
      await invite({ email: 'niemand@example.org' }),
    ];
    expect(known.statusCode).toBe(200);
    expect(Object.keys(known.json())).toEqual(Object.keys(unknown.json()));
    expect(await mailTo(elsewhere.email)).toHaveLength(1);
  });

  it('leads nowhere but to the link, whatever a company was called before such names were refused', async () => {
    const { cookie } = await registerAccount(
      service,
      'Gewinn \u202ehttps://boese.example auf boese.example.org',
    );
    await invite({ email: 'gewinn@example.org' }, { cookie });
    const [mail] = await mailTo('gewinn@example.org');
    expect(mail?.betreff).toBe('Einladung zu Zählwerk');
    for (const text of [mail?.text, mail?.html]) {
      expect(text).not.toMatch(/boese\.example|https:\/\/boese|\u202e/);
      expect(text).toContain('Gewinn');
    }
  });

  it('knows its own users in both forms of an international domain', async () => {
    const other = await registerAccount(service);
    await service.sql('UPDATE benutzer SET email = $2 WHERE benutzer_id = $1', [
      other.benutzerId,
      `chef-${other.benutzerId}@xn--mnchen-3ya.example`,
    ]);
    for (const domain of ['münchen.example', 'xn--mnchen-3ya.example']) {
      const answer = await invite({ email: `chef-${other.benutzerId}@${domain}` }, { cookie: other.cookie });
      expect([answer.statusCode, answer.json().code], domain).toEqual([409, 'email_vergeben']);
    }
    const first = await invite({ email: 'neu@köln.example' }, { cookie: other.cookie });
    expect(first.json().email).toBe('neu@köln.example');
    expect((await invite({ email: 'neu@xn--kln-sna.example' }, { cookie: other.cookie })).statusCode).toBe(
      200,
    );
    const rows = await service.sql('SELECT email FROM einladungen WHERE mandant_id = $1', [other.mandantId]);
    expect(rows).toEqual([{ email: 'neu@xn--kln-sna.example' }]);
  });

  it('puts nothing of a name into the head of the mail but text', async () => {
    const { cookie } = await registerAccount(service, 'Böse\r\nBcc: alle@example.org\r\n\r\n<b>GmbH</b>');
    await invite({ email: 'kopf@example.org' }, { cookie });
    const [mail] = await mailTo('kopf@example.org');
    expect(mail?.betreff).toBe('Einladung zu Zählwerk');
    expect(mail?.text).toContain('im Konto „Böse Bcc: alle@example.\u2060org <b>GmbH</b>“');
    expect(mail?.html).not.toContain('<b>');
  });

  it.each([
    [{}, ['body', 'email']],
    [{ email: 'keine' }, ['body', 'email']],
    [{ email: 'a@example.org\r\nBcc: b@example.org' }, ['body', 'email']],
    [{ email: 'a@example.org', rolle: 'betreiber' }, ['body', 'rolle']],
    [{ email: 'a@example.org', rolle: 7 }, ['body', 'rolle']],
  ])('checks its body: %j', async (payload, loc) => {
    const answer = await invite(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(loc);
  });

  it('takes nothing else along', async () => {
    const other = await registerAccount(service);
    const payload = { email: 'mehr@example.org', mandant_id: other.mandantId, betreiber: true };
    expect((await invite(payload)).statusCode).toBe(200);
    expect(await invitationsOf(other)).toEqual([]);
  });

  it('lets a verwalter invite anybody but an inhaber, and not replace the invitation of one', async () => {
    const verwalter = await addUser(service, account, 'verwalter');
    const headers = { cookie: verwalter.cookie };
    expect((await invite({ email: 'v@example.org', rolle: 'verwalter' }, headers)).statusCode).toBe(200);
    const above = await invite({ email: 'i@example.org', rolle: 'inhaber' }, headers);
    expect(above.statusCode).toBe(403);
    expect(above.json().code).toBe('verboten');
    await invite({ email: 'chefin@example.org', rolle: 'inhaber' });
    expect((await invite({ email: 'chefin@example.org' }, headers)).statusCode).toBe(403);
    expect(await invitationsOf(account)).toContainEqual(
      expect.objectContaining({ email: 'chefin@example.org', rolle: 'inhaber' }),
    );
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }, rolle) =>
      invite({ email: `von-${rolle}@example.org` }, { cookie }),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await invite({ email: 'a@example.org' }, {})).statusCode).toBe(401);
  });

  it('keeps the link out of the answer in production', async () => {
    const production = await startService({
      NODE_ENV: 'production',
      BASE_URL: 'https://zaehlwerk.example.org',
    });
    const { cookie } = await registerAccount(production);
    const answer = await production.app.inject({
      method: 'POST',
      url: '/v1/cockpit/benutzer/einladen',
      headers: { cookie },
      payload: { email: 'neu@example.org' },
    });
    const [mail] = await production.mails();
    await production.stop();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('link');
    expect(mail?.text).toMatch(/einladung\?token=[\w-]{43}/);
  });

  it('writes to one address five times a day at most', async () => {
    const { cookie } = await registerAccount(service);
    const again = () => invite({ email: 'bedraengt@example.org' }, { cookie });
    for (let mail = 0; mail < 5; mail += 1) expect((await again()).statusCode).toBe(200);
    const refused = await again();
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'post_ausgeschoepft']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await invite({ email: 'andere@example.org' }, { cookie })).statusCode).toBe(200);
  });

  it('refuses a network that asks for more than anybody needs, whatever the Mandant', async () => {
    const [one, other] = [await registerAccount(service), await registerAccount(service)];
    const from = (remoteAddress: string, { cookie }: Account, email: string) =>
      service.app.inject({
        method: 'POST',
        url: '/v1/cockpit/benutzer/einladen',
        remoteAddress,
        headers: { cookie },
        payload: { email },
      });
    await service.sql('DELETE FROM drosselung');
    expect((await from('192.0.2.1', one, 'dritte@example.org')).statusCode).toBe(200);
    await service.sql('UPDATE drosselung SET points = 500');
    const refused = await from('192.0.2.1', other, 'vierte@example.org');
    expect(refused.json().code).toBe('zu_viele_versuche');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('192.0.2.4', other, 'vierte@example.org')).statusCode).toBe(200);
    await service.sql('DELETE FROM drosselung');
  });

  it('holds the mail until an inhaber has confirmed the own address, and is short with how many', async () => {
    const account = await registerAccount(service);
    const { mandantId, benutzerId, cookie } = account;
    await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [benutzerId]);
    const statuses: number[] = [];
    for (let nth = 0; nth < 21; nth += 1) {
      const answer = await invite({ email: `n${nth}@example.org` }, { cookie });
      statuses.push(answer.statusCode);
      if (nth < 20) expect(answer.json().mail_gehalten).toBe(true);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    const state = async () =>
      (
        await service.sql(
          `SELECT count(*) FILTER (WHERE gehalten)::int AS gehalten, count(*)::int AS mails,
             (SELECT count(*)::int FROM auftraege WHERE mandant_id = $1 AND job = 'postausgang.versenden') AS auftraege
           FROM postausgang WHERE mandant_id = $1`,
          [mandantId],
        )
      )[0];
    expect(await state()).toEqual({ gehalten: 20, mails: 20, auftraege: 0 });
    await service.context.db.forMandant(newMandantId(mandantId), (tx) =>
      markProven(tx, benutzerId, service.clock.now().toISOString()),
    );
    const jobs = await service.sql(`SELECT job FROM auftraege WHERE mandant_id = $1`, [mandantId]);
    expect(jobs).toEqual([{ job: 'postausgang.freigeben' }]);
  });
});
