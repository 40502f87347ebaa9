import { afterAll, beforeAll, expect, it } from 'vitest';
import { dismissOperator, nameOperator } from '#domains/zugang/index.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { createOperator } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';

const URL = '/v1/betreiber/protokoll';
const NOW = new Date('2026-11-20T12:00:00.000Z');
const BY = {
  akteur: { art: 'betreiber' as const, id: null, name: 'Kommandozeile (test)', adresse: null },
  now: NOW,
};

let service: TestService;
let operator: Account;
let customer: Account;
let other: Account;
beforeAll(async () => {
  service = await startService();
  operator = await createOperator(service);
  customer = await registerAccount(service, 'Kunde GmbH');
  other = await registerAccount(service, 'Andere GmbH');
  for (const { email } of [customer, other]) {
    await nameOperator(service.operators, { ...BY, email });
    await dismissOperator(service.operators, { ...BY, email });
  }
});
afterAll(() => service?.stop());

const read = async (query: Record<string, string> = {}, { cookie } = operator) => {
  const answer = await service.app.inject({ url: URL, query, headers: { cookie } });
  return { status: answer.statusCode, body: answer.json() };
};
const actions = (body: { eintraege: { aktion: string }[] }) => body.eintraege.map(({ aktion }) => aktion);

it('shows what was done, newest first, with names as long as there are any', async () => {
  const { status, body } = await read();
  expect(status).toBe(200);
  expect(actions(body)).toEqual([
    ...['betreiber.entlassen', 'betreiber.ernannt', 'betreiber.entlassen', 'betreiber.ernannt'],
  ]);
  expect(body.eintraege[3]).toEqual({
    eintrag_id: expect.any(String),
    zeitpunkt: NOW.toISOString(),
    akteur: { art: 'betreiber', id: null, name: 'Kommandozeile (test)' },
    aktion: 'betreiber.ernannt',
    mandant: { mandant_id: customer.mandantId, firma: 'Kunde GmbH' },
    objekt: { art: 'benutzer', id: customer.benutzerId, name: customer.email },
    vorher: { betreiber: false },
    nachher: { betreiber: true },
    adresse: null,
  });
  expect(body.weiter).toBeNull();
});

it('outlives a Mandant and forgets its names', async () => {
  const gone = await registerAccount(service, 'Weg GmbH');
  await nameOperator(service.operators, { ...BY, email: gone.email });
  for (const table of ['betreiber', 'sitzungen', 'pruefprotokoll', 'benutzer', 'auftraege', 'mandanten'])
    await service.sql(`DELETE FROM ${table} WHERE mandant_id = $1`, [gone.mandantId]);
  const { body } = await read({ mandant_id: gone.mandantId });
  expect(body.eintraege).toHaveLength(1);
  expect(body.eintraege[0]).toMatchObject({
    mandant: { mandant_id: gone.mandantId, firma: null },
    objekt: { id: gone.benutzerId, name: null },
  });
  expect(JSON.stringify(body)).not.toMatch(new RegExp(`Weg GmbH|${gone.email}`));
});

it('comes page by page, and of one Mandant', async () => {
  const { body: whole } = await read({ mandant_id: customer.mandantId });
  expect(actions(whole)).toEqual(['betreiber.entlassen', 'betreiber.ernannt']);
  const { body: first } = await read({ mandant_id: customer.mandantId, limit: '1' });
  const { body: second } = await read({ mandant_id: customer.mandantId, limit: '1', nach: first.weiter });
  expect([...first.eintraege, ...second.eintraege]).toEqual(whole.eintraege);
  expect(second.weiter).toBeNull();
});

it.each<[Record<string, string>]>([
  [{ limit: '0' }],
  [{ limit: '1001' }],
  [{ nach: 'x' }],
  [{ nach: Buffer.from('["pruefprotokoll","00000000-0000-4000-8000-000000000000"]').toString('base64url') }],
  [{ mandant_id: 'x' }],
])('422 for %j', async (query) => {
  expect((await read(query)).status).toBe(422);
});

it('401 and 403 for who is no operator', async () => {
  expect(await read({}, { ...operator, cookie: '' })).toMatchObject({
    status: 401,
    body: { code: 'nicht_angemeldet' },
  });
  expect(await read({}, await registerAccount(service))).toMatchObject({
    status: 403,
    body: { code: 'verboten' },
  });
});
