/** Settings, closing and the files of a month, at the door. */
import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { checkBatch } from '#test/formats/extf/check.ts';
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

const ask = (
  method: 'GET' | 'POST' | 'PUT',
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
const add = (body: object) => ask('POST', '/endkunden', body);
const close = (monat: string, user: Account | null = account) =>
  ask('POST', '/abrechnung/abschliessen', { monat }, user);

const file = (query: string, user: Account | null = account) =>
  ask('GET', `/export/weiterbelastung${query}`, undefined, user);

/** At 1 EUR for a USD. */
async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}

const SETTINGS = {
  beraternummer: 29098,
  mandantennummer: 55003,
  kontenrahmen: '03',
  sammelkonto: '10000',
  erloeskonto: '8400',
  steuersatz_prozent: '19',
};

describe('settings of accounting', () => {
  it('say what is missing, and keep what is set', async () => {
    expect((await ask('GET', '/mandant/buchhaltung')).json()).toMatchObject({
      beraternummer: null,
      sachkontenlaenge: 4,
      verbranntes_berechnen: true,
      fehlt: ['beraternummer', 'mandantennummer', 'sammelkonto', 'erloeskonto'],
    });
    const set = await ask('PUT', '/mandant/buchhaltung', SETTINGS);
    expect(set.json()).toMatchObject({ ...SETTINGS, fehlt: [] });
    expect((await ask('PUT', '/mandant/buchhaltung', { sammelkonto: null })).json()).toMatchObject({
      erloeskonto: '8400',
      fehlt: ['sammelkonto'],
    });
  });

  it('say what fits together badly, and keep nobody from it', async () => {
    const hints = async (body: object) => (await ask('PUT', '/mandant/buchhaltung', body)).json().hinweise;
    expect(await hints({ steuersatz_prozent: '7' })).toEqual([]);
    expect(await hints({ ...SETTINGS, steuersatz_prozent: '19' })).toEqual([]);
    const odd = [
      {
        schwere: 'hinweis',
        feld: 'steuersatz_prozent',
        code: 'steuersatz_passt_nicht',
        de: 'Zum Erlöskonto 8400 gehört ein Steuersatz von 19 %, eingestellt ist 7 %.',
        en: 'Revenue account 8400 goes with a tax rate of 19 %, 7 % is set.',
      },
    ];
    expect(await hints({ steuersatz_prozent: '7' })).toEqual(odd);
    expect((await ask('GET', '/mandant/buchhaltung')).json()).toMatchObject({
      steuersatz_prozent: '7',
      hinweise: odd,
    });
  });

  it('say what of them a booking batch is refused for', async () => {
    await ask('PUT', '/mandant/buchhaltung', SETTINGS);
    await add({ referenz: 'K' });
    await call({ endkunde_ref: 'K' });
    expect((await file('?monat=2026-10&format=ledger')).statusCode).toBe(200);
    // As it may have been stored before accounts were looked at.
    await service.sql(
      `UPDATE buchhaltung_einstellungen SET erloeskonto = '840000000' WHERE mandant_id = $1`,
      [account.mandantId],
    );
    const stored = (await ask('GET', '/mandant/buchhaltung')).json();
    expect(stored.hinweise[0]).toMatchObject({ schwere: 'fehler', feld: 'erloeskonto' });
    const refused = await file('?monat=2026-10&format=ledger');
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toContain(stored.hinweise[0].de);
    const mended = (await ask('PUT', '/mandant/buchhaltung', { erloeskonto: '8400' })).json();
    expect(mended.hinweise.filter(({ schwere }: { schwere: string }) => schwere === 'fehler')).toEqual([]);
    expect((await file('?monat=2026-10&format=ledger')).statusCode).toBe(200);
  });

  it('are refused where a number or an account cannot be', async () => {
    for (const body of [
      { beraternummer: 1000 },
      { mandantennummer: 0 },
      { wirtschaftsjahr_beginn: 13 },
      { sachkontenlaenge: 3 },
      { kontenrahmen: '99' },
      { steuersatz_prozent: -1 },
      { steuersatz_prozent: '100' },
    ])
      expect((await ask('PUT', '/mandant/buchhaltung', body)).statusCode, JSON.stringify(body)).toBe(422);
  });

  it('are refused where accounts contradict one another, not where something is still missing', async () => {
    const set = (body: object) => ask('PUT', '/mandant/buchhaltung', body);
    expect((await set({ bu_schluessel: '3', kontenrahmen: '03' })).statusCode).toBe(200);
    for (const [body, field] of [
      [{ erloeskonto: '84000' }, 'erloeskonto'],
      [{ erloeskonto: '8400' }, 'bu_schluessel'],
      [{ sammelkonto: '1400' }, 'sammelkonto'],
      [{ sammelkonto: '000' }, 'sammelkonto'],
      [{ diktatkuerzel: 'ab' }, 'diktatkuerzel'],
      [{ bezeichnung: 'Kosten – KI' }, 'bezeichnung'],
    ] as const) {
      const answer = await set(body);
      expect(answer.statusCode, answer.body).toBe(422);
      expect(answer.body).toContain(field);
    }
    expect((await set({ erloeskonto: '8400', bu_schluessel: null })).statusCode).toBe(200);
    expect((await set({ sachkontenlaenge: 5 })).statusCode).toBe(200);
    // What was stored before this was looked at keeps nobody from setting something else.
    await service.sql(
      `UPDATE buchhaltung_einstellungen SET erloeskonto = '840000000' WHERE mandant_id = $1`,
      [account.mandantId],
    );
    expect((await set({ steuersatz_prozent: '19' })).statusCode).toBe(200);
    expect((await set({ sammelkonto: '0' })).statusCode).toBe(422);
  });

  it('are for those who keep the books or administer', async () => {
    const get = (user: Account) => ask('GET', '/mandant/buchhaltung', undefined, user);
    const put = (user: Account | null) => ask('PUT', '/mandant/buchhaltung', { beraternummer: 7 }, user);
    expect(await statusByRole(service, account, get)).toEqual(admitting(ACCOUNTANTS, 200));
    expect(await statusByRole(service, account, put)).toEqual(admitting(ACCOUNTANTS, 422));
    expect((await put(null)).statusCode).toBe(401);
  });
});

describe('closing a month', () => {
  it('is refused while it runs, twice, and out of order', async () => {
    const codes = async (...months: string[]) => {
      const found: string[] = [];
      for (const month of months) found.push((await close(month)).json().code ?? 'ok');
      return found;
    };
    expect(await codes('2026-11', '2026-08', '2026-08', '2026-10', '2026-07', '2026-09', '2026-10')).toEqual([
      'monat_laeuft',
      'ok',
      'monat_geschlossen',
      'monat_nicht_an_der_reihe',
      'monat_nicht_an_der_reihe',
      'ok',
      'ok',
    ]);
    for (const monat of ['2026-12', '2026-00', '']) expect((await close(monat)).statusCode).toBe(422);
  });

  it('keeps its line of calls without an end customer, also where nothing was ever counted', async () => {
    const open = (await file('?monat=2026-10')).body;
    await close('2026-10');
    const rows = await service.sql('SELECT referenz, aufrufe FROM abrechnungszeilen WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    expect(rows).toEqual([{ referenz: '', aufrufe: 0 }]);
    expect((await file('?monat=2026-10')).body).toBe(open);
  });

  it('waits until everything received by its end is counted', async () => {
    service.clock.set('2026-10-31T22:59:59Z');
    await sendPlainCalls(service, account, [{ endkunde_ref: 'K', zeitpunkt: '2026-10-31T22:59:59Z' }]);
    service.clock.set('2026-11-05T10:30:00Z');
    await service.sql(`UPDATE eingang SET empfangen_am = '2026-10-31T22:59:59Z' WHERE mandant_id = $1`, [
      account.mandantId,
    ]);
    expect((await close('2026-10')).json().code).toBe('noch_nicht_gezaehlt');
    await countAll(service);
    expect((await close('2026-10')).statusCode).toBe(200);
  });

  it('by two at once happens once', async () => {
    await call({ endkunde_ref: 'K' });
    const answers = await Promise.all([close('2026-10'), close('2026-10')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('is shown with the month, and what comes late with the next one', async () => {
    await add({ referenz: 'K', aufschlag_prozent: '10' });
    await call({ endkunde_ref: 'K' });
    expect((await close('2026-10')).json()).toMatchObject({
      monat: '2026-10',
      status: 'geschlossen',
      abschliessbar: false,
      geschlossen_von: account.email,
      betrag_eur: '1.65',
    });
    await call({ endkunde_ref: 'K', token: 2_000_000 });
    const { monate } = (await ask('GET', '/abrechnung/monate')).json();
    expect(monate).toMatchObject([
      { monat: '2026-11', status: 'laeuft', betrag_eur: '0.00', korrekturen_eur: '0.33', endkunden: 1 },
      { monat: '2026-10', status: 'geschlossen', betrag_eur: '1.65', korrekturen_eur: '0.00' },
    ]);
    const statement = (await ask('GET', '/endkunden/K/abrechnung?monat=2026-11')).json();
    expect(statement.korrekturen).toMatchObject([
      { art: 'korrektur', monat: '2026-10', aufrufe: 1, kosten_eur: '0.3', betrag_eur: '0.33' },
    ]);
    expect(statement.netto_eur).toBe('0.33');
  });

  it('keeps what stands behind every line, however many there are', async () => {
    const calls = Array.from({ length: 700 }, (_, index) => ({
      endkunde_ref: `k-${index % 600}`,
      token: 1_000_000 + index,
    }));
    await call(...calls);
    const { zeilen } = (await ask('GET', '/endkunden?monat=2026-10')).json();
    const idOf = (sought: string) =>
      zeilen.find(({ referenz }: { referenz: string }) => referenz === sought).endkunde_id;
    await ask('POST', `/endkunden/${idOf('k-599')}/zusammenfuehren`, { ziel_id: idOf('k-0') });
    const parts = async (referenz: string) => {
      const { zeile, agenten, modelle, tage } = (
        await ask('GET', `/endkunden/${referenz}/abrechnung?monat=2026-10`)
      ).json();
      return { zeile, agenten, modelle, tage };
    };
    const all = () => Promise.all([0, 1, 99, 100, 498, 499, 500, 501, 598].map((n) => parts(`k-${n}`)));
    const before = await all();
    expect(before.every(({ agenten }) => agenten.length === 1)).toBe(true);
    expect((await close('2026-10')).statusCode).toBe(200);
    expect(await all()).toEqual(before);
  });

  it('is for those who keep the books or administer', async () => {
    expect(await statusByRole(service, account, (user) => close('2026-12', user))).toEqual(
      admitting(ACCOUNTANTS, 422),
    );
    expect((await close('2026-10', null)).statusCode).toBe(401);
  });
});

describe('the files of a month', () => {
  beforeEach(async () => {
    await ask('PUT', '/mandant/buchhaltung', SETTINGS);
    await add({ referenz: 'K-1', name: 'Müller; "Söhne" & Co', aufschlag_prozent: '12.5' });
    await add({ referenz: '=1+1', debitorenkonto: '10001' });
    await call(
      { endkunde_ref: 'K-1' },
      { endkunde_ref: '=1+1', token: 70_000_000 },
      { endkunde_ref: 'winzig', token: 1 },
    );
  });

  it('say the same amounts as the list and the statements', async () => {
    const csv = (await file('?monat=2026-10')).body;
    expect(csv.startsWith('\uFEFF')).toBe(true);
    const rows = csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(';'));
    const { zeilen, summe } = (await ask('GET', '/endkunden?monat=2026-10')).json();
    const column = rows[0]?.indexOf('Betrag EUR') as number;
    expect(rows.at(-1)?.[column]?.replace(',', '.')).toBe(summe.betrag_eur);
    expect(summe.betrag_eur).toBe('12.19');
    expect(zeilen).toHaveLength(3);
    expect(csv).toContain(`'=1+1`);
    const ledger = await file('?monat=2026-10&format=ledger');
    expect(ledger.headers['content-disposition']).toBe(
      'attachment; filename="EXTF_Buchungsstapel_202610.csv"',
    );
    expect(checkBatch(ledger.rawPayload)).toEqual([]);
    const booked = new TextDecoder('windows-1252')
      .decode(ledger.rawPayload)
      .split('\r\n')
      .slice(2, -1)
      .map((line) => line.slice(0, line.indexOf(';')).replace(',', '.'));
    // Gross, line by line: 1.69 and 10.50 with 19 %.
    expect(booked.sort()).toEqual(['12.50', '2.01']);
    const taxes = await Promise.all(
      zeilen.map(async ({ referenz }: { referenz: string }) =>
        (await ask('GET', `/endkunden/${encodeURIComponent(referenz)}/abrechnung?monat=2026-10`)).json(),
      ),
    );
    const gross = taxes.reduce((sum, { umsatzsteuer }) => sum.plus(umsatzsteuer.brutto_eur), new Decimal(0));
    expect(gross.toFixed(2)).toBe('14.51');
  });

  it('of a closed month are the same bytes each time, but for the stamp; the log has their SHA-256', async () => {
    await close('2026-10');
    const first = (await file('?monat=2026-10')).rawPayload;
    const batch = (await file('?monat=2026-10&format=ledger')).rawPayload.toString('latin1');
    await call({ endkunde_ref: 'K-1' });
    await ask('PUT', '/mandant/buchhaltung', { steuersatz_prozent: '7' });
    service.clock.set('2026-11-05T11:00:00Z');
    expect((await file('?monat=2026-10')).body).toBe(first.toString());
    const again = (await file('?monat=2026-10&format=ledger')).rawPayload.toString('latin1');
    const withoutStamp = (text: string) => text.replace(/;13;\d{17};/, ';13;;');
    expect(again).not.toBe(batch);
    expect(withoutStamp(again)).toBe(withoutStamp(batch));
    const log = await service.sql<{ nachher: Record<string, string> }>(
      `SELECT nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'weiterbelastung.ausgegeben' ORDER BY eintrag_id`,
      [account.mandantId],
    );
    const sha256 = createHash('sha256').update(first).digest('hex');
    expect(log[0]?.nachher).toMatchObject({ format: 'csv', status: 'geschlossen', sha256 });
    expect(log).toHaveLength(4);
  });

  it('are refused where something is missing or cannot be booked, naming it', async () => {
    await ask('PUT', '/mandant/buchhaltung', { erloeskonto: null });
    const missing = await file('?monat=2026-10&format=ledger');
    expect([missing.statusCode, missing.json().code]).toEqual([409, 'buchhaltung_unvollstaendig']);
    expect(missing.json().detail).toContain('Erlöskonto');
    await ask('PUT', '/mandant/buchhaltung', { erloeskonto: '8400' });
    await add({ referenz: 'bild', name: 'Firma 😀' });
    await call({ endkunde_ref: 'bild' });
    const emoji = await file('?monat=2026-10&format=ledger');
    expect([emoji.statusCode, emoji.json().code]).toEqual([409, 'buchung_unmoeglich']);
    expect(emoji.json().detail).toContain('bild');
    for (const query of ['?monat=2026-12', '?format=pdf'])
      expect((await file(query)).statusCode, query).toBe(422);
  });

  it('are for those who keep the books or administer', async () => {
    expect(await statusByRole(service, account, (user) => file('', user))).toEqual(
      admitting(ACCOUNTANTS, 200),
    );
    expect((await file('', null)).statusCode).toBe(401);
  });
});

describe('the statement as PDF', () => {
  const pdf = (path: string, user: Account | null = account) =>
    ask('GET', `/endkunden/${path}`, undefined, user);

  it('is made for each who may see it, of any reference', async () => {
    await add({ referenz: 'a/b ü', name: 'Müller' });
    await call({ endkunde_ref: 'a/b ü' });
    const answer = await pdf(`${encodeURIComponent('a/b ü')}/abrechnung.pdf?monat=2026-10`);
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await pdf('niemand/abrechnung.pdf')).statusCode).toBe(404);
    expect((await pdf('a/abrechnung.pdf?monat=2026-12')).statusCode).toBe(422);
    expect((await pdf('a/abrechnung.pdf', null)).statusCode).toBe(401);
    const foreign = await registerAccount(service);
    expect((await pdf(`${encodeURIComponent('a/b ü')}/abrechnung.pdf`, foreign)).statusCode).toBe(404);
    const statuses = await statusByRole(service, account, (user) => pdf('niemand/abrechnung.pdf', user));
    expect(statuses).toEqual(admitting(ACCOUNTANTS, 404));
  });
});

describe('end customers from CSV', () => {
  const read = (csv: string, probe = false, user: Account | null = account) =>
    ask('POST', '/endkunden/csv', { csv, probe }, user);

  it('are put in and changed, after a look at what would change', async () => {
    await add({ referenz: 'alt', name: 'Alt', aufschlag_prozent: '5' });
    await add({ referenz: 'gleich', name: 'Gleich' });
    const csv = 'Referenz;Name;Aufschlag\r\nalt;Neu;12,5\r\ngleich;Gleich;0\r\nneu;Neue;-3\r\n';
    const expected = { neu: 1, geaendert: 1, gleich: 1 };
    expect((await read(csv, true)).json()).toEqual(expected);
    const names = async () =>
      (await ask('GET', '/endkunden'))
        .json()
        .zeilen.map((row: { referenz: string; aufschlag_prozent: string }) => [
          row.referenz,
          row.aufschlag_prozent,
        ]);
    expect(await names()).toEqual([
      ['alt', '5'],
      ['gleich', '0'],
    ]);
    expect((await read(csv)).json()).toEqual(expected);
    expect(await names()).toEqual([
      ['alt', '12.5'],
      ['gleich', '0'],
      ['neu', '-3'],
    ]);
    expect((await read(csv)).json()).toEqual({ neu: 0, geaendert: 0, gleich: 3 });
  });

  it('may be thousands', async () => {
    const MANY = isWhole ? 5_000 : 1_001;
    const lines = Array.from({ length: MANY }, (_, index) => `kunde-${index};Firma Nummer ${index};12,5`);
    const answer = await read(['Referenz;Name;Aufschlag', ...lines].join('\r\n'));
    expect(answer.json()).toEqual({ neu: MANY, geaendert: 0, gleich: 0 });
  });

  it('are refused whole where a line is wrong', async () => {
    const answer = await read('Referenz;Aufschlag\r\na;5\r\nb;viel\r\n');
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('3');
    expect((await ask('GET', '/endkunden')).json().zeilen).toEqual([]);
    expect(await statusByRole(service, account, (user) => read('x', false, user))).toEqual(
      admitting(ACCOUNTANTS, 422),
    );
    expect((await read('x', false, null)).statusCode).toBe(401);
  });
});
