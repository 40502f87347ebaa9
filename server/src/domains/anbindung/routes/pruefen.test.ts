import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service, 'Muster GmbH');
});
afterAll(() => service.stop());

const check = (headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
  service.app.inject({ method, url: '/v1/anbindung/pruefen', headers });

describe('GET /v1/anbindung/pruefen', () => {
  it('says whose key it is, what it may do, and that nothing has arrived', async () => {
    const key = await createKey(service, account, ['Senden']);
    const answer = await check({ authorization: `Bearer ${key.secret}` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      mandant: { mandant_id: account.mandantId, firma: 'Muster GmbH' },
      schluessel: {
        schluessel_id: key.schluesselId,
        name: 'standard',
        anzeige: `${key.secret.slice(0, 12)}…${key.secret.slice(-4)}`,
        bereiche: ['Senden'],
      },
      aufrufe_angekommen: false,
      erster_aufruf_am: null,
      letzter_aufruf_am: null,
      ereignisse_gesamt: 0,
      schluessel_letzter_aufruf_am: null,
      luecken: { aufrufe: 0, ohne_lauf: 0, ohne_fingerabdruck: 0, ohne_endkunde: 0, adresse_als_anbieter: 0 },
      uhr_abweichung_s: null,
    });
  });

  it('says what has arrived for this Mandant, to the last event', async () => {
    const [one, other] = [await registerAccount(service), await registerAccount(service)];
    await service.sql(
      `INSERT INTO zaehlstaende (mandant_id, ereignisse_gesamt, erster_aufruf_am, letzter_aufruf_am)
       VALUES ($1, 9007199254740993, '2026-05-01T10:00:00.123456Z', '2026-05-02T11:00:00Z')`,
      [one.mandantId],
    );
    const arrived = await check({ authorization: `Bearer ${(await createKey(service, one)).secret}` });
    expect(arrived.json()).toMatchObject({
      aufrufe_angekommen: true,
      erster_aufruf_am: '2026-05-01T10:00:00.123Z',
      letzter_aufruf_am: '2026-05-02T11:00:00.000Z',
    });
    expect(arrived.body).toContain('"ereignisse_gesamt":9007199254740993');
    const foreign = await check({ authorization: `Bearer ${(await createKey(service, other)).secret}` });
    expect(foreign.json().aufrufe_angekommen).toBe(false);
  });

  it('says of a sender how far its clock is behind, of another of the same Mandant nothing', async () => {
    const own = await registerAccount(service);
    const [wrong, right] = [await createKey(service, own), await createKey(service, own)];
    const sendAt = async (secret: string, behindMs: number) => {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/ereignisse',
        headers: { authorization: `Bearer ${secret}` },
        payload: {
          ereignisse: [
            {
              agent: 'a',
              modell: 'gpt-4o-mini',
              eingabe_token: 1,
              latenz_ms: 900,
              zeitpunkt: new Date(Date.now() - behindMs - 900).toISOString(),
            },
          ],
        },
      });
      expect(answer.statusCode).toBe(202);
    };
    for (let batch = 0; batch < 4; batch += 1) {
      await sendAt(wrong.secret, 3 * 3_600_000);
      await sendAt(right.secret, 0);
    }
    await countAll(service);
    const errorOf = async (secret: string) =>
      (await check({ authorization: `Bearer ${secret}` })).json().uhr_abweichung_s;
    const error = await errorOf(wrong.secret);
    expect(error).toBeGreaterThanOrEqual(3 * 3_600);
    expect(error).toBeLessThan(3 * 3_600 + 60);
    expect(await errorOf(right.secret)).toBeNull();
    const page = await service.app.inject({ url: '/v1/cockpit/anbindung', headers: { cookie: own.cookie } });
    expect(
      page
        .json()
        .schluessel.map(
          (key: { verbrauch: { uhr_abweichung_s: number | null } }) => key.verbrauch.uhr_abweichung_s,
        ),
    ).toEqual([error, null]);
  });

  it.each([['Senden'], ['Lesen']] as const)('takes a key of the scope %s in either header', async (scope) => {
    const { secret } = await createKey(service, account, [scope]);
    expect((await check({ 'x-svc-key': secret })).statusCode).toBe(200);
    expect((await check({ authorization: `bearer ${secret}` })).statusCode).toBe(200);
  });

  it.each([
    {},
    { authorization: 'Bearer zw_live_falsch' },
    { authorization: 'Basic YTpi' },
    { 'x-svc-key': `zw_live_${'A'.repeat(43)}` },
  ])('refuses %j', async (headers) => {
    const answer = await check(headers as Record<string, string>);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="zaehlwerk"');
    expect(answer.json()).toEqual({ detail: expect.any(String), code: 'schluessel_ungueltig' });
  });

  it('refuses a session', async () => {
    expect((await check({ cookie: account.cookie })).statusCode).toBe(401);
  });
});
