import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AVV_FASSUNG } from '#contracts';
import { cookieOf } from '#test/account.ts';
import { GUESSABLE, tooEasy } from '#test/guessable.ts';
import { startService, type TestService } from '#test/service.ts';
import { rightsOf } from '../rules.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ZEITZONE: 'Europe/Vienna' });
});
afterAll(() => service.stop());

const valid = { firma: 'Muster GmbH', email: 'anna@example.org', passwort: 'richtig-lang-genug' };
const register = (payload: object, headers = {}) =>
  service.app.inject({ method: 'POST', url: '/v1/registrieren', headers, payload });

describe('POST /v1/registrieren', () => {
  it('creates a Mandant with its inhaber and signs in', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const answer = await register({ ...valid, avv_akzeptiert: true });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      mailweg: 'log',
      benutzer: {
        benutzer_id: expect.any(String),
        email: 'anna@example.org',
        name: null,
        rolle: 'inhaber',
        email_bestaetigt: false,
        zweiter_faktor: false,
        wiederherstellungscodes: 0,
        sprache: null,
        zeitzone: null,
        passwort_gesetzt: true,
        betreiber: false,
      },
      mandant: {
        mandant_id: expect.any(String),
        firma: 'Muster GmbH',
        paket: 'frei',
        zeitzone: 'Europe/Vienna',
      },
      rechte: [...rightsOf('inhaber')],
    });
    const me = await service.app.inject({ url: '/v1/ich', headers: { cookie: cookieOf(answer) } });
    expect(me.json()).toEqual(answer.json());
    const rows = await service.sql('SELECT avv_akzeptiert_am, status, demo FROM mandanten');
    expect(rows).toEqual([{ avv_akzeptiert_am: '2026-05-01T10:00:00Z', status: 'aktiv', demo: false }]);
  });

  it('is in the audit log', async () => {
    const answer = await register({ ...valid, email: 'protokoll@example.org' });
    const { mandant, benutzer } = answer.json();
    const rows = await service.sql(
      'SELECT akteur_art, akteur_id, aktion, objekt_id, nachher FROM pruefprotokoll WHERE mandant_id = $1',
      [mandant.mandant_id],
    );
    expect(rows).toEqual([
      {
        akteur_art: 'benutzer',
        akteur_id: benutzer.benutzer_id,
        aktion: 'mandant.registriert',
        objekt_id: mandant.mandant_id,
        nachher: { firma: 'Muster GmbH', paket: 'frei', avv_akzeptiert: false, avv_fassung: null },
      },
    ]);
  });

  it('keeps which version of the agreement was accepted, when and by whom', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const answer = await register({ ...valid, email: 'avv@example.org', avv_akzeptiert: true });
    const konto = await service.app.inject({
      url: '/v1/cockpit/konto',
      headers: { cookie: cookieOf(answer) },
    });
    expect(konto.json().mandant).toMatchObject({
      avv_akzeptiert_am: '2026-05-01T10:00:00.000Z',
      avv_akzeptiert_von: 'avv@example.org',
      avv_fassung: AVV_FASSUNG,
    });
    const [entry] = await service.sql<{ nachher: object }>(
      'SELECT nachher FROM pruefprotokoll WHERE mandant_id = $1',
      [answer.json().mandant.mandant_id],
    );
    expect(entry?.nachher).toMatchObject({ avv_akzeptiert: true, avv_fassung: AVV_FASSUNG });
  });

  it('is limited for each network', async () => {
    const fromNetwork = (address: string, email: string) =>
      service.app.inject({
        method: 'POST',
        url: '/v1/registrieren',
        remoteAddress: address,
        payload: { ...valid, email },
      });
    await fromNetwork('192.0.2.7', 'heinz@example.org');
    // As if the network had come two hundred times.
    await service.sql('UPDATE drosselung SET points = 200');
    const refused = await fromNetwork('192.0.2.7', 'ilse@example.org');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await fromNetwork('192.0.2.8', 'ilse@example.org')).statusCode).toBe(201);
    await service.sql('DELETE FROM drosselung');
  });

  it('stores neither the password nor the session token', async () => {
    const answer = await register({ ...valid, email: 'berta@example.org' });
    const token = cookieOf(answer).split('=')[1] as string;
    const stored = JSON.stringify(await service.sql('SELECT b::text, s::text FROM benutzer b, sitzungen s'));
    expect(stored).not.toContain(valid.passwort);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('refuses an address that has an account, in any case of its letters, and keeps nothing of the attempt', async () => {
    await register({ ...valid, email: 'cora@example.org' });
    const before = await service.sql('SELECT count(*) FROM mandanten');
    const answer = await register({ ...valid, email: 'Cora@Example.ORG' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({ detail: expect.any(String), code: 'email_vergeben' });
    expect(answer.cookies).toEqual([]);
    expect(await service.sql('SELECT count(*) FROM mandanten')).toEqual(before);
  });

  it('offers no package but the free one', async () => {
    const answer = await register({ ...valid, email: 'dora@example.org', paket: 'enterprise' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      detail: [
        {
          type: 'literal_error',
          loc: ['body', 'paket'],
          msg: "Input should be 'frei'",
          input: 'enterprise',
          ctx: { expected: "'frei'" },
        },
      ],
    });
    expect((await register({ ...valid, email: 'dora@example.org', paket: 'frei' })).statusCode).toBe(201);
  });

  it.each([
    ['firma', 'A'],
    ['firma', 'A'.repeat(121)],
    ['email', 'keine-adresse'],
    ['passwort', 'zu kurz'],
    ['passwort', 'x'.repeat(201)],
  ])('checks %s', async (field, value) => {
    const answer = await register({ ...valid, email: 'emil@example.org', [field]: value });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', field]);
  });

  it.each([
    'Muster\r\nBcc: alle@example.org',
    'Muster\tGmbH',
    'Muster \u202eHbmG',
    'Muster\u2066GmbH\u2069',
    'Muster\u200f GmbH',
    'Gewinn: https://boese.example',
    'Ihr Preis auf www.boese.example',
  ])('refuses a name that is no line of its own or leads elsewhere: %j', async (firma) => {
    const answer = await register({ ...valid, email: 'nora@example.org', firma });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([
      {
        type: 'value_error',
        loc: ['body', 'firma'],
        msg: expect.stringMatching(/^Value error, Der Name /),
        input: firma,
        ctx: { error: expect.any(String) },
      },
    ]);
    expect(await service.sql(`SELECT 1 FROM benutzer WHERE email = 'nora@example.org'`)).toEqual([]);
  });

  it('takes both forms of an international domain for one mailbox', async () => {
    const answer = await register({ ...valid, email: 'Jörg@München.example' });
    expect(answer.statusCode).toBe(201);
    // People read it as they write it.
    expect(answer.json().benutzer.email).toBe('Jörg@münchen.example');
    for (const email of [
      'Jörg@xn--mnchen-3ya.example',
      'jörg@MÜNCHEN.example',
      'JöRG@XN--MNCHEN-3YA.example',
    ]) {
      const second = await register({ ...valid, email });
      expect([second.statusCode, second.json().code], email).toEqual([409, 'email_vergeben']);
      const login = {
        method: 'POST',
        url: '/v1/anmelden',
        payload: { email, passwort: valid.passwort },
      } as const;
      expect((await service.app.inject(login)).statusCode, email).toBe(200);
    }
    const failures = [];
    for (const email of ['jörg@münchen.example', 'jörg@xn--mnchen-3ya.example'])
      for (let time = 0; time < 6; time += 1) {
        const payload = { email, passwort: 'falsch' };
        failures.push(
          (await service.app.inject({ method: 'POST', url: '/v1/anmelden', payload })).statusCode,
        );
      }
    // One account, one counter.
    expect(failures).toEqual([...Array(10).fill(401), 429, 429]);
    await service.sql('TRUNCATE drosselung');
  });

  it.each(['a@\u00ad.example', 'a@ﷺ﷽.example'])(
    'refuses an international domain that is none: %j',
    async (email) => {
      expect((await register({ ...valid, email })).statusCode).toBe(422);
    },
  );

  it('refuses a password that is easy to guess, and makes nothing', async () => {
    const email = 'hanna.muster@example.org';
    const known = ['hanna.muster', `${valid.firma} 2026`, 'Zaehlwerk 2026!'];
    for (const passwort of [...GUESSABLE, ...known]) {
      const answer = await register({ ...valid, email, passwort });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toEqual(tooEasy('passwort'));
      expect(answer.cookies).toEqual([]);
    }
    expect(await service.sql('SELECT 1 FROM benutzer WHERE email = $1', [email])).toEqual([]);
    expect((await register({ ...valid, email })).statusCode).toBe(201);
  });

  it('does not repeat the password in the answer to a wrong request', async () => {
    const answer = await register({ ...valid, firma: '', passwort: 'kurz-nicht' });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).not.toContain('kurz-nicht');
    expect((await register({ passwort: 'kurz-nicht' })).body).not.toContain('kurz-nicht');
  });

  it('ignores fields that are not its own', async () => {
    const mandant_id = '00000000-0000-4000-8000-000000000000';
    const payload = { ...valid, email: 'frieda@example.org', mandant_id, rolle: 'betreiber', demo: true };
    const answer = await register(payload);
    expect(answer.json().benutzer.rolle).toBe('inhaber');
    expect(answer.json().mandant.mandant_id).not.toBe(mandant_id);
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://boese.example' },
  ])('refuses a foreign page: %j', async (headers) => {
    const answer = await register({ ...valid, email: 'gerda@example.org' }, headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json().code).toBe('fremde_herkunft');
  });
});
