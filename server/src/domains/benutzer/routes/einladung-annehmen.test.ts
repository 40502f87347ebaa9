import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, cookieOf, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { GUESSABLE, tooEasy } from '#test/guessable.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.123Z');
  account = await registerAccount(service, 'Muster GmbH');
});
afterAll(() => service.stop());

async function invite(email: string, rolle = 'betrachter'): Promise<string> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/benutzer/einladen',
    headers: { cookie: account.cookie },
    payload: { email, rolle },
  });
  return answer.json().link.split('token=')[1];
}

const accept = (payload: object, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'POST', url: '/v1/einladung/annehmen', headers, payload });

const withToken = (token: string) => ({ token, name: 'Anna Neu', passwort: PASSWORT });

const openInvitations = async () =>
  (await service.app.inject({ url: '/v1/cockpit/benutzer', headers: { cookie: account.cookie } }))
    .json()
    .einladungen.map(({ email }: { email: string }) => email);

describe('POST /v1/einladung/annehmen', () => {
  it('makes the invited address a user in the invited role and signs in', async () => {
    const token = await invite('neu@example.org', 'bearbeiter');
    const answer = await accept(withToken(token), { 'user-agent': 'Probe/1' });
    expect(answer.statusCode).toBe(200);
    const { benutzer, mandant } = answer.json();
    expect(benutzer).toMatchObject({
      email: 'neu@example.org',
      name: 'Anna Neu',
      rolle: 'bearbeiter',
      passwort_gesetzt: true,
      betreiber: false,
    });
    expect(mandant).toMatchObject({ mandant_id: account.mandantId, firma: 'Muster GmbH' });
    const self = await service.app.inject({ url: '/v1/ich', headers: { cookie: cookieOf(answer) } });
    expect(self.json()).toEqual(answer.json());
    expect((await logIn(service, 'neu@example.org')).statusCode).toBe(200);
    expect(await openInvitations()).not.toContain('neu@example.org');
    const entries = await service.sql(
      `SELECT akteur_id, akteur_name, nachher, adresse, p::text AS whole FROM pruefprotokoll p
       WHERE aktion = 'einladung.angenommen' AND objekt_id = $1`,
      [benutzer.benutzer_id],
    );
    expect(entries).toMatchObject([
      {
        akteur_id: benutzer.benutzer_id,
        akteur_name: 'neu@example.org',
        nachher: { rolle: 'bearbeiter', name: 'Anna Neu' },
        adresse: '127.0.0.1',
      },
    ]);
    expect(entries[0]?.whole).not.toContain(token);
  });

  it('is bound to address, role and Mandant of the invitation, whatever the body says', async () => {
    const other = await registerAccount(service);
    const token = await invite('gebunden@example.org');
    const answer = await accept({
      ...withToken(token),
      email: 'anders@example.org',
      rolle: 'inhaber',
      mandant_id: other.mandantId,
      betreiber: true,
    });
    expect(answer.json()).toMatchObject({
      benutzer: { email: 'gebunden@example.org', rolle: 'betrachter', betreiber: false },
      mandant: { mandant_id: account.mandantId },
    });
  });

  it('is good once, also for many at once', async () => {
    const token = await invite('einmal@example.org');
    const answers = await Promise.all([1, 2, 3, 4].map(() => accept(withToken(token))));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404, 404]);
    const again = await accept(withToken(token));
    expect(again.statusCode).toBe(404);
    expect(again.json()).toEqual({ detail: expect.any(String), code: 'einladung_ungueltig' });
    expect(again.cookies).toEqual([]);
    const users = await service.sql(`SELECT FROM benutzer WHERE email = 'einmal@example.org'`);
    expect(users).toHaveLength(1);
  });

  it('answers a link that ended like one that never was', async () => {
    const token = await invite('spaet@example.org');
    service.clock.set('2026-05-08T10:00:00.123Z');
    const [ended, unknown] = [await accept(withToken(token)), await accept(withToken('x'.repeat(43)))];
    service.clock.set('2026-05-01T10:00:00.123Z');
    expect(ended.statusCode).toBe(404);
    expect(ended.json().code).toBe('einladung_ungueltig');
    expect(unknown.body).toBe(ended.body);
  });

  it('says clearly that the address has an account elsewhere, and keeps the invitation', async () => {
    const elsewhere = await registerAccount(service);
    const token = await invite(elsewhere.email.toUpperCase());
    const answer = await accept(withToken(token));
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('email_vergeben');
    expect(answer.cookies).toEqual([]);
    expect(await openInvitations()).toContain(elsewhere.email.toUpperCase());
    const self = await service.app.inject({ url: '/v1/ich', headers: { cookie: elsewhere.cookie } });
    expect(self.json().mandant.mandant_id).toBe(elsewhere.mandantId);
  });

  it('ends the session the browser came with', async () => {
    const before = await registerAccount(service);
    const answer = await accept(withToken(await invite('gewechselt@example.org')), { cookie: before.cookie });
    expect(cookieOf(answer)).not.toBe(before.cookie);
    const old = await service.app.inject({ url: '/v1/ich', headers: { cookie: before.cookie } });
    expect(old.statusCode).toBe(401);
  });

  it('refuses a foreign page', async () => {
    const token = await invite('fremde-seite@example.org');
    const answer = await accept(withToken(token), { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().code).toBe('fremde_herkunft');
    expect((await accept(withToken(token))).statusCode).toBe(200);
  });

  it('refuses a password that is easy to guess, and the link still holds', async () => {
    const token = await invite('leicht.erraten@example.org');
    for (const passwort of [...GUESSABLE, 'leicht.erraten', 'Anna Neu 2026', 'MusterGmbH2026']) {
      const answer = await accept({ ...withToken(token), passwort });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toEqual(tooEasy('passwort'));
      expect(answer.cookies).toEqual([]);
    }
    expect((await accept(withToken(token))).statusCode).toBe(200);
  });

  it.each([
    [{ name: 'Anna', passwort: PASSWORT }, 'token'],
    [{ ...withToken('zu-kurz'), name: 'Anna' }, 'token'],
    [{ ...withToken('x'.repeat(43)), name: '' }, 'name'],
    [{ ...withToken('x'.repeat(43)), name: 'x'.repeat(121) }, 'name'],
    [{ ...withToken('x'.repeat(43)), name: 'Anna\nNeu' }, 'name'],
    [{ ...withToken('x'.repeat(43)), name: 'www.boese.example' }, 'name'],
    [{ ...withToken('x'.repeat(43)), passwort: 'zu-kurz' }, 'passwort'],
    [{ ...withToken('x'.repeat(43)), passwort: 'geheim'.repeat(40) }, 'passwort'],
  ])('checks its body and repeats no secret: case %#', async (payload, field) => {
    const answer = await accept(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', field]);
    expect(answer.body).not.toMatch(/zu-kurz|geheim/);
  });
});
