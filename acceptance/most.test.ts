/** What users put in without end has a most: beyond it 409, and nothing is stored. */
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service?.stop());

const month = () => new Date().toISOString().slice(0, 7);
const price = (modell: string) => ({ modell, saetze: { eingabe: '1', ausgabe: '1' } });

/** What fills each of them but for one (`$1` the Mandant, `$2` how many), and the request that puts in one. */
const ALL: [what: string, most: number, fill: string, request: (name: string) => InjectOptions][] = [
  [
    'keys',
    5_000,
    `INSERT INTO schluessel (mandant_id, schluessel_id, name, hash, anfang, letzte_vier, bereiche, erstellt_am)
     SELECT $1::uuid, gen_random_uuid(), 'k', sha256(convert_to($1::uuid::text || n, 'UTF8')), 'zw_a', 'abcd', '{Senden}', now() FROM generate_series(1, $2::int) n`,
    (name) => ({ url: '/v1/cockpit/konto/schluessel', payload: { name } }),
  ],
  [
    'end customers',
    100_000,
    `INSERT INTO endkunden (mandant_id, referenz) SELECT $1::uuid, 'r' || n FROM generate_series(1, $2::int) n`,
    (referenz) => ({ url: '/v1/cockpit/endkunden', payload: { referenz } }),
  ],
  [
    'end customers in a file',
    100_000,
    `INSERT INTO endkunden (mandant_id, referenz) SELECT $1::uuid, 'r' || n FROM generate_series(1, $2::int) n`,
    (name) => ({ url: '/v1/cockpit/endkunden/csv', payload: { csv: `referenz\n${name}\n` } }),
  ],
  [
    'invoices',
    10_000,
    `INSERT INTO anbieter_rechnungen (mandant_id, rechnung_id, monat, anbieter, betrag, waehrung, kurs, erfasst_am)
     SELECT $1::uuid, gen_random_uuid(), date '2024-01-01', 'a' || n, 1, 'EUR', 1, now() FROM generate_series(1, $2::int) n`,
    (anbieter) => ({
      url: '/v1/cockpit/abgleich/rechnungen',
      payload: { monat: month(), anbieter, betrag: 1 },
    }),
  ],
  [
    'invitations',
    1_000,
    `INSERT INTO einladungen (mandant_id, einladung_id, email, rolle, hash, eingeladen_von, erstellt_am, gueltig_bis)
     SELECT $1::uuid, gen_random_uuid(), 'a' || n || '@example.org', 'betrachter', sha256(convert_to($1::uuid::text || n, 'UTF8')), 'a', now(),
       now() + interval '1 day' FROM generate_series(1, $2::int) n`,
    (name) => ({
      url: '/v1/cockpit/benutzer/einladen',
      payload: { email: `${name}@example.org`, rolle: 'betrachter' },
    }),
  ],
  [
    'editions of the price book',
    2_000,
    `INSERT INTO preisbuecher (mandant_id, fassung, inhalt, erstellt_am)
     SELECT $1::uuid, n, '{"gemeldete_kosten":false,"preise":[],"rabatte":[],"freigaben":[]}', now() FROM generate_series(1, $2::int) n`,
    (name) => ({
      method: 'PUT',
      url: '/v1/cockpit/preise',
      payload: { fassung: name === 'last' ? 1_999 : 2_000, preise: [price(name)] },
    }),
  ],
];

test.each(ALL)('%s: at most %i', async (_, most, fill, requestOf) => {
  const one = await registerAccount(service);
  await service.sql(fill, [one.mandantId, most - 1]);
  const put = (name: string) =>
    service.app.inject({ method: 'POST', headers: { cookie: one.cookie }, ...requestOf(name) });
  const last = await put('last');
  expect(last.statusCode, last.body).toBeLessThan(300);
  const beyond = await put('beyond');
  expect([beyond.statusCode, beyond.json().code], beyond.body).toEqual([409, 'hoechstzahl_erreicht']);
  expect(beyond.json().detail).toContain(String(most));
  // Others have all of it.
  expect((await service.app.inject({ url: '/v1/ich', headers: { cookie: account.cookie } })).statusCode).toBe(
    200,
  );
});
