import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';

let service: TestService;
let production: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://zaehlwerk.example' });
  production = await startService({ NODE_ENV: 'production', BASE_URL: 'https://zaehlwerk.example' });
  account = await registerAccount(service);
});
afterAll(async () => {
  await service.stop();
  await production.stop();
});

const asking = (email: unknown) =>
  ({ method: 'POST', url: '/v1/passwort/vergessen', payload: { email } }) as const;
const ask = (email: unknown, headers = {}, on = service) => on.app.inject({ ...asking(email), headers });
const tokenOf = (link: string) => new URL(link).searchParams.get('token') as string;
const renew = (token: string, on = service) =>
  on.app.inject({
    method: 'POST',
    url: '/v1/passwort/neu',
    payload: { token, passwort: 'ein-neues-passwort' },
  });

describe('POST /v1/passwort/vergessen', () => {
  it('sends a link to the stored address and says what to do with it', async () => {
    const answer = await ask(account.email.toUpperCase());
    expect(answer.statusCode).toBe(200);
    const [mail] = (await service.mails()).slice(-1);
    expect(mail).toMatchObject({ an: account.email, betreff: 'Neues Passwort für Zählwerk' });
    expect(mail?.text).toContain(answer.json().link);
    expect(mail?.text).toContain('30 Minuten');
    expect(mail?.text).toContain('Sie haben kein neues Passwort angefordert?');
    expect((await renew(tokenOf(answer.json().link))).statusCode).toBe(200);
  });

  it('stores the hash of 256 random bits, for thirty minutes', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const other = await registerAccount(service);
    const token = tokenOf((await ask(other.email)).json().link);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const rows = await service.sql(
      'SELECT gueltig_bis, p::text AS zeile FROM passwort_ruecksetzungen p WHERE benutzer_id = $1',
      [other.benutzerId],
    );
    expect(rows).toMatchObject([{ gueltig_bis: '2026-05-01T10:30:00Z' }]);
    expect(rows[0]?.zeile).not.toContain(token);
    expect(rows[0]?.zeile).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('leads to the configured host, whatever the request says', async () => {
    const headers = { host: '192.0.2.9', 'x-forwarded-host': 'boese.example' };
    const { link } = (await ask((await registerAccount(service)).email, headers)).json();
    expect(link).toMatch(/^https:\/\/zaehlwerk\.example\/passwort-neu\?token=/);
    expect((await service.mails()).at(-1)?.text).not.toMatch(/boese\.example|192\.0\.2\.9/);
  });

  it('leaves the newest link only, also of several at once', async () => {
    const other = await registerAccount(service);
    const first = tokenOf((await ask(other.email)).json().link);
    const answers = await Promise.all([ask(other.email), ask(other.email), ask(other.email)]);
    expect((await renew(first)).statusCode).toBe(404);
    const count = 'SELECT 1 FROM passwort_ruecksetzungen WHERE benutzer_id = $1';
    expect(await service.sql(count, [other.benutzerId])).toHaveLength(1);
    const statuses = [];
    for (const answer of answers) statuses.push((await renew(tokenOf(answer.json().link))).statusCode);
    expect(statuses.sort()).toEqual([200, 404, 404]);
  });

  it('gives unknown addresses a link that leads nowhere', async () => {
    const known = await ask((await registerAccount(service)).email);
    const mails = (await service.mails()).length;
    const unknown = await ask('niemand@example.org');
    expect(unknown.statusCode).toBe(200);
    expect(unknown.json().detail).toBe(known.json().detail);
    expect(unknown.json().link).toHaveLength(known.json().link.length);
    expect((await renew(tokenOf(unknown.json().link))).statusCode).toBe(404);
    expect(await service.mails()).toHaveLength(mails);
  });

  it('sends nothing to disabled users and cancelled accounts', async () => {
    const [disabled, cancelled] = [await registerAccount(service), await registerAccount(service)];
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [disabled.benutzerId]);
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [
      cancelled.mandantId,
    ]);
    const before = (await service.mails()).length;
    for (const { email } of [disabled, cancelled]) expect((await ask(email)).statusCode).toBe(200);
    expect(await service.mails()).toHaveLength(before);
  });

  it('lets users without a password set one', async () => {
    const other = await registerAccount(service);
    await service.sql('UPDATE benutzer SET passwort_hash = NULL WHERE benutzer_id = $1', [other.benutzerId]);
    expect((await renew(tokenOf((await ask(other.email)).json().link))).statusCode).toBe(200);
  });

  it('is answered alike however often others have asked, and sends three mails in half an hour', async () => {
    const { email } = await registerAccount(service);
    const before = (await service.mails()).length;
    const answers = [];
    for (const address of [email, `${randomUUID()}@example.org`])
      for (let request = 0; request < 8; request += 1) {
        const remoteAddress = `198.51.100.${request}`;
        answers.push(await service.app.inject({ ...asking(address), remoteAddress }));
      }
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ ...answers[0]?.json(), link: expect.any(String) });
    }
    const sent = (await service.mails()).slice(before);
    expect(sent.map(({ an }) => an)).toEqual([email, email, email]);
    // While no more are sent, the last one is good: it is younger than the half hour.
    const link = /https:\S+token=\S+/.exec(sent[2]?.text ?? '')?.[0] as string;
    expect((await renew(tokenOf(link))).statusCode).toBe(200);
  });

  it('says by what way the link comes', async () => {
    const { config } = service.context;
    config.smtpUrl = 'smtp://127.0.0.1:1';
    try {
      const told = (await ask('niemand@example.org')).json();
      expect(told).toMatchObject({
        mailweg: 'mailserver',
        detail: expect.stringContaining('bekommen Sie eine Mail'),
      });
    } finally {
      config.smtpUrl = null;
    }
  });

  it('sends mails again once the half hour is over', async () => {
    const { email } = await registerAccount(service);
    const count = async () => (await service.mails()).filter(({ an }) => an === email).length;
    for (let request = 0; request < 4; request += 1) await ask(email);
    expect(await count()).toBe(3);
    await service.sql('UPDATE drosselung SET expire = 0 WHERE expire <= $1', [Date.now() + 1_800_000]);
    await ask(email);
    expect(await count()).toBe(4);
  });

  it('is limited for each network, whatever the address', async () => {
    const from = (remoteAddress: string) =>
      service.app.inject({ ...asking(`${randomUUID()}@example.org`), remoteAddress });
    for (let request = 0; request < 50; request += 1)
      expect((await from('203.0.113.1')).statusCode).toBe(200);
    const refused = await from('203.0.113.1');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    expect((await from('203.0.113.2')).statusCode).toBe(200);
  });

  it('is in the audit log, and the asker is not taken for the user', async () => {
    const other = await registerAccount(service);
    await ask(other.email);
    const rows = await service.sql(
      `SELECT akteur_art, akteur_id, adresse, objekt_id FROM pruefprotokoll
       WHERE mandant_id = $1 AND aktion = 'passwort.link_angefordert'`,
      [other.mandantId],
    );
    expect(rows).toEqual([
      { akteur_art: 'system', akteur_id: null, adresse: '127.0.0.1', objekt_id: other.benutzerId },
    ]);
  });

  it.each([7, null, 'x'.repeat(255)])('checks its body: %j', async (email) => {
    const answer = await ask(email);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', 'email']);
  });

  it('refuses a foreign page', async () => {
    expect((await ask(account.email, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  });
});

describe('in production', () => {
  const headersOf = (answer: Awaited<ReturnType<typeof ask>>) => {
    const { date: _date, 'x-request-id': _id, ...headers } = answer.headers;
    return headers;
  };

  it('the answer is the same for every address, to the byte, and holds no link', async () => {
    const [known, disabled] = [await registerAccount(production), await registerAccount(production)];
    await production.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [disabled.benutzerId]);
    const answers = [];
    for (const email of [known.email, disabled.email, 'niemand@example.org'])
      answers.push(await ask(email, {}, production));
    const [first] = answers as [(typeof answers)[0]];
    expect(first?.json()).toEqual({
      detail: expect.stringContaining('steht im Log des Dienstes'),
      mailweg: 'log',
    });
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toBe(first?.body);
      expect(headersOf(answer)).toEqual(headersOf(first as (typeof answers)[0]));
    }
    const mails = await vi.waitFor(async () => {
      const waiting = await production.mails();
      expect(waiting).toHaveLength(1);
      return waiting;
    }, PATIENCE);
    const token = /token=([A-Za-z0-9_-]{43})/.exec(mails[0]?.text ?? '')?.[1] as string;
    expect((await renew(token, production)).statusCode).toBe(200);
  });

  it('nobody waits for what is done for known addresses only', async () => {
    const { email } = await registerAccount(production);
    const before = (await production.mails()).length;
    const blocker = new pg.Client(production.connection);
    await blocker.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE passwort_ruecksetzungen, postausgang IN ACCESS EXCLUSIVE MODE');
      expect((await ask(email, {}, production)).statusCode).toBe(200);
      await blocker.query('COMMIT');
    } finally {
      await blocker.end();
    }
    await vi.waitFor(async () => expect(await production.mails()).toHaveLength(before + 1), PATIENCE);
  });
});
