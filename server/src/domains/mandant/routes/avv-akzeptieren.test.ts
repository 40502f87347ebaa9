import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AVV_FASSUNG } from '#contracts';
import { type Account, addUser, cookieOf, PASSWORT, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.123Z');
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const accept = (headers: Record<string, string>) =>
  service.app.inject({ method: 'POST', url: '/v1/cockpit/konto/avv', headers });

const storedOf = async (mandantId: string) => {
  const [row] = await service.sql(
    `SELECT avv_akzeptiert_von AS von, avv_fassung AS fassung, (SELECT count(*) FROM pruefprotokoll p
       WHERE p.mandant_id = m.mandant_id AND aktion = 'avv.akzeptiert') AS eintraege
     FROM mandanten m WHERE mandant_id = $1`,
    [mandantId],
  );
  return row;
};

const changesOf = (mandantId: string) =>
  service.sql(
    `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'avv.akzeptiert'
     ORDER BY eintrag_id`,
    [mandantId],
  );

describe('POST /v1/cockpit/konto/avv', () => {
  it('keeps when and by whom it was accepted first', async () => {
    const fresh = await registerAccount(service);
    service.clock.set('2026-05-01T11:00:00.000Z');
    const first = await accept({ cookie: fresh.cookie });
    expect(first.statusCode).toBe(200);
    expect(first.json()).toEqual({ avv_akzeptiert_am: '2026-05-01T11:00:00.000Z', avv_fassung: AVV_FASSUNG });
    const verwalter = await addUser(service, fresh, 'verwalter');
    service.clock.set('2026-05-01T12:00:00.000Z');
    const second = await accept({ cookie: verwalter.cookie });
    expect(second.body).toBe(first.body);
    expect(await storedOf(fresh.mandantId)).toEqual({ von: fresh.email, fassung: AVV_FASSUNG, eintraege: 1 });
    expect(await changesOf(fresh.mandantId)).toEqual([
      {
        vorher: { avv_akzeptiert_am: null, avv_fassung: null },
        nachher: { avv_akzeptiert_am: '2026-05-01T11:00:00.000Z', avv_fassung: AVV_FASSUNG },
      },
    ]);
  });

  it('accepts a newer version in place of an older one, and tells them apart in the audit log', async () => {
    const fresh = await registerAccount(service);
    await accept({ cookie: fresh.cookie });
    await service.sql(`UPDATE mandanten SET avv_fassung = '0' WHERE mandant_id = $1`, [fresh.mandantId]);
    const verwalter = await addUser(service, fresh, 'verwalter');
    service.clock.set('2026-05-01T13:00:00.000Z');
    expect((await accept({ cookie: verwalter.cookie })).json()).toEqual({
      avv_akzeptiert_am: '2026-05-01T13:00:00.000Z',
      avv_fassung: AVV_FASSUNG,
    });
    expect(await storedOf(fresh.mandantId)).toEqual({
      von: verwalter.email,
      fassung: AVV_FASSUNG,
      eintraege: 2,
    });
    expect((await changesOf(fresh.mandantId))[1]).toMatchObject({
      vorher: { avv_fassung: '0' },
      nachher: { avv_fassung: AVV_FASSUNG },
    });
  });

  it('is accepted once also by two at once', async () => {
    const fresh = await registerAccount(service);
    const answers = await Promise.all([1, 2, 3].map(() => accept({ cookie: fresh.cookie })));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await storedOf(fresh.mandantId)).toEqual({ von: fresh.email, fassung: AVV_FASSUNG, eintraege: 1 });
  });

  it('leaves what was accepted at registration', async () => {
    service.clock.set('2026-05-03T08:00:00.000Z');
    const registered = await service.app.inject({
      method: 'POST',
      url: '/v1/registrieren',
      payload: { firma: 'Eilig GmbH', email: 'eilig@example.org', passwort: PASSWORT, avv_akzeptiert: true },
    });
    const cookie = cookieOf(registered);
    service.clock.set('2026-05-03T09:00:00.000Z');
    expect((await accept({ cookie })).json()).toEqual({
      avv_akzeptiert_am: '2026-05-03T08:00:00.000Z',
      avv_fassung: AVV_FASSUNG,
    });
    expect(await storedOf(registered.json().mandant.mandant_id)).toEqual({
      von: 'eilig@example.org',
      fassung: AVV_FASSUNG,
      eintraege: 0,
    });
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => accept({ cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await accept({})).statusCode).toBe(401);
  });
});
