import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.set('2026-10-15T10:30:00Z');
  account = await registerAccount(service);
});

const ask = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
  user: Account | null = account,
) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { 'accept-language': 'de', ...(user ? { cookie: user.cookie } : {}) },
    ...(payload ? { payload } : {}),
  });
const add = async (body: object): Promise<string> =>
  (await ask('POST', '/endkunden', body)).json().endkunde_id;
/** Each of a million tokens unless said otherwise: 0.15 USD, at 1 EUR for a USD. */
async function call(...calls: (Omit<PlainCall, 'token'> & { millionen?: number })[]) {
  const sent = calls.map(({ millionen = 1, ...rest }) => ({ ...rest, token: millionen * 1_000_000 }));
  await sendPlainCalls(service, account, sent);
  await countAll(service);
}
const merge = (endkunde_id: string, ziel_id: string) =>
  ask('POST', `/endkunden/${endkunde_id}/zusammenfuehren`, { ziel_id });
const remove = (endkunde_id: string, query = '', user: Account | null = account) =>
  ask('DELETE', `/endkunden/${endkunde_id}${query}`, undefined, user);

it('refuses one with calls in open months, says which and how much, and deletes it when that is confirmed', async () => {
  const id = await add({ referenz: 'K', name: 'Müller', aufschlag_prozent: '50' });
  const misspelt = await add({ referenz: 'vertippt' });
  await call(
    { endkunde_ref: 'K', millionen: 600 },
    { endkunde_ref: 'vertippt', millionen: 10_000, zeitpunkt: '2026-09-10T10:00:00Z' },
    { endkunde_ref: 'vertippt', modell: 'nie-gehoert', zeitpunkt: '2026-07-10T10:00:00Z' },
    { endkunde_ref: 'vertippt', zeitpunkt: '2026-07-31T22:30:00Z' },
    { endkunde_ref: 'anderer', zeitpunkt: '2026-06-10T10:00:00Z' },
  );
  await merge(misspelt, id);
  for (const query of ['', '?bestaetigt=false']) {
    const refused = await remove(id, query);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'endkunde_offen']);
    expect(refused.json().detail.replaceAll('\u00a0', ' ')).toContain(
      'sind: Juli 2026 (1 Aufruf, Betrag unbekannt), August 2026 (1 Aufruf, 0,23 €), September 2026 (1 Aufruf, 2.250,00 €), Oktober 2026 (1 Aufruf, 135,00 €). ',
    );
  }
  const english = await service.app.inject({
    method: 'DELETE',
    url: `/v1/cockpit/endkunden/${id}`,
    headers: { cookie: account.cookie, 'accept-language': 'en' },
  });
  expect(english.json().detail).toContain('September 2026 (1 call, €2,250.00), October');
  expect((await remove(id, '?bestaetigt=vielleicht')).statusCode).toBe(422);
  const { zeilen } = (await ask('GET', '/endkunden')).json();
  expect(zeilen[0]).toMatchObject({ name: 'Müller', betrag_eur: '135.00' });
  expect((await remove(id, '?bestaetigt=true')).json()).toMatchObject({ entfernt: true, name: null });
  // Again: nothing is known any more that could be lost.
  expect((await remove(id)).statusCode).toBe(200);
});

it('tells the latest of many months one by one', async () => {
  const id = await add({ referenz: 'K' });
  const months = Array.from({ length: 15 }, (_, n) =>
    Temporal.PlainYearMonth.from('2026-10').subtract({ months: n }).toString(),
  );
  await call(...months.map((monat) => ({ endkunde_ref: 'K', zeitpunkt: `${monat}-10T10:00:00Z` })));
  const { detail } = (await remove(id)).json();
  expect(detail).toContain('sind: 3 frühere Monate, November 2025 (1 Aufruf');
});

it('deletes one that is merged, or whose months are closed, without a question', async () => {
  const K = { referenz: 'K', aufschlag_prozent: '50' };
  const id = await add(K);
  const target = await add({ referenz: 'Ziel' });
  await call({ endkunde_ref: 'K', zeitpunkt: '2026-09-10T10:00:00Z' });
  expect((await remove(id)).statusCode).toBe(409);
  await merge(id, target);
  expect((await remove(id)).statusCode).toBe(200);
  await add(K);
  expect((await remove(id)).statusCode).toBe(409);
  const closing = await ask('POST', '/abrechnung/abschliessen', { monat: '2026-09' });
  expect(closing.statusCode, closing.body).toBe(200);
  expect((await remove(id)).statusCode).toBe(200);
});

it('finds none of another Mandant, and is for those who keep the books or administer', async () => {
  const id = await add({ referenz: 'K' });
  await call({ endkunde_ref: 'K' });
  const other = await registerAccount(service);
  for (const query of ['', '?bestaetigt=true']) {
    expect((await remove(id, query, other)).statusCode).toBe(404);
    expect((await remove(randomUUID(), query)).statusCode).toBe(404);
    expect((await remove(id, query, null)).statusCode).toBe(401);
    expect(await statusByRole(service, account, (user) => remove(randomUUID(), query, user))).toEqual(
      admitting(ACCOUNTANTS, 404),
    );
  }
});
