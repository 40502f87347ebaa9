import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { createOperator, operatorActs } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let operator: Account;
let customer: Account;
beforeAll(async () => {
  service = await startService();
  operator = await createOperator(service);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  customer = await registerAccount(service, 'Kunde GmbH');
});

const put = async (payload: object | undefined, id = customer.mandantId, { cookie } = operator) => {
  const answer = await service.app.inject({
    method: 'PUT',
    url: `/v1/betreiber/mandanten/${id}`,
    headers: { cookie, 'content-type': 'application/json' },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
};
const actsOf = async (id = customer.mandantId) =>
  (await operatorActs(service)).filter(({ mandant }) => mandant === id);
const auditOf = async () =>
  await service.sql(
    `SELECT akteur_art, akteur_id, akteur_name, adresse, aktion, objekt_name, vorher, nachher FROM pruefprotokoll
       WHERE mandant_id = $1 AND aktion = 'mandant.vom_betreiber_geaendert' ORDER BY eintrag_id`,
    [customer.mandantId],
  );

it('gives a package until a day, to its end, with both logs', async () => {
  const { status, body } = await put({ paket: 'team', paket_bis: '2027-03-31', abrechnungsstatus: 'aktiv' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...{ mandant_id: customer.mandantId, paket: 'team', paket_in_kraft: 'team', quelle: 'betreiber' },
    // Midnight in Berlin, where the clocks have been put forward.
    ...{ paket_bis: '2027-03-31T22:00:00.000Z', abrechnungsstatus: 'aktiv', verbindlich: true },
  });
  const vorher = { paket: 'frei', paket_quelle: 'frei', paket_bis: null, abrechnungsstatus: 'keine' };
  const nachher = {
    ...{
      paket: 'team',
      paket_quelle: 'betreiber',
      paket_bis: '2027-03-31T22:00:00.000Z',
      abrechnungsstatus: 'aktiv',
    },
  };
  const aktion = 'mandant.vom_betreiber_geaendert';
  expect(await auditOf()).toEqual([
    {
      ...{ akteur_art: 'betreiber', akteur_id: null, akteur_name: 'Betreiber', adresse: null },
      ...{ aktion, objekt_name: 'Kunde GmbH', vorher, nachher },
    },
  ]);
  expect(await actsOf()).toEqual([
    {
      ...{ akteur_art: 'benutzer', akteur_id: operator.benutzerId, akteur_mandant: operator.mandantId },
      ...{ akteur_name: operator.email, adresse: '127.0.0.1', aktion, mandant: customer.mandantId },
      ...{ objekt_art: 'mandant', objekt_id: customer.mandantId, objekt_name: null, vorher, nachher },
    },
  ]);
});

it('gives all keys of the Mandant together a quota, and takes it away', async () => {
  const given = await put({ anfragen_je_minute: 600, ereignisse_je_minute: 60_000 });
  expect(given.body).toMatchObject({ anfragen_je_minute: 600, ereignisse_je_minute: 60_000 });
  expect((await put({ anfragen_je_minute: null })).body).toMatchObject({
    anfragen_je_minute: null,
    ereignisse_je_minute: 60_000,
  });
  expect((await auditOf()).map(({ vorher, nachher }) => ({ vorher, nachher }))).toEqual([
    {
      vorher: { anfragen_je_minute: null, ereignisse_je_minute: null },
      nachher: { anfragen_je_minute: 600, ereignisse_je_minute: 60_000 },
    },
    { vorher: { anfragen_je_minute: 600 }, nachher: { anfragen_je_minute: null } },
  ]);
  for (const wrong of [0, -5, 1_000_000_000, 'viele'])
    expect((await put({ ereignisse_je_minute: wrong })).status).toBe(422);
});

it('leaves a field left out, and null clears', async () => {
  await put({
    paket: 'starter',
    paket_bis: '2027-01-01T00:00:00Z',
    abrechnungsstatus: 'probe',
    betreiber_notiz: ' ruft an ',
  });
  expect((await put({})).body).toMatchObject({
    ...{
      paket: 'starter',
      paket_bis: '2027-01-01T00:00:00.000Z',
      abrechnungsstatus: 'probe',
      betreiber_notiz: 'ruft an',
    },
  });
  expect((await put({ paket_bis: null })).body).toMatchObject({
    paket: 'starter',
    paket_bis: null,
    quelle: 'betreiber',
  });
  expect((await put({ abrechnungsstatus: null, betreiber_notiz: null })).body).toMatchObject({
    ...{ paket: 'starter', abrechnungsstatus: 'keine', betreiber_notiz: null },
  });
  expect((await put({ paket: null })).body).toMatchObject({ paket: 'frei', quelle: 'frei', paket_bis: null });
});

it('a given package is over after its end', async () => {
  const { body } = await put({ paket: 'enterprise', paket_bis: '2020-01-01' });
  expect(body).toMatchObject({ paket: 'enterprise', paket_in_kraft: 'frei', paket_name: 'Frei' });
  const own = await service.app.inject({ url: '/v1/cockpit/lizenz', headers: { cookie: customer.cookie } });
  expect(own.json()).toMatchObject({ paket: 'frei', quelle: 'betreiber' });
});

it('keeps the text of a note out of both logs, and from the Mandant', async () => {
  await put({ betreiber_notiz: 'zahlt nie pünktlich' });
  await put({ betreiber_notiz: 'zahlt jetzt' });
  const entries = [...(await auditOf()), ...(await actsOf())];
  expect(entries).toHaveLength(4);
  for (const { nachher } of entries) expect(nachher).toEqual({ notiz_geaendert: true });
  expect(JSON.stringify(entries)).not.toContain('zahlt');
  const konto = await service.app.inject({ url: '/v1/cockpit/konto', headers: { cookie: customer.cookie } });
  expect(konto.body).not.toContain('zahlt');
});

it('writes no entry where nothing changes', async () => {
  await put({ paket: 'team' });
  await put({ paket: 'team' });
  expect(await actsOf()).toHaveLength(1);
  expect(await auditOf()).toHaveLength(1);
});

it('a package that was given outranks a booking', async () => {
  await service.sql(
    `UPDATE mandanten SET paket = 'team', paket_quelle = 'buchung', paket_bis = '2027-01-01', abrechnungsstatus = 'aktiv' WHERE mandant_id = $1`,
    [customer.mandantId],
  );
  expect((await put({ paket_bis: '2027-02-01' })).body.detail).toMatchObject([
    { loc: ['body', 'paket_bis'], type: 'value_error' },
  ]);
  expect((await put({ paket: 'enterprise' })).body).toMatchObject({
    paket: 'enterprise',
    quelle: 'betreiber',
    paket_bis: null,
  });
});

it.each([
  [{ paket: 'gold' }, 'paket'],
  [{ paket_bis: 'bald' }, 'paket_bis'],
  [{ paket: 'team', paket_bis: '2027-13-01' }, 'paket_bis'],
  [{ abrechnungsstatus: 'offen' }, 'abrechnungsstatus'],
  [{ betreiber_notiz: 'x'.repeat(501) }, 'betreiber_notiz'],
  [{ betreiber_notiz: 'a\0b' }, 'betreiber_notiz'],
  [{ paket: 7 }, 'paket'],
])('422 for %j', async (payload, field) => {
  const { status, body } = await put(payload);
  expect(status).toBe(422);
  expect(body.detail[0].loc).toEqual(['body', field]);
  expect(await actsOf()).toEqual([]);
});

it('404 for a Mandant that is not there, 422 for what is no id', async () => {
  expect(await put({ paket: 'team' }, randomUUID())).toMatchObject({
    status: 404,
    body: { code: 'nicht_gefunden' },
  });
  expect((await put({ paket: 'team' }, 'x')).status).toBe(422);
});

it('401 and 403 for who is no operator, the inhaber of the Mandant among them', async () => {
  expect(await put({ paket: 'team' }, customer.mandantId, { ...operator, cookie: '' })).toMatchObject({
    status: 401,
  });
  expect(await put({ paket: 'team' }, customer.mandantId, customer)).toMatchObject({ status: 403 });
  expect(await actsOf()).toEqual([]);
});
