import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { createOperator } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

const URL = '/v1/betreiber/mandanten';

let service: TestService;
let operator: Account;
let customer: Account;
beforeAll(async () => {
  service = await startService();
  operator = await createOperator(service);
  customer = await registerAccount(service, 'Zahn & Söhne 100%_ GmbH');
  await addUser(service, customer, 'betrachter');
});
afterAll(() => service?.stop());

const read = async (query: Record<string, string> = {}, { cookie } = operator) => {
  const answer = await service.app.inject({ url: URL, query, headers: { cookie } });
  return { status: answer.statusCode, body: answer.json(), text: answer.body };
};
const firmen = async (query: Record<string, string>) =>
  (await read(query)).body.mandanten.map(({ firma }: { firma: string }) => firma);

const sendEvents = async (account: Account, count: number) => {
  const { secret } = await createKey(service, account);
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: Array.from({ length: count }, () => ({
        ...{ agent: 'geheimer-agent', modell: 'gpt-4o', anbieter: 'openai', endkunde_ref: 'geheimer-kunde' },
        ...{ eingabe_token: 1_000_000, ausgabe_token: 0 },
      })),
    },
  });
  expect(answer.statusCode).toBe(202);
  await countAll(service);
};

it('shows package, people, keys, events and cost of a Mandant, before and after its calls are added up', async () => {
  await sendEvents(customer, 3);
  const { status, body } = await read({ mandant_id: customer.mandantId });
  expect(status).toBe(200);
  const [seen] = body.mandanten;
  expect(seen).toEqual({
    mandant_id: customer.mandantId,
    firma: 'Zahn & Söhne 100%_ GmbH',
    ...{ status: 'aktiv', demo: false, zeitzone: 'Europe/Berlin', erstellt_am: expect.any(String) },
    ...{ gekuendigt_am: null, loeschung_ab: null, paket: 'frei', paket_in_kraft: 'frei', paket_name: 'Frei' },
    ...{ paket_bis: null, quelle: 'frei', abrechnungsstatus: 'keine', betreiber_notiz: null },
    ...{ benutzer: 2, schluessel: 1, letzter_aufruf_am: expect.any(String) },
    monat: { ereignisse: 3, kosten_eur: expect.stringMatching(/^\d+(\.\d+)?$/) },
    grenzen: { ereignisse_monat: 100_000, benutzer: 3, aufbewahrung_tage: 90 },
    ...{ verbindlich: false, ueber_grenze: false, anfragen_je_minute: null, ereignisse_je_minute: null },
  });
  // The figure of the Mandant's own cockpit, to the last digit.
  const own = await service.app.inject({
    url: '/v1/cockpit/verbrauch',
    query: { zeitraum: 'monat', gruppe: 'agent' },
    headers: { cookie: customer.cookie },
  });
  expect(seen.monat.kosten_eur).toBe(own.json().summe.kosten_eur);
  await sendEvents(customer, 1);
  const after = (await read({ mandant_id: customer.mandantId })).body.mandanten[0];
  expect(after.monat.ereignisse).toBe(4);
});

it('shows nothing of what a Mandant has in it', async () => {
  const { text } = await read();
  expect(text).not.toMatch(/geheimer/);
  expect(text).not.toContain(customer.email);
});

it('searches names and addresses, whatever signs they have, and filters', async () => {
  expect(await firmen({ suche: 'zahn & sö' })).toEqual(['Zahn & Söhne 100%_ GmbH']);
  expect(await firmen({ suche: '100%_' })).toEqual(['Zahn & Söhne 100%_ GmbH']);
  expect(await firmen({ suche: '0_' })).toEqual([]);
  expect(await firmen({ suche: customer.email.toUpperCase() })).toEqual(['Zahn & Söhne 100%_ GmbH']);
  expect(await firmen({ suche: "'; DROP TABLE mandanten; --" })).toEqual([]);
  await service.sql(`UPDATE mandanten SET paket = 'team' WHERE mandant_id = $1`, [customer.mandantId]);
  expect(await firmen({ paket: 'team' })).toEqual(['Zahn & Söhne 100%_ GmbH']);
  expect(await firmen({ paket: 'frei' })).toEqual(['Betreiber GmbH']);
  expect(await firmen({ status: 'gekündigt' })).toEqual([]);
});

it('says until when a cancellation can be taken back', async () => {
  const gone = await registerAccount(service, 'Weg GmbH');
  await service.sql(
    `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = '2026-11-01T00:00:00Z' WHERE mandant_id = $1`,
    [gone.mandantId],
  );
  const { body } = await read({ status: 'gekündigt' });
  expect(body.mandanten).toMatchObject([
    {
      firma: 'Weg GmbH',
      gekuendigt_am: '2026-11-01T00:00:00.000Z',
      loeschung_ab: '2026-12-01T00:00:00.000Z',
    },
  ]);
});

it('comes page by page, each once, the newest first', async () => {
  const { body: whole } = await read();
  expect(whole.weiter).toBeNull();
  const rows: unknown[] = [];
  let nach: string | null = null;
  do {
    const { body } = await read({ limit: '1', ...(nach === null ? {} : { nach }) });
    rows.push(...body.mandanten);
    nach = body.weiter;
  } while (nach !== null);
  expect(rows).toEqual(whole.mandanten);
  expect(rows.length).toBe(3);
});

it.each([
  { limit: '0' },
  { limit: '1001' },
  { nach: 'x' },
  { paket: 'gold' },
  { status: 'weg' },
  { suche: 'x'.repeat(201) },
])('422 for %j', async (query) => {
  expect((await read(query as unknown as Record<string, string>)).status).toBe(422);
});

it('401 and 403 for who is no operator', async () => {
  expect(await read({}, { ...operator, cookie: '' })).toMatchObject({ status: 401 });
  expect(await read({}, customer)).toMatchObject({ status: 403, body: { code: 'verboten' } });
});
