import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { addEvents, type Call } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { fillWeeks, LONG, MONDAY, putFinding, WEEK } from '#test/weeks.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  service.clock.set(MONDAY);
  ours = await registerAccount(service, 'Muster & Söhne <GmbH>');
  foreign = await registerAccount(service);
  await fillWeeks(service, ours);
});
afterAll(() => service.stop());
beforeEach(() => service.clock.set(MONDAY));

const get = (query = '', { cookie }: { cookie?: string } = ours, headers: Record<string, string> = {}) =>
  service.app.inject({
    url: `/v1/cockpit/bericht/woche${query}`,
    headers: { ...headers, ...(cookie ? { cookie } : {}) },
  });
const json = async (woche = '', account: Account = ours) => {
  const answer = await get(`?format=json${woche && `&woche=${woche}`}`, account);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

describe('in figures', () => {
  test('tells the last whole week beside the weeks before', async () => {
    const report = await json();
    expect(report).toMatchObject({
      woche: WEEK,
      von: '2026-11-09T00:00:00+01:00',
      bis: '2026-11-16T00:00:00+01:00',
      firma: 'Muster & Söhne <GmbH>',
      vorlaeufig: false,
      summe: { aufrufe: 1_221, fehler: 18, unbepreist: 9, kosten_eur: '179.856789012346678901234567' },
      vorwoche: { woche: '2026-W45', aufrufe: 140, kosten_eur: '111.250000001', verbranntes_geld_eur: '2' },
      // Of the four weeks before two had a call or came after the first one.
      mittel: { wochen: 2, kosten_eur: '59.38' },
      unbepreiste_modelle: [{ modell: 'haus-modell', unbepreist: 9 }],
      ausgelassen: [],
    });
    expect(report.tage.map(({ schluessel }: { schluessel: string }) => schluessel)).toEqual(
      [9, 10, 11, 12, 13, 14, 15].map((day) => `2026-11-${String(day).padStart(2, '0')}`),
    );
    expect(report.tage[4]).toMatchObject({ aufrufe: 9, unbepreist: 9, kosten_eur: null });
    expect(report.agenten.map(({ name }: { name: string | null }) => name)).toEqual(['Triage', null, null]);
    expect(await json(WEEK)).toEqual(report);
    expect(await json('2026-11-09')).toEqual(report);
  });

  test('tells what changed: rose, fell, new; unknown stays unknown', async () => {
    const { aenderungen } = await json();
    const [agents, models, customers] = aenderungen;
    const told = (rows: { schluessel: string; differenz_eur: string | null }[]) =>
      rows.map(({ schluessel, differenz_eur }) => [schluessel, differenz_eur]);
    expect(told(agents.gestiegen)).toEqual([
      [LONG, '44.4'],
      ['support/triage', '43.456789011346678901234567'],
      ['neu/agent', '12'],
    ]);
    expect(told(agents.gesunken)).toEqual([['archiv/export', '-31.25']]);
    expect(agents.gesunken[0]).toMatchObject({ aufrufe: 0, kosten_eur: '0', vorher_eur: '31.25' });
    expect(told(agents.neu)).toEqual([
      [LONG, '44.4'],
      ['neu/agent', '12'],
    ]);
    expect(told(models.neu)).toEqual([
      ['gpt-5-mini', '44.4'],
      ['haus-modell', null],
    ]);
    expect(told(customers.gesunken)).toEqual([['', '-99.250000001']]);
    expect(agents.neu_anzahl).toBe(2);
  });

  test('a first week is compared with nothing', async () => {
    const report = await json('2026-W44');
    expect(report).toMatchObject({
      summe: { kosten_eur: '7.5' },
      vorwoche: null,
      mittel: null,
      aenderungen: [],
    });
  });

  test('a week without calls, and one of which no cost is known', async () => {
    const empty = await json('', foreign);
    expect(empty).toMatchObject({ summe: { aufrufe: 0, kosten_eur: null }, vorwoche: null, mittel: null });
    expect(empty.agenten).toEqual([]);
    expect(empty.tage).toHaveLength(7);
  });

  test('the week that is going on is preliminary, its days end today', async () => {
    const report = await json('2026-W47');
    expect(report.vorlaeufig).toBe(true);
    expect(report.tage).toHaveLength(1);
    expect(report.summe.kosten_eur).toBe('1000');
  });

  test('budgets as they stand, those of which most is spent first', async () => {
    const { budgets } = await json();
    expect(budgets).toMatchObject({ monat: '2026-11', anzahl: 2, ueberschritten: 1 });
    expect(budgets.liste.map(({ schluessel }: { schluessel: string }) => schluessel)).toEqual([
      'support/triage',
      'standard',
    ]);
    const page = await service.app.inject({
      url: '/v1/cockpit/budgets',
      headers: { cookie: ours.cookie },
    });
    for (const told of budgets.liste)
      expect(page.json().budgets).toContainEqual(expect.objectContaining(told));
  });
});

describe('agrees with /v1/cockpit/verbrauch to the last digit', () => {
  const call: fc.Arbitrary<Call> = fc.record({
    agent: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    projekt: fc.constant('standard'),
    endkunde: fc.constantFrom(null, 'k1', 'k2'),
    anbieter: fc.constant('openai'),
    modell: fc.constantFrom('gpt-5', 'haus'),
    funktion: fc.constant(null),
    benutzer: fc.constant(null),
    ms: fc.integer({
      min: Date.parse('2026-10-19T00:00:00Z'),
      max: Date.parse('2026-11-16T06:00:00Z'),
    }),
    failed: fc.boolean(),
    geschaetzt: fc.boolean(),
    eingabe_token: fc.constant(1),
    usd: fc.option(fc.bigInt({ min: 0n, max: 10n ** 16n }), { nil: null }),
  });

  test('whatever the calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), async (calls) => {
        const account = await registerAccount(service);
        await addEvents(service, account.mandantId, calls, 'Europe/Berlin');
        const headers = { cookie: account.cookie };
        for (const [woche, von, bis] of [
          [WEEK, '2026-11-09', '2026-11-16'],
          ['2026-W43', '2026-10-19', '2026-10-26'],
        ] as const) {
          const report = await json(woche, account);
          const ask = async (gruppe: string) => {
            const url = `/v1/cockpit/verbrauch?gruppe=${gruppe}&von=${von}&bis=${bis}&limit=5`;
            return (await service.app.inject({ url, headers })).json();
          };
          const [days, agents] = [await ask('tag'), await ask('agent')];
          expect([report.von, report.bis]).toEqual([days.von, days.bis]);
          expect(report.summe).toEqual(days.summe);
          expect(report.agenten.map(({ name, ...row }: { name: null }) => row)).toEqual(agents.zeilen);
          expect(report.agenten_rest).toEqual(agents.rest);
          const called = report.tage.filter(({ aufrufe }: { aufrufe: number }) => aufrufe > 0);
          // Pages of five days.
          expect(called.slice(0, 5)).toEqual(days.zeilen);
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('as a page', () => {
  test('reads German, with the figures of the JSON, and loads nothing', async () => {
    const finding = await putFinding(service, ours);
    const answer = await get();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    const page = answer.body;
    for (const part of [
      'Wochenbericht Kalenderwoche 46/2026',
      'Muster &amp; Söhne &lt;GmbH&gt; · 9. November 2026 – 15. November 2026',
      '179,86 €',
      'Vorwoche: 111,25 € (+61,7 %)',
      'Mittel der 2 Wochen davor: 59,38 € (+202,9 %)',
      'unbekannt',
      '9 Aufrufe ohne bekannten Preis sind darin nicht enthalten.',
      'Müller &amp; Söhne &lt;GmbH&gt;',
      '4,80 €',
      '−31,25 €',
      `/befunde/${finding}`,
      'November 2026, Stand 16.11.2026, 08:30: 1 von 2 Budgets überschritten.',
    ])
      expect(page.replaceAll('\u00a0', ' ')).toContain(part);
    expect(page).not.toMatch(/<script|<img|<link|<form|<iframe|url\(|@import|src=/i);
    for (const [, address = ''] of page.matchAll(/href="([^"]*)"/g))
      expect(address.startsWith(service.context.config.baseUrl)).toBe(true);
  });

  test('in the language of the profile, else in that of the browser', async () => {
    const english = { 'accept-language': 'en-GB,de;q=0.5' };
    expect((await get('', ours, english)).body).toContain('lang="en"');
    expect((await get()).body).toContain('lang="de"');
    const reader = await addUser(service, ours, 'betrachter');
    await service.sql("UPDATE benutzer SET sprache = 'de' WHERE benutzer_id = $1", [reader.benutzerId]);
    expect((await get('', reader, english)).body).toContain('Wochenbericht');
  });

  test('says that a week is the first, empty, or not over; no percent of nothing', async () => {
    const empty = (await get('', foreign)).body;
    expect(empty).toContain('In dieser Woche gab es keine Aufrufe.');
    expect(empty).not.toMatch(/NaN|Infinity|null|undefined|%\)/);
    expect((await get('?woche=2026-W44')).body).toContain('Es ist die erste Woche mit Aufrufen');
    expect((await get('?woche=2026-W47')).body).toContain('Vorläufig:');
    const after = await json('2026-W45');
    expect(after.vorwoche).toMatchObject({ kosten_eur: '7.5' });
  });
});

test('401 without a session', async () => {
  expect((await get('', {})).statusCode).toBe(401);
});

test.each(['2026-W54', '2026-11-10', 'W46', '2026-W48', '9999-W01', '2026-11-23', '%00', "'; DROP TABLE x"])(
  '422 for the week %s',
  async (woche) => {
    const answer = await get(`?woche=${encodeURIComponent(woche)}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['query', 'woche']);
  },
);

test('another Mandant sees nothing of it', async () => {
  const { body } = await get('?woche=2026-W46&format=json', foreign);
  expect(body).not.toMatch(/triage|kunde-4711|Söhne/i);
});
