/** Reconciliation in a browser: what nobody put in explains a difference, in the words of who keeps the books; a month has its sum. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, call, startCockpit } from '#test/cockpit.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';

let cockpit: Cockpit;
let account: Account;
/** The last whole local month, YYYY-MM. */
let month = '';

async function invoice(anbieter: string, betrag: string): Promise<void> {
  const answer = await request(`${cockpit.address}/v1/cockpit/abgleich/rechnungen`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: cockpit.address, cookie: account.cookie },
    body: JSON.stringify({ monat: month, anbieter, betrag }),
  });
  expect(answer.status, answer.text).toBe(201);
}

/** What the job and counting leave in time: days of the price book that were compared, calls that were set aside. */
async function leaveTraces(): Promise<void> {
  await cockpit.sql(`
    INSERT INTO preisbuch_kosten (mandant_id, tag, anbieter, aufrufe, kosten_eur, verglichen, preisbuch_eur, listenpreis_eur)
    VALUES ('${account.mandantId}', '${month}-15', 'openai', 3, 1.935, 2, 1.29, 1.72)`);
  await cockpit.sql(`
    INSERT INTO eingang_unzaehlbar (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten, grund)
    VALUES ('${account.mandantId}', gen_random_uuid(), now(), '${account.schluesselId}', 4, 1, '', 'unlesbar')`);
}

beforeAll(async () => {
  cockpit = await startCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
  const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin').toPlainDate().toPlainYearMonth();
  month = now.subtract({ months: 1 }).toString();
  const at = (day: number) => `${month}-${day}T10:00:00Z`;
  const { anbieter: _, ...unnamed } = call;
  await account.send([
    { ...call, zeitpunkt: at(15) },
    { ...call, zeitpunkt: at(25) },
    { ...call, anbieter: 'azure', zeitpunkt: at(15) },
    { ...unnamed, zeitpunkt: at(15) },
  ]);
  await account.untilCounted(4);
  // Calls were converted at 0.86. Of the 25th no rate is near enough.
  await cockpit.sql(`INSERT INTO wechselkurse (tag, usd_eur, quelle)
    VALUES ('${month}-14', 0.9, 'ezb'), ('${month}-16', 0.91, 'ezb') ON CONFLICT (tag) DO UPDATE SET usd_eur = excluded.usd_eur`);
  await leaveTraces();
  await invoice('openai', '1.50');
  await invoice('azure', '0.68');
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, bypassCSP: true, ...options });

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const provider = (page: Page, name: string) => page.locator('button[aria-expanded]', { hasText: name });
const spaced = (text: string | null) => (text ?? '').replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ');

test('the substitute rate, the price book, calls set aside and cents are named, known amounts with theirs', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/abgleich?monat=${month}`);
  await provider(page, 'openai').click();
  const causes = page.getByRole('region', { name: 'Wahrscheinliche Ursachen' });
  await causes.getByText('Zum Ersatzkurs umgerechnet', { exact: false }).first().waitFor();
  const said = (await causes.getByRole('listitem').allInnerTexts()).map(spaced).join('\n');
  for (const part of [
    'Der Referenzkurs dieser Tage ist inzwischen bekannt und ein anderer.',
    '+0,03 €',
    'der Referenzkurs dieser Tage ist nicht bekannt.',
    '3 Aufrufe haben eigene Preise oder Rabatte (1,94 €)',
    '4 angenommene Aufrufe ließen sich nicht zählen',
    'Ungeklärt',
  ])
    expect(said).toContain(part);
  const book = page.getByRole('region', { name: 'Preisbuch und Listenpreis' });
  const told = spaced(await book.innerText());
  expect(told).toContain('1,29 € nach Ihrem Preisbuch, 1,72 € zum Listenpreis (\u22120,43 €)');
  expect(told).toContain('1 Aufruf mit eigenem Preis hat keinen bekannten Listenpreis.');
  expect(told).toContain('Tage des Monats sind nicht verglichen');
  await checkInBothThemes(page, 'causes');
  await checkOnPhone(page, 'causes');
  await provider(page, 'azure').click();
  await causes.getByText('Rundung: Die Rechnung lautet auf ganze Cent', { exact: false }).waitFor();
  await leave(now);
});

test('the month has its sum: over how many providers the difference is, and what has no invoice', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/abgleich?monat=${month}`);
  const sum = row(page, 'Summe');
  await sum.waitFor();
  const said = spaced(await sum.innerText());
  expect(said).toContain('Differenz über 2 von 3 Anbietern');
  expect(said).toContain('0,65 € von 1 Anbieter ohne Rechnung');
  // 4 calls at 0.645 EUR; invoiced were 2.18.
  for (const figure of ['2,58 €', '2,18 €', '+0,245 €']) expect(said).toContain(figure);
  await checkInBothThemes(page, 'sum');
  await checkOnPhone(page, 'sum');
  await leave(now);
});

test('causes and sum stand in English, too', async () => {
  const now = await visit({ locale: 'en-GB' });
  const { page } = now;
  await page.goto(`/abgleich?monat=${month}`);
  await row(page, 'Sum').getByText('Difference over 2 of 3 providers').waitFor();
  await provider(page, 'openai').click();
  await page.getByText('3 calls have own prices or discounts', { exact: false }).waitFor();
  await page
    .getByText('4 accepted calls could not be counted and were set aside', { exact: false })
    .waitFor();
  await checkOnPhone(page, 'English');
  await leave(now);
});
