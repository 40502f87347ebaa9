import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

const PATH = '/v1/cockpit/endkunden';
const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  user: Account | null = account,
) =>
  service.app.inject({
    method,
    url: `${PATH}${path}`,
    headers: { 'accept-language': 'de', ...(user ? { cookie: user.cookie } : {}) },
    ...(payload ? { payload } : {}),
  });
const add = async (body: object) => {
  const answer = await ask('POST', '', body);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
};
/** Of a million tokens unless said otherwise: 0.15 USD, at 1 EUR for a USD. */
async function call(...calls: (Omit<PlainCall, 'token'> & { millionen?: number })[]) {
  const sent = calls.map(({ millionen = 1, ...rest }) => ({ ...rest, token: millionen * 1_000_000 }));
  await sendPlainCalls(service, account, sent);
  await countAll(service);
}
const list = async (query = '') => (await ask('GET', query)).json();

describe('the list', () => {
  it('says what each is charged for the month, the highest charge first', async () => {
    await add({
      referenz: 'K-1',
      name: 'Müller & Söhne GmbH',
      kostenstelle: '4711',
      aufschlag_prozent: '12,5'.replace(',', '.'),
    });
    await call(
      { endkunde_ref: 'K-1', millionen: 100 },
      { endkunde_ref: 'K-1', millionen: 20, status: 'fehler' },
      { endkunde_ref: 'K-2', millionen: 400 },
      { endkunde_ref: 'K-3', modell: 'nie-gehoert' },
      { endkunde_ref: 'K-1', zeitpunkt: '2026-09-05T10:00:00Z', millionen: 90 },
      { millionen: 2 },
    );
    const answer = await list('?monat=2026-10');
    expect(answer).toMatchObject({ monat: '2026-10', status: 'laeuft', weiter: null });
    expect(answer.zeilen.map(({ referenz }: { referenz: string }) => referenz)).toEqual([
      'K-2',
      'K-1',
      'K-3',
    ]);
    expect(answer.zeilen[1]).toMatchObject({
      name: 'Müller & Söhne GmbH',
      aufrufe: 2,
      kosten_eur: '18',
      verbranntes_geld_eur: '3',
      abrechenbar_eur: '18',
      aufschlag_eur: '2.25',
      betrag_eur: '20.25',
      korrekturen_eur: '0.00',
      vormonat_kosten_eur: '13.5',
      trend_prozent: '33.3',
    });
    // Unknown is null, and never 0.
    expect(answer.zeilen[2]).toMatchObject({
      kosten_eur: null,
      betrag_eur: null,
      unbepreist: 1,
      trend_prozent: null,
    });
    expect(answer.summe).toMatchObject({ endkunden: 3, aufrufe: 4, kosten_eur: '78', betrag_eur: '80.25' });
    expect(answer.ohne_endkunde).toEqual({ aufrufe: 1, kosten_eur: '0.3' });
  });

  it('keeps what was burnt off the bill where the settings say so', async () => {
    await service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/mandant/buchhaltung',
      headers: { cookie: account.cookie },
      payload: { verbranntes_berechnen: false },
    });
    await call({ endkunde_ref: 'K', millionen: 100 }, { endkunde_ref: 'K', millionen: 20, status: 'fehler' });
    expect((await list()).zeilen[0]).toMatchObject({
      kosten_eur: '18',
      abrechenbar_eur: '15',
      betrag_eur: '15.00',
    });
    const statement = (await ask('GET', '/K/abrechnung')).json();
    expect(statement).toMatchObject({ nicht_berechnet_eur: '3.00', netto_eur: '15.00', umsatzsteuer: null });
  });

  it('comes in pages, and is searched by name and reference', async () => {
    for (const referenz of ['a', 'b', 'c', 'ä%_'])
      await add({ referenz, name: `Firma ${referenz.toUpperCase()}` });
    const first = await list('?limit=3');
    const second = await list(`?limit=3&nach=${first.weiter}`);
    const names = [...first.zeilen, ...second.zeilen].map(({ referenz }) => referenz);
    expect(names).toEqual(['a', 'b', 'c', 'ä%_']);
    const found = await list(`?suche=${encodeURIComponent('FIRMA Ä%')}`);
    expect(found.zeilen.map(({ referenz }: { referenz: string }) => referenz)).toEqual(['ä%_']);
  });

  it('refuses months that cannot be', async () => {
    for (const monat of ['2026-13', '2026-11', '1969-12', 'heute', '2026-10-01', '0000-01'])
      expect((await ask('GET', `?monat=${monat}`)).statusCode, monat).toBe(422);
  });

  it('is for those who keep the books or administer', async () => {
    const get = (user: Account) => ask('GET', '', undefined, user);
    expect(await statusByRole(service, account, get)).toEqual(admitting(ACCOUNTANTS, 200));
    expect((await ask('GET', '', undefined, null)).statusCode).toBe(401);
  });
});

describe('end customers', () => {
  it('take any reference, once', async () => {
    const referenz = 'a/b ü%?#"\\ 日本';
    await add({ referenz });
    const again = await ask('POST', '', { referenz });
    expect([again.statusCode, again.json().code]).toEqual([409, 'endkunde_vorhanden']);
    const statement = await ask('GET', `/${encodeURIComponent(referenz)}/abrechnung?monat=2026-09`);
    expect(statement.statusCode, statement.body).toBe(200);
    expect(statement.json()).toMatchObject({
      status: 'offen',
      zeile: { referenz, aufrufe: 0, betrag_eur: '0.00' },
    });
    expect(statement.json().tage).toHaveLength(30);
  });

  it('are refused where a field is wrong, and nothing is stored', async () => {
    for (const body of [
      {},
      { referenz: '' },
      { referenz: 'x'.repeat(121) },
      { referenz: 'x', aufschlag_prozent: -101 },
      { referenz: 'x', aufschlag_prozent: '10001' },
      { referenz: 'x', aufschlag_prozent: 'viel' },
      { referenz: 'x', aufschlag_prozent: '0.12345678901' },
      { referenz: 'x', email: 'keine' },
      { referenz: 'x', kostenstelle: 'a\nb' },
      { referenz: 'x', kostenstelle: 'www.kostenstelle.de' },
      { referenz: 'x', debitorenkonto: '000' },
      { referenz: 'x', debitorenkonto: '12a' },
      { referenz: 'a\u0000b' },
      { referenz: 'x', name: 'a\nb' },
    ])
      expect((await ask('POST', '', body)).statusCode, JSON.stringify(body)).toBe(422);
    expect((await list()).zeilen).toEqual([]);
  });

  it('change where a field is given, and clear where it is null', async () => {
    const { endkunde_id } = await add({ referenz: 'K', name: 'Alt', aufschlag_prozent: '10' });
    const changed = await ask('PUT', `/${endkunde_id}`, { email: 'post@k.example', debitorenkonto: '10001' });
    expect(changed.json()).toMatchObject({ name: 'Alt', email: 'post@k.example', aufschlag_prozent: '10' });
    const cleared = await ask('PUT', `/${endkunde_id}`, { name: null, aufschlag_prozent: null });
    expect(cleared.json()).toMatchObject({ name: null, debitorenkonto: '10001', aufschlag_prozent: '0' });
  });

  it('that are deleted stay where they have calls, without what was known of them', async () => {
    const { endkunde_id } = await add({ referenz: 'K', name: 'Müller', aufschlag_prozent: '100' });
    const gone = await add({ referenz: 'ohne Aufrufe' });
    await call({ endkunde_ref: 'K', millionen: 10 });
    for (const path of [`/${endkunde_id}?bestaetigt=true`, `/${gone.endkunde_id}`])
      expect((await ask('DELETE', path)).json()).toMatchObject({ entfernt: true, name: null });
    const { zeilen } = await list();
    expect(zeilen).toMatchObject([{ referenz: 'K', name: null, entfernt: true, betrag_eur: '1.50' }]);
    expect(await add({ referenz: 'K', name: 'Wieder da' })).toMatchObject({ endkunde_id, entfernt: false });
  });

  it('of another Mandant are not there', async () => {
    const { endkunde_id } = await add({ referenz: 'K' });
    const other = await registerAccount(service);
    for (const id of [endkunde_id, randomUUID()]) {
      expect((await ask('PUT', `/${id}`, { name: 'x' }, other)).statusCode).toBe(404);
      expect((await ask('DELETE', `/${id}`, undefined, other)).statusCode).toBe(404);
      expect((await ask('POST', `/${id}/zusammenfuehren`, { ziel_id: null }, other)).statusCode).toBe(404);
    }
    const { endkunde_id: own } = (await ask('POST', '', { referenz: 'E' }, other)).json();
    const merged = await ask('POST', `/${own}/zusammenfuehren`, { ziel_id: endkunde_id }, other);
    expect(merged.statusCode).toBe(404);
    expect((await ask('GET', '/K/abrechnung', undefined, other)).statusCode).toBe(404);
  });

  it('are only changed by those who keep the books or administer', async () => {
    for (const [method, path, body] of [
      ['POST', '', {}],
      ['PUT', `/${randomUUID()}`, { name: 7 }],
      ['POST', `/${randomUUID()}/zusammenfuehren`, {}],
    ] as const) {
      const statuses = await statusByRole(service, account, (user) => ask(method, path, body, user));
      expect(statuses, path).toEqual(admitting(ACCOUNTANTS, 422));
      expect((await ask(method, path, body, null)).statusCode).toBe(401);
    }
    const remove = (user: Account | null) => ask('DELETE', `/${randomUUID()}`, undefined, user);
    expect(await statusByRole(service, account, remove)).toEqual(admitting(ACCOUNTANTS, 404));
    expect((await remove(null)).statusCode).toBe(401);
  });
});

describe('merging', () => {
  it('charges a misspelt reference to whom it belongs, history included, and can be undone', async () => {
    const right = await add({ referenz: 'mueller', aufschlag_prozent: '10' });
    await call(
      { endkunde_ref: 'mueller', millionen: 10 },
      { endkunde_ref: 'muller', millionen: 20 },
      { endkunde_ref: 'muller', millionen: 40, zeitpunkt: '2026-09-10T10:00:00Z' },
    );
    const wrong = (await list()).zeilen.find(({ referenz }: { referenz: string }) => referenz === 'muller');
    const merge = (ziel_id: string | null) =>
      ask('POST', `/${wrong.endkunde_id}/zusammenfuehren`, { ziel_id });
    expect((await merge(right.endkunde_id)).statusCode).toBe(200);
    const { zeilen } = await list();
    expect(zeilen).toMatchObject([
      {
        referenz: 'mueller',
        kosten_eur: '4.5',
        betrag_eur: '4.95',
        zusammengefuehrt: [{ endkunde_id: wrong.endkunde_id, referenz: 'muller' }],
      },
    ]);
    expect((await list('?monat=2026-09')).zeilen).toMatchObject([
      { referenz: 'mueller', betrag_eur: '6.60' },
    ]);
    const statement = (await ask('GET', '/muller/abrechnung')).json();
    expect(statement.zeile).toMatchObject({ referenz: 'mueller', betrag_eur: '4.95' });
    expect(statement.agenten).toMatchObject([
      { schluessel: 'support/triage', aufrufe: 2, betrag_eur: '4.95' },
    ]);
    await merge(null);
    expect((await list()).zeilen).toMatchObject([
      { referenz: 'muller', betrag_eur: '3.00' },
      { referenz: 'mueller', betrag_eur: '1.65' },
    ]);
  });

  it('takes no more references than an answer holds', async () => {
    const target = await add({ referenz: 'ziel' });
    await service.sql(
      `INSERT INTO endkunden (mandant_id, referenz, gehoert_zu) SELECT $1, 'r-' || n, $2 FROM generate_series(1, 100) n`,
      [account.mandantId, target.endkunde_id],
    );
    const one = await add({ referenz: 'noch eine' });
    const answer = await ask('POST', `/${one.endkunde_id}/zusammenfuehren`, { ziel_id: target.endkunde_id });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'referenzen_zu_viele']);
  });

  it('makes no chains', async () => {
    const [a, b, c] = [
      await add({ referenz: 'a' }),
      await add({ referenz: 'b' }),
      await add({ referenz: 'c' }),
    ];
    const merge = (one: { endkunde_id: string }, other: { endkunde_id: string }) =>
      ask('POST', `/${one.endkunde_id}/zusammenfuehren`, { ziel_id: other.endkunde_id });
    expect((await merge(a, b)).statusCode).toBe(200);
    for (const [one, other] of [
      [b, c],
      [c, a],
      [c, c],
      [b, a],
    ] as const) {
      const answer = await merge(one, other);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'endkunde_verkettet']);
    }
    await ask('DELETE', `/${b.endkunde_id}`);
    expect((await list()).zeilen.map(({ referenz }: { referenz: string }) => referenz)).toEqual(['a', 'c']);
  });
});
