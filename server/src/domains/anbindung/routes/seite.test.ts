import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://zaehler.example/' });
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const read = (headers = {}) => service.app.inject({ url: '/v1/cockpit/anbindung', headers });

const send = async (secret: string, ereignisse: object[]) => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode, answer.body).toBe(202);
};

/** Events with the last digits of their id counting up, one minute apart. */
const insertEvents = (mandantId: string, count: number) =>
  service.sql(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, anbieter, modell, agent, projekt, status,
       geschaetzt, quelle, kurs_usd_eur, kosten_usd, eingabe_token)
     SELECT $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
       timestamptz '2026-05-01T10:00:00Z' + n * interval '1 minute', now(), 'openai', 'gpt', 'shop/bot', 'shop',
       'erfolgreich', false, 'ingest', 1, CASE WHEN n % 2 = 0 THEN 0.0012000 END, n
     FROM generate_series(1, $2::int) n`,
    [mandantId, count],
  );

describe('GET /v1/cockpit/anbindung', () => {
  it('tells a new Mandant where to send', async () => {
    const answer = await read({ cookie: account.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      adressen: {
        basis: 'https://zaehler.example',
        ereignisse: 'https://zaehler.example/v1/ereignisse',
        pruefen: 'https://zaehler.example/v1/anbindung/pruefen',
        beschreibung: 'https://zaehler.example/docs',
      },
      schluessel: [],
      weiter: null,
      erster_aufruf_am: null,
      letzter_aufruf_am: null,
      ereignisse_gesamt: 0,
      letzte_aufrufe: [],
      luecken: { aufrufe: 0, ohne_lauf: 0, ohne_fingerabdruck: 0, ohne_endkunde: 0, adresse_als_anbieter: 0 },
    });
  });

  it('shows keys and the latest calls of this Mandant, newest first', async () => {
    const sender = await registerAccount(service);
    const key = await createKey(service, sender);
    await insertEvents(sender.mandantId, 12);
    const { schluessel, letzte_aufrufe } = (await read({ cookie: sender.cookie })).json();
    expect(schluessel).toMatchObject([{ schluessel_id: key.schluesselId }]);
    expect(letzte_aufrufe).toHaveLength(10);
    expect(letzte_aufrufe.map((call: { eingabe_token: number }) => call.eingabe_token)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
    expect(letzte_aufrufe[0]).toEqual({
      ereignis_id: '00000000-0000-4000-8000-000000000012',
      zeitpunkt: '2026-05-01T10:12:00.000Z',
      agent: 'shop/bot',
      anbieter: 'openai',
      modell: 'gpt',
      status: 'erfolgreich',
      eingabe_token: 12,
      ausgabe_token: null,
      kosten_eur: '0.0012',
      lauf_id: null,
    });
    expect(letzte_aufrufe[1].kosten_eur).toBeNull();
    expect((await read({ cookie: account.cookie })).json().letzte_aufrufe).toEqual([]);
  });

  it('says what the latest calls lack', async () => {
    const sender = await registerAccount(service);
    await insertEvents(sender.mandantId, 1_010);
    await service.sql(
      `UPDATE ereignisse SET endkunde_ref = 'k-1', anbieter = CASE WHEN n % 2 = 0 THEN 'llm.intern.example:8080' ELSE 'openai' END,
         lauf_id = CASE WHEN n > 610 THEN ereignis_id END, prompt_fingerabdruck = CASE WHEN n > 1000 THEN '\\x00ff00ff00ff00ff'::bytea END
       FROM (SELECT ereignis_id AS id, eingabe_token AS n FROM ereignisse WHERE mandant_id = $1) numbered
       WHERE mandant_id = $1 AND ereignis_id = id`,
      [sender.mandantId],
    );
    expect((await read({ cookie: sender.cookie })).json().luecken).toEqual({
      aufrufe: 1_000,
      ohne_lauf: 600,
      ohne_fingerabdruck: 990,
      ohne_endkunde: 0,
      adresse_als_anbieter: 500,
    });
  });

  it('says of each key what came by it and what that lacks, of a blocked one too', async () => {
    const sender = await registerAccount(service);
    const [first, second] = [await createKey(service, sender), await createKey(service, sender)];
    const idle = await createKey(service, sender);
    const call = { anbieter: 'openai', modell: 'gpt-4o-mini', eingabe_token: 1_000_000 };
    const now = Date.now();
    const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
    const good = {
      lauf_id: '11111111-1111-4111-8111-111111111111',
      prompt_fingerabdruck: '00ff00ff00ff00ff',
      endkunde_ref: 'k-1',
    };
    await send(first.secret, [
      { ...call, ...good, zeitpunkt: ago(3) },
      { ...call, zeitpunkt: ago(2) },
      // Of this period no more, and yet among the latest calls.
      { ...call, ...good, anbieter: 'llm.intern:8080', zeitpunkt: ago(40 * 1_440) },
    ]);
    await send(second.secret, [{ anbieter: 'niemand', modell: 'unbekannt', ...good, zeitpunkt: ago(1) }]);
    await countAll(service);
    await service.app.inject({
      method: 'DELETE',
      url: `/v1/cockpit/konto/schluessel/${second.schluesselId}`,
      headers: { cookie: sender.cookie },
    });
    const [event] = await service.sql<{ eur: string }>(
      `SELECT trim_scale(2 * max(kosten_eur))::text AS eur FROM ereignisse WHERE mandant_id = $1 AND zeitpunkt > $2`,
      [sender.mandantId, ago(60)],
    );
    const { schluessel } = (await read({ cookie: sender.cookie })).json();
    const lacking = { ohne_lauf: 0, ohne_fingerabdruck: 0, ohne_endkunde: 0, adresse_als_anbieter: 0 };
    expect(schluessel).toMatchObject([
      {
        schluessel_id: first.schluesselId,
        verbrauch: {
          letzter_aufruf_am: ago(2),
          aufrufe: 2,
          unbepreist: 0,
          kosten_eur: event?.eur,
          luecken: {
            aufrufe: 3,
            ohne_lauf: 1,
            ohne_fingerabdruck: 1,
            ohne_endkunde: 1,
            adresse_als_anbieter: 1,
          },
        },
      },
      {
        schluessel_id: second.schluesselId,
        status: 'gesperrt',
        verbrauch: {
          letzter_aufruf_am: ago(1),
          aufrufe: 1,
          unbepreist: 1,
          kosten_eur: null,
          luecken: { aufrufe: 1, ...lacking },
        },
      },
      {
        schluessel_id: idle.schluesselId,
        verbrauch: {
          letzter_aufruf_am: null,
          aufrufe: 0,
          unbepreist: 0,
          kosten_eur: null,
          luecken: { aufrufe: 0, ...lacking },
        },
      },
    ]);
    // A key says the same of itself, but for what its calls cost.
    const checked = await service.app.inject({
      url: '/v1/anbindung/pruefen',
      headers: { authorization: `Bearer ${first.secret}` },
    });
    expect(checked.json()).toMatchObject({
      schluessel_letzter_aufruf_am: ago(2),
      luecken: schluessel[0].verbrauch.luecken,
    });
  });

  it('looks at the latest hours of a key that have a thousand calls together', async () => {
    const sender = await registerAccount(service);
    const { schluesselId } = await createKey(service, sender);
    await service.sql(
      `INSERT INTO verbrauch_schluessel SELECT $1, $2, date_trunc('hour', now()) - n * interval '1 day', 300, 0, 0, 0, 0,
         n, 0, 0, 0, now() - n * interval '1 day' FROM generate_series(0, 9) n`,
      [sender.mandantId, schluesselId],
    );
    const { schluessel } = (await read({ cookie: sender.cookie })).json();
    expect(schluessel[0].verbrauch).toMatchObject({
      aufrufe: 3_000,
      luecken: { aufrufe: 1_200, ohne_lauf: 6 },
    });
  });

  it('is open to every role, and to nobody without a session', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => read({ cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
    expect((await read()).statusCode).toBe(401);
    const { secret } = await createKey(service, account);
    expect((await read({ authorization: `Bearer ${secret}` })).statusCode).toBe(401);
  });
});
