/** What a closed month was charged by stays with it, whatever is set, named, merged or dressed otherwise afterwards. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { setBook } from '#test/counted-anew.ts';
import { readRecords } from '#test/formats/extf/read.ts';
import { pagesOf } from '#test/read-pdf.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { unzipBytes } from '#test/unzip.ts';

let service: TestService;
let account: Account;
let secret: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.set('2026-11-05T22:30:00Z');
  account = await registerAccount(service);
  ({ secret } = await createKey(service, account));
  await setBook(service, account, { gemeldete_kosten: true });
  await ask('PUT', '/mandant/buchhaltung', SETTINGS);
});

const SETTINGS = {
  beraternummer: 29098,
  mandantennummer: 55003,
  kontenrahmen: '03',
  sammelkonto: '10000',
  erloeskonto: '8400',
  steuersatz_prozent: '19',
  aufschlag_ausweisen: true,
};

const raw = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { 'accept-language': 'de', cookie: account.cookie },
    ...(payload ? { payload } : {}),
  });
async function ask(...args: Parameters<typeof raw>) {
  const answer = await raw(...args);
  expect(answer.statusCode, `${args[1]} ${answer.body.slice(0, 300)}`).toBeLessThan(300);
  return answer;
}

interface Call {
  endkunde_ref: string;
  usd: string;
  monat?: string;
}
/** At 1 EUR for a USD. */
async function call(...calls: Call[]) {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: calls.map(({ endkunde_ref, usd, monat = '2026-08' }) => ({
        agent: 'support/triage',
        anbieter: 'openai',
        modell: 'gpt-4o',
        zeitpunkt: `${monat}-10T10:00:00Z`,
        endkunde_ref,
        zusatz: { gemeldete_kosten_usd: usd },
      })),
    },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  await countAll(service);
}

const add = async (referenz: string, aufschlag_prozent: string) =>
  (
    await ask('POST', '/endkunden', {
      referenz,
      name: `Firma ${referenz}`,
      kostenstelle: `K${referenz}`,
      debitorenkonto: '10001',
      aufschlag_prozent,
    })
  ).json().endkunde_id as string;
const merge = (id: string, ziel_id: string | null) =>
  ask('POST', `/endkunden/${id}/zusammenfuehren`, { ziel_id });
const close = (monat: string) => ask('POST', '/abrechnung/abschliessen', { monat });

const statement = async (referenz: string, monat: string) =>
  (await ask('GET', `/endkunden/${referenz}/abrechnung?monat=${monat}`)).json();
const corrections = async (referenz: string, monat = '2026-09') =>
  (await statement(referenz, monat)).korrekturen.map(
    (each: Record<string, string>) =>
      `${each.referenz} ${each.aufschlag_prozent} ${each.betrag_eur} ${each.aufrufe}`,
  );

const textOf = async (bytes: Uint8Array) =>
  (await pagesOf(new Uint8Array(bytes))).map((page) => page.map(({ text }) => text).join('|'));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Everything that the month gives out, but for the stamp of the batch. */
async function exported(monat: string, references: string[]) {
  // What was issued is kept: this is about what it would be made of.
  await service.sql('DELETE FROM abrechnung_dokumente WHERE mandant_id = $1', [account.mandantId]);
  const of = async (path: string) => (await ask('GET', path)).rawPayload;
  const batch = (await of(`/export/weiterbelastung?monat=${monat}&format=ledger`)).toString('latin1');
  const zip = await unzipBytes(await of(`/export/abrechnungen.zip?monat=${monat}`));
  const pdfs = new Map<string, unknown>();
  for (const [name, bytes] of zip) pdfs.set(name, name.endsWith('.pdf') ? sha256(bytes) : `${bytes}`);
  const list = (await ask('GET', `/endkunden?monat=${monat}`)).json();
  return {
    csv: `${await of(`/export/weiterbelastung?monat=${monat}`)}`,
    ledger: batch.replace(/^("EXTF";700;21;"Buchungsstapel";13;)\d+/, '$1'),
    focus: `${await of(`/export/focus.csv?monat=${monat}`)}`,
    zip: [...pdfs],
    statements: await Promise.all(references.map((each) => statement(each, monat))),
    single: await Promise.all(
      references.map(async (each) => sha256(await of(`/endkunden/${each}/abrechnung.pdf?monat=${monat}`))),
    ),
    sum: list.summe,
    rows: list.zeilen.map((row: Record<string, unknown>) => [
      row.referenz,
      row.name,
      row.kostenstelle,
      row.debitorenkonto,
      row.aufschlag_prozent,
      row.betrag_eur,
      row.korrekturen_eur,
    ]),
  };
}

test('a closed month stays to the byte whatever changes, and one late call moves its own cent alone', async () => {
  const [a, b] = [await add('A', '10'), await add('B', '100')];
  await call({ endkunde_ref: 'A', usd: '1000' }, { endkunde_ref: 'B', usd: '1000' });
  await close('2026-08');
  const before = await exported('2026-08', ['A', 'B']);
  service.clock.set('2026-11-06T00:30:00Z');
  await ask('PUT', '/mandant/buchhaltung', {
    ...SETTINGS,
    beraternummer: 30000,
    mandantennummer: 2,
    wirtschaftsjahr_beginn: 4,
    sammelkonto: '20000',
    erloeskonto: '8300',
    steuersatz_prozent: '7',
    diktatkuerzel: 'XY',
    bezeichnung: 'Anders',
    festschreibung: true,
    verbranntes_berechnen: false,
    aufschlag_ausweisen: false,
  });
  for (const id of [a, b])
    await ask('PUT', `/endkunden/${id}`, {
      name: 'Umbenannt',
      kostenstelle: 'NEU',
      debitorenkonto: '10099',
      aufschlag_prozent: '50',
    });
  await service.sql(`UPDATE agenten SET name = 'Umbenannter Agent' WHERE mandant_id = $1`, [
    account.mandantId,
  ]);
  await ask('PUT', '/konto/branding', { name: 'Neue Firma AG', farbe: '#ff0000', fusszeile: 'anders' });
  await merge(b, a);
  expect(await exported('2026-08', ['A', 'B'])).toEqual(before);
  const entries = await service.sql<{ nachher: Record<string, string> }>(
    `SELECT nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'weiterbelastung.ausgegeben' AND nachher ->> 'referenz' = 'A'`,
    [account.mandantId],
  );
  expect(entries.map(({ nachher }) => nachher.sha256)).toEqual([before.single[0], before.single[0]]);

  await call({ endkunde_ref: 'A', usd: '0.009' });
  expect(await exported('2026-08', ['A', 'B'])).toEqual(before);
  const list = (await ask('GET', '/endkunden?monat=2026-09')).json();
  expect(list.summe).toMatchObject({ korrekturen_eur: '0.01', betrag_eur: '0.00' });
  const late = await statement('A', '2026-09');
  expect(late).toMatchObject({
    netto_eur: '0.01',
    korrekturen: [
      {
        referenz: 'A',
        zahler: 'A',
        name: 'Firma A',
        kostenstelle: 'KA',
        debitorenkonto: '10001',
        aufschlag_prozent: '10',
        aufrufe: 1,
        kosten_eur: '0.009',
        betrag_eur: '0.01',
        belegnummer: '202609K202608-A',
        gruende: ['nachgekommen'],
      },
    ],
    umsatzsteuer: { prozent: '19', saetze: [{ prozent: '19', netto_eur: '0.01', betrag_eur: '0.00' }] },
  });
  await close('2026-09');
  expect(await exported('2026-08', ['A', 'B'])).toEqual(before);
  expect((await statement('A', '2026-09')).korrekturen).toEqual(late.korrekturen);
  // Renamed once more and forgotten, both months stay, of which the second one has nothing but a correction.
  const september = await exported('2026-09', ['A']);
  await ask('PUT', `/endkunden/${a}`, { name: 'Noch einmal', kostenstelle: 'X', aufschlag_prozent: '99' });
  expect(await exported('2026-09', ['A'])).toEqual(september);
  for (const id of [a, b]) await ask('DELETE', `/endkunden/${id}`);
  expect(await exported('2026-08', ['A', 'B'])).toEqual(before);
  expect(await exported('2026-09', ['A'])).toEqual(september);
});

test('each reference is corrected by the terms it was charged by; who counts for another today is paid for by that one', async () => {
  const [a, b] = [await add('A', '10'), await add('B', '100')];
  await call({ endkunde_ref: 'A', usd: '1000' }, { endkunde_ref: 'B', usd: '1000' });
  await close('2026-08');
  await merge(b, a);
  await call({ endkunde_ref: 'A', usd: '0.009' }, { endkunde_ref: 'B', usd: '0.009' });
  expect(await corrections('A')).toEqual(['A 10 0.01 1', 'B 100 0.02 1']);
  await close('2026-09');
  await merge(b, null);
  expect(await corrections('A')).toEqual(['A 10 0.01 1', 'B 100 0.02 1']);
  expect(await corrections('B')).toEqual([]);
  await call({ endkunde_ref: 'B', usd: '0.009' });
  expect([await corrections('A', '2026-10'), await corrections('B', '2026-10')]).toEqual([
    [],
    ['B 100 0.02 1'],
  ]);
});

test('references that were charged as one stay so once they are separated, and together pay the exact cost once rounded', async () => {
  const [a, b] = [await add('A', '10'), await add('B', '100')];
  await merge(b, a);
  await call({ endkunde_ref: 'A', usd: '1000' }, { endkunde_ref: 'B', usd: '800' });
  await close('2026-08');
  await merge(b, null);
  await call({ endkunde_ref: 'A', usd: '0.004' });
  expect([await corrections('A'), await corrections('B')]).toEqual([['A 10 0.00 1'], []]);
  await call({ endkunde_ref: 'B', usd: '0.004' });
  expect([await corrections('A'), await corrections('B')]).toEqual([['A 10 0.00 1'], ['B 10 0.01 1']]);
});

test('a correction is taxed and booked as the month that it corrects', async () => {
  await add('A', '0');
  await call({ endkunde_ref: 'A', usd: '100' }, { endkunde_ref: 'A', usd: '50', monat: '2026-09' });
  await close('2026-08');
  await ask('PUT', '/mandant/buchhaltung', { steuersatz_prozent: '7', erloeskonto: '8300' });
  await call({ endkunde_ref: 'A', usd: '90' });
  expect((await statement('A', '2026-09')).umsatzsteuer).toEqual({
    prozent: '7',
    betrag_eur: '20.60',
    brutto_eur: '160.60',
    saetze: [
      { prozent: '7', netto_eur: '50.00', betrag_eur: '3.50' },
      { prozent: '19', netto_eur: '90.00', betrag_eur: '17.10' },
    ],
  });
  const ledger = await ask('GET', '/export/weiterbelastung?monat=2026-09&format=ledger');
  const bookings = readRecords(ledger.rawPayload).records.slice(2);
  expect(bookings.map(({ fields }) => [0, 7].map((place) => fields[place]?.text))).toEqual([
    ['53,50', '8300'],
    ['107,10', '8400'],
  ]);
  const csv = (await ask('GET', '/export/weiterbelastung?monat=2026-09')).body;
  expect(csv).toContain(';50,00;7;3,50;53,50;202609-A');
  expect(csv).toContain(';90,00;19;17,10;107,10;202609K202608-A');
  const [page] = await textOf((await ask('GET', '/endkunden/A/abrechnung.pdf?monat=2026-09')).rawPayload);
  for (const said of ['1 Aufruf nachgekommen', 'Umsatzsteuer 19', '202609-A', 'keine Rechnung'])
    expect(page).toContain(said);
});

test('months that 0.2.0 has closed are corrected by the lines they have, and by what counted together when they were taken over', async () => {
  const [a, b] = [await add('A', '10'), await add('B', '100')];
  await merge(b, a);
  await call({ endkunde_ref: 'A', usd: '1000' }, { endkunde_ref: 'B', usd: '1000' });
  await close('2026-08');
  await service.sql(
    `UPDATE abrechnungsmonate SET zuordnung = '{"B": "A"}', buchhaltung = NULL, absender = NULL, anteile_bekannt = false WHERE mandant_id = $1`,
    [account.mandantId],
  );
  await service.sql(`UPDATE abrechnungszeilen SET anteile = NULL WHERE mandant_id = $1`, [account.mandantId]);
  await merge(b, null);
  await call({ endkunde_ref: 'A', usd: '0.009' }, { endkunde_ref: 'B', usd: '0.009' });
  expect([await corrections('A'), await corrections('B')]).toEqual([['A 10 0.02 2'], []]);
});
