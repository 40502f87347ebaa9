/** Closing is rehearsed, refused where a line could never be booked, and what bookkeeping gets can be corrected afterwards. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { checkBatch } from '#test/formats/extf/check.ts';
import { readRecords } from '#test/formats/extf/read.ts';
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
async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}
const close = (probe = false) => ask('POST', '/abrechnung/abschliessen', { monat: '2026-10', probe });
const probe = async () => {
  const answer = await close(true);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const ledger = () => ask('GET', '/export/weiterbelastung?monat=2026-10&format=ledger');
const amend = (body: object, user: Account | null = account) =>
  ask('PUT', '/abrechnung/buchung', { monat: '2026-10', ...body }, user);
const SETTINGS = {
  beraternummer: 29098,
  mandantennummer: 55003,
  kontenrahmen: '03',
  sammelkonto: '10000',
  erloeskonto: '8400',
  steuersatz_prozent: '19',
};
const references = (count: number, start: string) =>
  Array.from({ length: count }, (_, index) => ({ endkunde_ref: `${start}${index}` }));
const idOf = async (referenz: string) =>
  (await ask('GET', '/endkunden?monat=2026-10'))
    .json()
    .zeilen.find((row: Record<string, string>) => row.referenz === referenz).endkunde_id;

test('a rehearsal stores nothing and tells all that is in the way or worth knowing', async () => {
  await ask('PUT', '/mandant/buchhaltung', SETTINGS);
  await call(
    ...references(5, 'Москва'),
    { endkunde_ref: 'K', modell: 'unbekannt' },
    { zeitpunkt: '2026-08-10T10:00:00Z', endkunde_ref: 'K' },
    {},
  );
  await ask('PUT', `/endkunden/${await idOf('K')}`, { kostenstelle: 'Köln-7', debitorenkonto: '123456789' });
  await call({ endkunde_ref: 'K' });
  const { pruefung, ...month } = await probe();
  expect(month).toMatchObject({ monat: '2026-10', status: 'offen', unbepreist: 1, endkunden: 6 });
  expect(pruefung).toMatchObject({
    gebucht: true,
    hindernisse_gesamt: 7,
    ersatz_anteil: '1',
    offene_monate_davor: 2,
    ohne_namen: 6,
    ohne_endkunde: 1,
  });
  const told = pruefung.hindernisse.map((each: Record<string, string>) => `${each.referenz} ${each.feld}`);
  expect(told).toEqual([
    'K kostenstelle',
    'K debitorenkonto',
    ...[0, 1, 2, 3, 4].map((at) => `Москва${at} referenz`),
  ]);
  const refused = await close();
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'buchung_unmoeglich']);
  expect(refused.json().detail).toContain('Dazu kommen 4 weitere.');
  expect((await ask('GET', '/abrechnung/monate')).json().monate[1]).toMatchObject({ status: 'offen' });
});

test('who keeps no books in this form closes, and reads what could not be booked once they do', async () => {
  await call({ endkunde_ref: 'Москва' });
  await ask('PUT', `/endkunden/${await idOf('Москва')}`, { kostenstelle: 'Köln-7' });
  expect((await probe()).pruefung).toMatchObject({ gebucht: false, hindernisse_gesamt: 0 });
  expect((await close()).json()).toMatchObject({ status: 'geschlossen', pruefung: null });
  await ask('PUT', '/mandant/buchhaltung', SETTINGS);
  expect((await ledger()).json().code).toBe('buchung_unmoeglich');
  const csv = (await ask('GET', '/export/weiterbelastung?monat=2026-10')).body;
  const before = (await ask('GET', `/endkunden/${encodeURIComponent('Москва')}/abrechnung?monat=2026-10`))
    .body;

  const mended = { referenz: 'Москва', name: 'Moskau GmbH', kostenstelle: 'Koeln7', debitorenkonto: '10042' };
  expect((await amend({ zeilen: [mended] })).json()).toEqual({ monat: '2026-10', zeilen: 1 });
  expect((await amend({ zeilen: [mended] })).json()).toEqual({ monat: '2026-10', zeilen: 0 });
  const batch = await ledger();
  expect(batch.statusCode, batch.body).toBe(200);
  expect(checkBatch(batch.rawPayload)).toEqual([]);
  const [booking] = readRecords(batch.rawPayload).records.slice(2);
  expect([6, 13, 36].map((place) => booking?.fields[place]?.text)).toEqual([
    '10042',
    'KI-Nutzung 10/2026 Moskau GmbH',
    'Koeln7',
  ]);
  expect((await ask('GET', '/export/weiterbelastung?monat=2026-10')).body).toBe(
    csv.replace('Москва;Москва;Köln-7;;', 'Moskau GmbH;Москва;Koeln7;10042;'),
  );
  const after = await ask('GET', `/endkunden/${encodeURIComponent('Москва')}/abrechnung?monat=2026-10`);
  expect(after.body).toBe(before);
  const [row] = (await ask('GET', '/endkunden?monat=2026-10')).json().zeilen;
  const { referenz: _, ...buchung } = mended;
  expect(row).toMatchObject({ name: null, kostenstelle: 'Köln-7', debitorenkonto: null, buchung });
  const [open] = (await ask('GET', '/endkunden?monat=2026-11')).json().zeilen;
  expect(open).toMatchObject({ referenz: 'Москва', buchung: null });
  const [entry] = await service.sql<{ vorher: object; nachher: object }>(
    `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'abrechnung.berichtigt'`,
    [account.mandantId],
  );
  expect(entry).toEqual({
    vorher: { name: null, kostenstelle: 'Köln-7', debitorenkonto: null },
    nachher: { name: 'Moskau GmbH', kostenstelle: 'Koeln7', debitorenkonto: '10042' },
  });
});

test('a batch takes accounts of today only if asked for, and its tax never', async () => {
  await ask('PUT', '/mandant/buchhaltung', SETTINGS);
  await call({ endkunde_ref: 'K' });
  await close();
  await ask('PUT', '/mandant/buchhaltung', {
    beraternummer: 30000,
    erloeskonto: '8300',
    steuersatz_prozent: '7',
  });
  const accounts = async () => {
    const [head, , booking] = readRecords((await ledger()).rawPayload).records;
    return [head?.fields[10]?.text, booking?.fields[0]?.text, booking?.fields[7]?.text];
  };
  expect(await accounts()).toEqual(['29098', '1,79', '8400']);
  expect((await amend({ einstellungen: true })).statusCode).toBe(200);
  expect(await accounts()).toEqual(['30000', '1,79', '8300']);
});

test('a correction is for who keeps the books, of months that are closed and end customers that have a line', async () => {
  expect((await amend({ einstellungen: true })).json().code).toBe('monat_offen');
  await call({ endkunde_ref: 'K' });
  await close();
  const zeilen = [{ referenz: 'K', name: 'Kunde' }];
  expect(await statusByRole(service, account, (user) => amend({ zeilen }, user))).toEqual(
    admitting(ACCOUNTANTS, 200),
  );
  expect((await amend({ zeilen }, null)).statusCode).toBe(401);
  expect((await amend({ zeilen: [{ referenz: 'X', name: 'a' }] })).statusCode).toBe(422);
  for (const fields of [{ name: 'a\nb' }, { debitorenkonto: '12a' }, { kostenstelle: 'x'.repeat(37) }])
    expect((await amend({ zeilen: [{ referenz: 'K', ...fields }] })).statusCode).toBe(422);
  const other = await registerAccount(service);
  expect((await amend({ zeilen }, other)).json().code).toBe('monat_offen');
});

test('references that are no part of an address are reached by their id', async () => {
  await call({ endkunde_ref: '..' }, { endkunde_ref: '.' });
  for (const referenz of ['..', '.']) {
    const of = await ask('GET', `/endkunden/${await idOf(referenz)}/abrechnung?monat=2026-10`);
    expect([of.statusCode, of.json().zeile.referenz]).toEqual([200, referenz]);
    const pdf = await ask('GET', `/endkunden/${await idOf(referenz)}/abrechnung.pdf?monat=2026-10`);
    expect(pdf.statusCode).toBe(200);
  }
});

test.each([
  ['name', 'Smile 😀 GmbH', 200],
  ['name', 'x'.repeat(121), 422],
  ['name', 'www.shop.de', 422],
  ['kostenstelle', 'Köln-7', 200],
  ['kostenstelle', 'x'.repeat(37), 422],
  ['debitorenkonto', '000', 422],
  ['debitorenkonto', '123456789', 200],
  ['referenz', 'https://kunde', 200],
])('one rule for %s by whatever way it comes in: %s', async (field, value, status) => {
  const plain = { referenz: 'K', [field]: value };
  const made = await ask('POST', '/endkunden', plain);
  expect(made.statusCode === 201 ? 200 : made.statusCode).toBe(status);
  const csv = `${Object.keys(plain).join(';')}\r\n${Object.values(plain).join(';')}\r\n`;
  expect((await ask('POST', '/endkunden/csv', { csv, probe: true })).statusCode).toBe(status);
});
