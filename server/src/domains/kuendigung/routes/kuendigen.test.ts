import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Account, addUser, createKey, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { admitting, OWNERS, statusByRole } from '#test/roles.ts';
import { enableSecondFactor, wrongCodeFor } from '#test/second-factor.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';

const NOW = '2026-11-20T23:30:00.000Z';
const AFTER_30_DAYS = '2026-12-20T23:30:00.000Z';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.sql('DELETE FROM postausgang');
  account = await registerAccount(service, 'Muster & Söhne');
});

const cancel = (
  headers: Record<string, string> = { cookie: account.cookie },
  payload: Record<string, unknown> = { passwort: PASSWORT, bestaetigung: 'LÖSCHEN' },
) => service.app.inject({ method: 'DELETE', url: '/v1/cockpit/konto', headers, payload });

const me = (user: Account) => service.app.inject({ url: '/v1/ich', headers: { cookie: user.cookie } });
const use = (secret: string) =>
  service.app.inject({ url: '/v1/anbindung/pruefen', headers: { authorization: `Bearer ${secret}` } });

const mandant = async (mandantId = account.mandantId) => {
  const [row] = await service.sql('SELECT status, gekuendigt_am FROM mandanten WHERE mandant_id = $1', [
    mandantId,
  ]);
  return row;
};
const ACTIVE = { status: 'aktiv', gekuendigt_am: null };

async function leaveDoorsOpen({ mandantId, benutzerId }: Account): Promise<void> {
  const hash = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
  await service.sql(
    `INSERT INTO einladungen (mandant_id, einladung_id, hash, email, rolle, erstellt_am, gueltig_bis)
     VALUES ($1, gen_random_uuid(), $2, 'neu@example.org', 'betrachter', now(), now() + interval '1 day')`,
    [mandantId, hash()],
  );
  await service.sql(
    `INSERT INTO passwort_ruecksetzungen (mandant_id, hash, benutzer_id, erstellt_am, gueltig_bis)
     VALUES ($1, $2, $3, now(), now() + interval '1 hour')`,
    [mandantId, hash(), benutzerId],
  );
  await service.sql(
    `INSERT INTO sso_anbieter (mandant_id, aktiv, issuer, client_id, rolle_neu, name, von_inhaber)
     VALUES ($1, true, 'https://anbieter.example.org', 'c', 'betrachter', 'n', true)`,
    [mandantId],
  );
  await service.sql(
    `INSERT INTO sso_vorgaenge (mandant_id, hash, browser, geheimnis, gueltig_bis)
     VALUES ($1, $2, $2, '', now() + interval '10 minutes')`,
    [mandantId, hash()],
  );
}

async function openDoors(mandantId: string): Promise<number> {
  const [row] = await service.sql<{ offen: number }>(
    `SELECT (SELECT count(*) FROM einladungen WHERE mandant_id = $1) + (SELECT count(*) FROM sso_vorgaenge WHERE mandant_id = $1)
       + (SELECT count(*) FROM passwort_ruecksetzungen WHERE mandant_id = $1) AS offen`,
    [mandantId],
  );
  return row?.offen ?? -1;
}

describe('DELETE /v1/cockpit/konto', () => {
  it('says what has ended and when everything will be removed', async () => {
    await createKey(service, account);
    await addUser(service, account, 'betrachter');
    const answer = await cancel();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: 'gekündigt',
      gekuendigt_am: NOW,
      loeschung_ab: AFTER_30_DAYS,
      gesperrte_schluessel: 1,
      beendete_sitzungen: 2,
    });
    expect(await mandant()).toEqual({
      status: 'gekündigt',
      gekuendigt_am: expect.stringMatching(/^2026-11-20T23:30:00/),
    });
  });

  it('lets nobody in any more: no session, no login, no key', async () => {
    const key = await createKey(service, account);
    const colleague = await addUser(service, account, 'verwalter');
    expect((await use(key.secret)).statusCode).toBe(200);
    await cancel();
    for (const user of [account, colleague]) {
      expect((await me(user)).statusCode).toBe(401);
      expect((await logIn(service, user.email)).statusCode).toBe(401);
    }
    await vi.waitFor(async () => expect((await use(key.secret)).statusCode).toBe(401), PATIENCE);
  });

  it('removes what could open a door later', async () => {
    await leaveDoorsOpen(account);
    expect(await openDoors(account.mandantId)).toBe(3);
    await cancel();
    expect(await openDoors(account.mandantId)).toBe(0);
  });

  it('leaves the keys as they were that were blocked before', async () => {
    const [old, current] = [await createKey(service, account), await createKey(service, account)];
    await service.sql(`UPDATE schluessel SET gesperrt_am = '2026-01-01T00:00:00Z' WHERE schluessel_id = $1`, [
      old.schluesselId,
    ]);
    expect((await cancel()).json().gesperrte_schluessel).toBe(1);
    const rows = await service.sql<{ schluessel_id: string; gesperrt_am: string }>(
      'SELECT schluessel_id, gesperrt_am FROM schluessel WHERE mandant_id = $1',
      [account.mandantId],
    );
    const blocked = Object.fromEntries(rows.map((row) => [row.schluessel_id, Date.parse(row.gesperrt_am)]));
    expect(blocked).toEqual({
      [old.schluesselId]: Date.parse('2026-01-01T00:00:00Z'),
      [current.schluesselId]: Date.parse(NOW),
    });
  });

  it('tells those who run the account, and nobody else', async () => {
    const verwalter = await addUser(service, account, 'verwalter');
    await addUser(service, account, 'betrachter');
    const left = await addUser(service, account, 'inhaber');
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [left.benutzerId]);
    await cancel();
    const mails = await service.mails();
    expect(mails.map(({ an }) => an).sort()).toEqual([account.email, verwalter.email].sort());
    for (const { betreff, text } of mails) {
      expect(betreff).toBe('Ihr Konto bei Zählwerk ist gekündigt');
      expect(text).toContain(account.email);
      // Half past eleven at night in UTC is the next day in Berlin.
      expect(text).toContain('Am 21. Dezember 2026 um 00:30 Uhr werden alle Daten endgültig gelöscht');
      expect(text).toContain('Bis dahin kann der Betreiber die Kündigung zurücknehmen');
    }
  });

  it('is in the audit log, without the password', async () => {
    await cancel();
    const [entry] = await service.sql(
      `SELECT akteur_id, vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'konto.gekuendigt'`,
      [account.mandantId],
    );
    expect(entry).toEqual({
      akteur_id: account.benutzerId,
      vorher: { status: 'aktiv' },
      nachher: {
        status: 'gekündigt',
        gekuendigt_am: NOW,
        loeschung_ab: AFTER_30_DAYS,
        gesperrte_schluessel: 0,
        beendete_sitzungen: 1,
        bestaetigung: 'LÖSCHEN',
      },
    });
  });

  it('touches no other Mandant', async () => {
    const other = await registerAccount(service);
    await leaveDoorsOpen(other);
    const key = await createKey(service, other);
    await cancel();
    expect(await mandant(other.mandantId)).toEqual(ACTIVE);
    expect((await me(other)).statusCode).toBe(200);
    expect((await use(key.secret)).statusCode).toBe(200);
    expect(await openDoors(other.mandantId)).toBe(3);
  });

  it('happens once, however many ask at once', async () => {
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    // The others came too late: before the lock, or before the session was looked up.
    for (const code of codes) expect([200, 401, 409]).toContain(code);
    expect(await service.mails()).toHaveLength(1);
  });
});

describe('the password', () => {
  it('must be right; else nothing happens', async () => {
    const answer = await cancel({ cookie: account.cookie }, { passwort: 'falsch-falsch' });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().code).toBe('passwort_falsch');
    expect(await mandant()).toEqual(ACTIVE);
    expect((await me(account)).statusCode).toBe(200);
    expect(await service.mails()).toEqual([]);
  });

  it('cannot be tried without end', async () => {
    const tries = [];
    for (let attempt = 0; attempt < 12; attempt += 1)
      tries.push((await cancel({ cookie: account.cookie }, { passwort: `falsch-${attempt}` })).statusCode);
    expect(tries[0]).toBe(403);
    expect(tries.at(-1)).toBe(429);
    expect((await cancel()).statusCode).toBe(429);
    expect(await mandant()).toEqual(ACTIVE);
  });

  it('must be set first by those who have none', async () => {
    await service.sql('UPDATE benutzer SET passwort_hash = NULL WHERE benutzer_id = $1', [
      account.benutzerId,
    ]);
    const answer = await cancel();
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'passwort_fehlt', detail: expect.stringContaining('Link') });
    expect(await mandant()).toEqual(ACTIVE);
  });

  it('must be there, and is not echoed', async () => {
    const missing = await cancel({ cookie: account.cookie }, {});
    expect(missing.statusCode).toBe(422);
    expect(missing.json().detail[0]).toMatchObject({ type: 'missing', loc: ['body', 'passwort'] });
    const long = await cancel({ cookie: account.cookie }, { passwort: 'geheim'.repeat(40) });
    expect(long.statusCode).toBe(422);
    expect(long.body).not.toContain('geheim');
  });
});

describe('the code of the second factor', () => {
  it('must be right where there is one; else nothing happens', async () => {
    const { seed, codes } = await enableSecondFactor(service, account);
    const wrong = wrongCodeFor(seed, service.clock.now());
    for (const [code, expected] of [
      [undefined, 'code_noetig'],
      ['', 'code_noetig'],
      [wrong, 'code_falsch'],
    ]) {
      const answer = await cancel({ cookie: account.cookie }, { passwort: PASSWORT, code });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().code).toBe(expected);
    }
    expect(await mandant()).toEqual(ACTIVE);
    const answer = await cancel({ cookie: account.cookie }, { passwort: PASSWORT, code: codes[0] });
    expect(answer.statusCode).toBe(200);
  });

  it('cannot be tried without end', async () => {
    const { seed, codes } = await enableSecondFactor(service, account);
    const code = wrongCodeFor(seed, service.clock.now());
    for (let attempt = 0; attempt < 5; attempt += 1)
      await cancel({ cookie: account.cookie }, { passwort: PASSWORT, code });
    const refused = await cancel({ cookie: account.cookie }, { passwort: PASSWORT, code: codes[0] });
    expect(refused.statusCode).toBe(429);
    expect(await mandant()).toEqual(ACTIVE);
  });

  it('is ignored where there is none, and never repeated', async () => {
    const long = await cancel({ cookie: account.cookie }, { passwort: PASSWORT, code: 'geheim'.repeat(4) });
    expect(long.statusCode).toBe(422);
    expect(long.json().detail[0].loc).toEqual(['body', 'code']);
    expect(long.body).not.toContain('geheim');
    const answer = await cancel({ cookie: account.cookie }, { passwort: PASSWORT, code: '123456' });
    expect(answer.statusCode).toBe(200);
  });
});

describe('who may cancel', () => {
  it('owners', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => cancel({ cookie }));
    expect(statuses).toEqual(admitting(OWNERS));
  });

  it('nobody without a session, no key, no foreign page', async () => {
    const key = await createKey(service, account);
    expect((await cancel({})).statusCode).toBe(401);
    expect((await cancel({ authorization: `Bearer ${key.secret}` })).statusCode).toBe(401);
    const foreign = { cookie: account.cookie, 'sec-fetch-site': 'cross-site' };
    expect((await cancel(foreign)).statusCode).toBe(403);
    expect(await mandant()).toEqual(ACTIVE);
  });
});
