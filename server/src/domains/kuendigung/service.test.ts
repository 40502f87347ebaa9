import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Akteur } from '#domains/protokoll/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, addUser, createKey, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { createIssuer } from '#test/licences.ts';
import { startService, type TestService } from '#test/service.ts';
import { revokeKuendigung } from './service.ts';

const OPERATOR: Akteur = { art: 'betreiber', id: null, name: null, adresse: null };
const CANCELLED = '2026-11-20T12:00:00.000Z';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://zaehlwerk.example' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.set(CANCELLED);
  account = await registerAccount(service, 'Muster GmbH');
});

const cancel = async () => {
  const answer = await service.app.inject({
    method: 'DELETE',
    url: '/v1/cockpit/konto',
    headers: { cookie: account.cookie },
    payload: { passwort: PASSWORT },
  });
  expect(answer.statusCode).toBe(200);
  await service.sql('DELETE FROM postausgang');
};
const takeBack = (id = account.mandantId) =>
  service.context.db.forMandant(mandantId(id), (tx) => revokeKuendigung(service.context, tx, OPERATOR));
const use = (secret: string) =>
  service.app.inject({ url: '/v1/anbindung/pruefen', headers: { authorization: `Bearer ${secret}` } });
const status = async () => {
  const [row] = await service.sql(
    'SELECT status, gekuendigt_am, loeschung FROM mandanten WHERE mandant_id = $1',
    [account.mandantId],
  );
  return row;
};

describe('taking a cancellation back', () => {
  it('lets the keys go that it had blocked, and no others', async () => {
    const [old, current] = [await createKey(service, account), await createKey(service, account)];
    service.clock.set('2026-11-20T11:59:59.999Z');
    await service.app.inject({
      method: 'DELETE',
      url: `/v1/cockpit/konto/schluessel/${old.schluesselId}`,
      headers: { cookie: account.cookie },
    });
    service.clock.set(CANCELLED);
    await cancel();
    expect(await takeBack()).toEqual({ firma: 'Muster GmbH', entsperrte_schluessel: 1, ohne_adresse: 0 });
    expect((await use(current.secret)).statusCode).toBe(200);
    expect((await use(old.secret)).statusCode).toBe(401);
  });

  it('lets users sign in again; the old session stays ended', async () => {
    await cancel();
    await takeBack();
    expect(await status()).toEqual({ status: 'aktiv', gekuendigt_am: null, loeschung: null });
    expect(
      (await service.app.inject({ url: '/v1/ich', headers: { cookie: account.cookie } })).statusCode,
    ).toBe(401);
    expect((await logIn(service, account.email)).statusCode).toBe(200);
  });

  it('leaves nothing that came in while it was cancelled: a login, an invitation under way', async () => {
    await cancel();
    await service.sql(
      `INSERT INTO sitzungen (mandant_id, hash, benutzer_id, erstellt_am, zuletzt_am) VALUES ($1, $2, $3, $4, $4)`,
      [account.mandantId, randomBytes(32), account.benutzerId, CANCELLED],
    );
    await service.sql(
      `INSERT INTO einladungen (mandant_id, einladung_id, hash, email, rolle, erstellt_am, gueltig_bis)
       VALUES ($1, gen_random_uuid(), $2, 'spaet@example.org', 'verwalter', $3, $3)`,
      [account.mandantId, randomBytes(32), CANCELLED],
    );
    await takeBack();
    for (const table of ['sitzungen', 'einladungen'])
      expect(await service.sql(`SELECT FROM ${table} WHERE mandant_id = $1`, [account.mandantId])).toEqual(
        [],
      );
  });

  it('goes by mail to those who run the account, and is written down', async () => {
    await addUser(service, account, 'betrachter');
    await cancel();
    await takeBack();
    const mails = await service.mails();
    expect(mails.map(({ an, betreff }) => ({ an, betreff }))).toEqual([
      { an: account.email, betreff: 'Ihr Konto bei Zählwerk ist wieder aktiv' },
    ]);
    expect(mails[0]?.text).toContain('https://zaehlwerk.example/anmelden');
    const entries = await service.sql(
      `SELECT akteur_art, vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'konto.kuendigung_aufgehoben'`,
      [account.mandantId],
    );
    expect(entries).toEqual([
      {
        akteur_art: 'betreiber',
        vorher: { status: 'gekündigt', gekuendigt_am: CANCELLED },
        nachher: { status: 'aktiv', entsperrte_schluessel: 0, ohne_adresse: 0 },
      },
    ]);
  });

  it('is possible for thirty days, to the instant', async () => {
    await cancel();
    service.clock.set('2026-12-20T12:00:00.000Z');
    await expect(takeBack()).rejects.toMatchObject({ kind: 'conflict', code: 'frist_abgelaufen' });
    service.clock.set('2026-12-20T11:59:59.999Z');
    await takeBack();
    expect(await status()).toMatchObject({ status: 'aktiv' });
  });

  it('is impossible once the removal has begun, whatever the clock says', async () => {
    await cancel();
    await service.sql(`UPDATE mandanten SET loeschung = 'begonnen' WHERE mandant_id = $1`, [
      account.mandantId,
    ]);
    await expect(takeBack()).rejects.toMatchObject({ kind: 'conflict', code: 'frist_abgelaufen' });
    expect(await status()).toMatchObject({ status: 'gekündigt' });
  });

  it('needs a cancellation, and a Mandant', async () => {
    await expect(takeBack()).rejects.toMatchObject({ kind: 'conflict', code: 'nicht_gekuendigt' });
    await expect(takeBack(randomUUID())).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('may be followed by another cancellation', async () => {
    await cancel();
    await takeBack();
    const { cookies } = await logIn(service, account.email);
    service.clock.set('2026-11-25T12:00:00.000Z');
    account = { ...account, cookie: `${cookies[0]?.name}=${cookies[0]?.value}` };
    await service.sql('UPDATE sitzungen SET zuletzt_am = $1', ['2026-11-25T12:00:00.000Z']);
    await cancel();
    expect(await status()).toMatchObject({ status: 'gekündigt', loeschung: null });
  });
});

it('is not taken back where the licence covers no more Mandanten', async () => {
  const issuer = await createIssuer();
  const env = { LIZENZ: await issuer.licence({ mandanten: 1 }), LIZENZ_PRUEFSCHLUESSEL: issuer.jwk };
  const licensed = await startService(env);
  licensed.clock.set(CANCELLED);
  const [gone, there] = [await registerAccount(licensed), await registerAccount(licensed)];
  const cancelNow = (id: string) =>
    licensed.sql(`UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = $2 WHERE mandant_id = $1`, [
      id,
      CANCELLED,
    ]);
  const back = () =>
    licensed.context.db.forMandant(mandantId(gone.mandantId), (tx) =>
      revokeKuendigung(licensed.context, tx, OPERATOR),
    );
  await cancelNow(gone.mandantId);
  await expect(back()).rejects.toThrow('umfasst einen Mandanten');
  await cancelNow(there.mandantId);
  expect(await back()).toMatchObject({ firma: 'Muster GmbH' });
  await licensed.stop();
});
