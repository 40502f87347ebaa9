import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
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
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
});

const PATH = '/v1/cockpit/abgleich';
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const ask = (method: Method, path: string, payload?: object, user: Account | null = account) =>
  service.app.inject({
    method,
    url: `${PATH}${path}`,
    headers: { 'accept-language': 'de', ...(user ? { cookie: user.cookie } : {}) },
    ...(payload ? { payload } : {}),
  });
const october = { monat: '2026-10', anbieter: 'openai' };
const add = async (body: object) => {
  const answer = await ask('POST', '/rechnungen', { ...october, ...body });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
};
const rows = async (query = '?monat=2026-10') => (await ask('GET', query)).json().zeilen;

/** At 1 EUR for a USD. */
async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}

interface Line {
  anbieter: string | null;
  differenz_eur: string | null;
  ursachen: { betrag_eur: string | null }[];
}

/** Each provider of the month has the cost and the calls that consumption says. */
async function expectConsumption(found: Line[]): Promise<void> {
  const answer = await service.app.inject({
    url: '/v1/cockpit/verbrauch?gruppe=anbieter&von=2026-10-01&bis=2026-11-01',
    headers: { cookie: account.cookie },
  });
  for (const { schluessel, kosten_eur, aufrufe } of answer.json().zeilen)
    expect(found).toContainEqual(
      expect.objectContaining({ anbieter: schluessel || null, kosten_eur, aufrufe }),
    );
}

/** The causes of a difference add up to it. */
function expectSums(found: Line[]): void {
  for (const { differenz_eur, ursachen } of found) {
    if (differenz_eur === null) continue;
    const sum = ursachen.reduce((total, { betrag_eur }) => total.plus(betrag_eur ?? 0), new Decimal(0));
    expect(sum.toFixed()).toBe(differenz_eur);
  }
}

describe('counted and invoiced', () => {
  it('stand side by side, provider by provider', async () => {
    await call({}, { geschaetzt: true }, { modell: 'nie-gehoert' }, { anbieter: null, token: 20_000_000 });
    await add({ betrag: '3.25' });
    await add({ betrag: '-0.1', rechnungsnummer: 'GS-1' });
    await add({ betrag: 7, anbieter: 'anthropic' });
    const found = await rows();
    expect(found.map(({ anbieter }: { anbieter: string | null }) => anbieter)).toEqual([
      'anthropic',
      'openai',
      null,
    ]);
    expect(found[1]).toMatchObject({
      monat: '2026-10',
      aufrufe: 3,
      unbepreist: 1,
      gemessen_eur: '1.5',
      geschaetzt_eur: '1.5',
      kosten_eur: '3',
      rechnung_eur: '3.15',
      differenz_eur: '0.15',
      differenz_prozent: '5',
      ursachen: [
        { art: 'ersatzkurs_offen', betroffen_eur: '3', betrag_eur: null },
        { art: 'unbepreist', aufrufe: 1, betrag_eur: null },
        { art: 'geschaetzt', betroffen_eur: '1.5', betrag_eur: null },
        { art: 'ungeklaert', betrag_eur: '0.15' },
      ],
    });
    expect(found[0]).toMatchObject({
      aufrufe: 0,
      kosten_eur: '0',
      differenz_eur: '7',
      differenz_prozent: null,
      ursachen: [{ art: 'nicht_gezaehlt', betrag_eur: '7' }],
    });
    expect(found[2]).toMatchObject({ rechnung_eur: null, differenz_eur: null, ursachen: [], rechnungen: [] });
  });

  it('differ by the exchange rate and by calls of another month in UTC, to the last digit', async () => {
    // 23:30 of the 30th of September in UTC is October in Berlin.
    await call(
      {},
      { zeitpunkt: '2026-09-30T23:30:00Z', token: 2_000_000 },
      { zeitpunkt: '2026-10-31T23:30:00Z', token: 1 },
    );
    await add({ betrag: '1.6', waehrung: 'USD', kurs: '0.9' });
    const [row] = await rows();
    expect(row).toMatchObject({ kosten_eur: '1.8', rechnung_eur: '1.44', differenz_eur: '-0.36' });
    // In UTC 1.50000015 USD were used: at 0.9 that is 1.350000135 EUR.
    expect(row.ursachen).toMatchObject([
      { art: 'wechselkurs', betrag_eur: '-0.150000015' },
      { art: 'monatsgrenze', betrag_eur: '-0.29999985' },
      { art: 'ungeklaert', betrag_eur: '0.089999865' },
    ]);
  });

  it('leave nothing unexplained where the invoice is what was used in the month in UTC', async () => {
    await call({}, { zeitpunkt: '2026-10-31T23:30:00Z', token: 4_000_000 });
    await add({ betrag: '2.1', waehrung: 'USD', kurs: '0.85' });
    const [row] = await rows();
    expect(row.ursachen).toMatchObject([
      { art: 'wechselkurs', betrag_eur: '-0.315' },
      { art: 'monatsgrenze', betrag_eur: '0.6' },
    ]);
  });

  it('unknown is null, and says why', async () => {
    await call({ modell: 'nie-gehoert' });
    await add({ betrag: 5 });
    expect(await rows()).toMatchObject([
      {
        kosten_eur: null,
        differenz_eur: null,
        differenz_prozent: null,
        ursachen: [{ art: 'unbepreist', aufrufe: 1 }],
      },
    ]);
  });

  it('come in pages over the last twelve months', async () => {
    for (const monat of ['2025-11', '2025-12', '2026-10']) {
      await add({ monat, betrag: 1 });
      await add({ monat, betrag: 1, anbieter: 'anthropic' });
    }
    const seen: string[][] = [];
    let nach = '';
    do {
      const page: { zeilen: { monat: string; anbieter: string }[]; weiter: string | null } = (
        await ask('GET', `?limit=1${nach}`)
      ).json();
      seen.push(...page.zeilen.map(({ monat, anbieter }) => [monat, anbieter]));
      nach = page.weiter ? `&nach=${page.weiter}` : '';
    } while (nach);
    expect(seen).toEqual([
      ['2026-10', 'anthropic'],
      ['2026-10', 'openai'],
      ['2025-12', 'anthropic'],
      ['2025-12', 'openai'],
    ]);
  });

  it(
    'agree with consumption by provider, and causes add up to the difference',
    async () => {
      const amount = fc
        .integer({ min: -(10 ** 6), max: 10 ** 6 })
        .map((n) => new Decimal(n).div(10 ** 4).toFixed());
      const anyCall = fc.record({
        anbieter: fc.constantFrom('openai', 'anthropic', null),
        modell: fc.constantFrom('gpt-4o-mini', 'nie-gehoert'),
        zeitpunkt: fc.constantFrom(
          '2026-09-30T22:30:00Z',
          '2026-10-10T10:00:00Z',
          '2026-10-31T22:59:00Z',
          '2026-09-30T21:00:00Z',
        ),
        token: fc.integer({ min: 0, max: 10 ** 9 }),
        geschaetzt: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyCall, { maxLength: 8 }),
          fc.array(fc.tuple(amount, fc.constantFrom('EUR', 'USD')), { maxLength: 3 }),
          async (calls, invoices) => {
            account = await registerAccount(service);
            if (calls.length > 0) await call(...calls);
            for (const [betrag, waehrung] of invoices) await add({ betrag, waehrung, kurs: '0.87' });
            const found = await rows();
            await expectConsumption(found);
            expectSums(found);
          },
        ),
        { numRuns: fuzzRuns(6) },
      );
    },
    fuzzTime(),
  );
});

describe('invoices', () => {
  it('are changed and taken out', async () => {
    const { rechnung_id } = await add({ betrag: '412.18', notiz: '  ' });
    const changed = await ask('PUT', `/rechnungen/${rechnung_id}`, {
      ...october,
      betrag: '400',
      rechnungsnummer: 'R-1',
    });
    expect(changed.json()).toMatchObject({
      rechnung_id,
      betrag: '400',
      betrag_eur: '400',
      rechnungsnummer: 'R-1',
      notiz: null,
    });
    expect((await ask('DELETE', `/rechnungen/${rechnung_id}`)).statusCode).toBe(200);
    expect(await rows()).toEqual([]);
    expect((await ask('DELETE', `/rechnungen/${rechnung_id}`)).statusCode).toBe(404);
  });

  it('are put in once: the answer says so of the same number and amount', async () => {
    const invoice = { ...october, betrag: '412.18', rechnungsnummer: 'R-7' };
    const { rechnung_id } = await add(invoice);
    const again = await ask('POST', '/rechnungen', { ...invoice, betrag: '412.180' });
    expect([again.statusCode, again.json().code]).toEqual([409, 'rechnung_vorhanden']);
    expect((await ask('PUT', `/rechnungen/${rechnung_id}`, invoice)).statusCode).toBe(200);
    const other = await add({ ...invoice, betrag: '1' });
    expect((await ask('PUT', `/rechnungen/${other.rechnung_id}`, invoice)).statusCode).toBe(409);
  });

  it('in USD take the reference rate of the last day of the month, where none is given', async () => {
    const unknown = await ask('POST', '/rechnungen', {
      ...october,
      monat: '1998-10',
      betrag: 1,
      waehrung: 'USD',
    });
    expect([unknown.statusCode, unknown.json().code]).toEqual([409, 'kein_kurs']);
    await service.sql(
      `INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ('2026-10-30', 0.8612, 'ezb'), ('2026-11-02', 0.9, 'ezb')
       ON CONFLICT (tag) DO UPDATE SET usd_eur = excluded.usd_eur`,
    );
    expect(await add({ betrag: 100, waehrung: 'USD' })).toMatchObject({
      kurs: '0.8612',
      betrag_eur: '86.12',
    });
  });

  it('are refused where a field is wrong, and nothing is stored', async () => {
    for (const body of [
      {},
      { ...october },
      { ...october, betrag: 'viel' },
      { ...october, betrag: '0.1234567890123' },
      { ...october, betrag: 1, waehrung: 'CHF' },
      { ...october, betrag: 1, monat: '2026-13' },
      { ...october, betrag: 1, monat: '2027-01' },
      { ...october, betrag: 1, anbieter: '' },
      { ...october, betrag: 1, waehrung: 'USD', kurs: 0 },
      { ...october, betrag: 1, notiz: 'a\u0000' },
    ])
      expect((await ask('POST', '/rechnungen', body)).statusCode, JSON.stringify(body)).toBe(422);
    expect(await rows()).toEqual([]);
  });

  it('are for those who keep the books or administer, and of another Mandant not there', async () => {
    const get = (user: Account) => ask('GET', '', undefined, user);
    expect(await statusByRole(service, account, get)).toEqual(admitting(ACCOUNTANTS, 200));
    const post = (user: Account | null) => ask('POST', '/rechnungen', {}, user);
    expect(await statusByRole(service, account, post)).toEqual(admitting(ACCOUNTANTS, 422));
    expect([(await post(null)).statusCode, (await ask('GET', '', undefined, null)).statusCode]).toEqual([
      401, 401,
    ]);
    const { rechnung_id } = await add({ betrag: 1 });
    const other = await registerAccount(service);
    for (const id of [rechnung_id, randomUUID()]) {
      expect((await ask('PUT', `/rechnungen/${id}`, { ...october, betrag: 2 }, other)).statusCode).toBe(404);
      expect((await ask('DELETE', `/rechnungen/${id}`, undefined, other)).statusCode).toBe(404);
    }
    const change = (user: Account) => ask('PUT', `/rechnungen/${rechnung_id}`, {}, user);
    expect(await statusByRole(service, account, change)).toEqual(admitting(ACCOUNTANTS, 422));
    const remove = (user: Account) => ask('DELETE', `/rechnungen/${randomUUID()}`, undefined, user);
    expect(await statusByRole(service, account, remove)).toEqual(admitting(ACCOUNTANTS, 404));
  });
});
