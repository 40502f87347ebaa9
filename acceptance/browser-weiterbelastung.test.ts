/** Passing costs on in a browser: a bookkeeper's way from the list of end customers over closing a month to the statement. */
import { Decimal } from 'decimal.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, call, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

/**
 * In `npm test`: customers are put in and changed, settings set, a month closed, statements sent. The rest is covered there without a browser by
 * `weiterbelastung/customers-page`, and by the routes of `weiterbelastung` (files, corrections).
 */
const whole = test.runIf(isWhole);

/** Not what addresses are made of. */
const STRANGE = 'kunde/ä %25 & co?#';
const LONG = `Straßenbahn-${'ö'.repeat(108)}`;
const NAME = `Müller & Söhne ${'Ä'.repeat(105)}`;

let cockpit: Cockpit;
let account: Account;
/** The local months, YYYY-MM. */
let current = '';
let before = '';

const nameOf = (month: string) =>
  new Intl.DateTimeFormat('de-DE', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
const euros = (amount: string) =>
  new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(
    new Decimal(amount).toFixed(2) as `${number}`,
  );

interface Row {
  referenz: string;
  kosten_eur: string;
  betrag_eur: string;
}

async function rowOf(monat: string, referenz: string): Promise<Row> {
  const { zeilen } = (await account.look(`/v1/cockpit/endkunden?monat=${monat}`)).json<{ zeilen: Row[] }>();
  const row = zeilen.find((each) => each.referenz === referenz);
  if (!row) throw new Error(`no ${referenz} in ${monat}`);
  return row;
}

beforeAll(async () => {
  cockpit = await shareCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
  current = (await account.look('/v1/cockpit/endkunden')).json<{ monat: string }>().monat;
  before = Temporal.PlainYearMonth.from(current).subtract({ months: 1 }).toString();
  const past = { ...call, zeitpunkt: `${before}-15T10:00:00Z`, agent: 'vertrieb/lead-bewertung' };
  await account.send([
    { ...past, endkunde_ref: STRANGE },
    { ...past, endkunde_ref: STRANGE, modell: 'gpt-4o' },
    { ...past, endkunde_ref: STRANGE, status: 'fehler', fehlercode: 'zeitueberschreitung' },
    { ...past, endkunde_ref: LONG },
    { ...past, endkunde_ref: 'kunde-4117' },
    past,
  ]);
  await account.untilCounted(6);
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, bypassCSP: true, ...options });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Chooses from the menu of an end customer's row. */
async function choose(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Aktionen für ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

test('before the first end customer the page says where they come from; one is put in by hand', async () => {
  const fresh = await createAccount({ address: () => cockpit.address } as never);
  const now = await visit({ cookie: fresh.cookie });
  const { page } = now;
  await page.goto('/endkunden');
  await page.getByRole('heading', { name: 'Noch keine Endkunden' }).waitFor();
  await checkInBothThemes(page, 'none');
  await checkOnPhone(page, 'none');
  await button(page, 'Neuer Endkunde').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Referenz').fill(STRANGE);
  await dialog.getByLabel('Kostenstelle').fill('S 12');
  await dialog.getByLabel('Debitorenkonto').fill('000');
  await button(page, 'Anlegen').click();
  await dialog.getByText(/nicht nur Nullen/).waitFor();
  await checkInBothThemes(page, 'new');
  await dialog.getByLabel('Debitorenkonto').fill('');
  await dialog.getByLabel('Aufschlag in Prozent').fill('12,5');
  await button(page, 'Anlegen').click();
  await page.getByText('In diesem Monat hat kein Endkunde Aufrufe.').waitFor();
  expect(await row(page, STRANGE).textContent()).toMatch(/12,5.%/);
  await page.getByRole('searchbox').fill('gibt es nicht');
  await page.getByRole('heading', { name: 'Kein Endkunde heißt so' }).waitFor();
  expect(new URL(page.url()).searchParams.get('suche')).toBe('gibt es nicht');
  await button(page, 'Suche leeren').click();
  await row(page, STRANGE).waitFor();
  await leave(now, ['422 /v1/cockpit/endkunden']);
});

whole('a month in the address that does not exist or is still to come is not shown', async () => {
  const now = await visit();
  const { page } = now;
  for (const wrong of ['2026-13', 'morgen', '9999-01']) {
    await page.goto(`/endkunden?monat=${wrong}`);
    await page.getByText('Die Adresse nennt einen Monat, den es nicht gibt').waitFor();
    await button(page, `Monat: ${nameOf(current)}`).waitFor();
  }
  expect(await button(page, 'Monat danach').isDisabled()).toBe(true);
  await button(page, 'Monat davor').click();
  await row(page, STRANGE).waitFor();
  expect(new URL(page.url()).searchParams.get('monat')).toBe(before);
  expect(await page.getByText('Die Adresse nennt einen Monat').count()).toBe(0);
  await leave(now);
});

test('name and markup are set; the list shows cost and charge, their sum, and calls that belong to nobody', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/endkunden?monat=${before}`);
  await page.getByText('Ohne Endkunde: 1 Aufruf für').waitFor();
  await choose(page, STRANGE, 'Bearbeiten');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(NAME);
  await dialog.getByLabel('Aufschlag in Prozent').fill('15');
  await checkOnPhone(page, 'edit');
  await button(page, 'Speichern').click();
  await row(page, NAME).waitFor();
  const { kosten_eur } = await rowOf(before, STRANGE);
  const charge = new Decimal(kosten_eur).times('1.15').toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toString();
  expect(await row(page, NAME).textContent()).toContain(euros(charge));
  const sum = [
    charge,
    (await rowOf(before, LONG)).betrag_eur,
    (await rowOf(before, 'kunde-4117')).betrag_eur,
  ];
  expect(await row(page, 'Summe (3 Endkunden)').textContent()).toContain(
    euros(Decimal.sum(...sum).toString()),
  );
  await checkInBothThemes(page, 'list');
  await checkOnPhone(page, 'list');
  await leave(now);
});

whole('a misspelt reference is merged into another end customer, and stands for itself again', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/endkunden?monat=${before}`);
  const alone = await rowOf(before, LONG);
  await choose(page, 'kunde-4117', 'Zusammenführen …');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox').fill('Straßenbahn');
  await until('the others to be gone', async () => (await dialog.getByRole('radio').count()) === 1);
  expect(await button(page, 'Zusammenführen').isDisabled()).toBe(true);
  await dialog.getByRole('radio').check();
  await checkInBothThemes(page, 'merge');
  await checkOnPhone(page, 'merge');
  await button(page, 'Zusammenführen').click();
  await page.getByText('auch kunde-4117').waitFor();
  const both = await rowOf(before, LONG);
  expect(both.betrag_eur).toBe(new Decimal(alone.kosten_eur).times(2).toFixed(2));
  await page.goto(`/endkunden/abrechnung?referenz=kunde-4117&monat=${before}`);
  await page.getByText('Die Referenz kunde-4117 zählt für Straßenbahn-').waitFor();
  await page.goto(`/endkunden?monat=${before}`);
  await choose(page, LONG, 'Zusammengeführte Referenzen …');
  await button(page, 'Trennen').click();
  await row(page, 'kunde-4117').waitFor();
  expect((await rowOf(before, LONG)).betrag_eur).toBe(alone.betrag_eur);
  await leave(now);
});

whole('end customers come out of a CSV once its faults are mended', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/endkunden');
  await button(page, 'CSV einlesen').click();
  const file = (text: string) => ({ name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const field = page.getByLabel('CSV-Datei');
  await field.setInputFiles(file('Referenz;Aufschlag\r\nkunde-4117;viel\r\n'));
  await page.getByText('1 Fehler in der Datei.').waitFor();
  await page.getByText(/^Zeile 2/).waitFor();
  await checkInBothThemes(page, 'csv');
  await field.setInputFiles(file('Referenz;Name;Aufschlag\r\nkunde-4117;Jäger;7,5\r\nneu-1;Neu;0\r\n'));
  await page.getByText('1 Endkunde wird angelegt').waitFor();
  await page.getByText('1 Endkunde wird geändert').waitFor();
  await button(page, 'Übernehmen').click();
  await row(page, 'Jäger').waitFor();
  expect(await row(page, 'Jäger').textContent()).toMatch(/kunde-4117.*7,5.%/);
  await leave(now, ['422 /v1/cockpit/endkunden/csv']);
});

whole('what is deleted keeps its reference where it has calls, and says so before', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/endkunden?monat=${before}`);
  await choose(page, 'Jäger', 'Entfernen');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Abgeschlossene Monate und ihre Abrechnungen bleiben, wie sie sind.').waitFor();
  await checkInBothThemes(page, 'remove');
  await button(page, 'Entfernen').click();
  await dialog
    .getByText(/Dieser Endkunde hat Aufrufe in Monaten, die nicht abgeschlossen sind: .*€\)\./)
    .waitFor();
  await checkInBothThemes(page, 'remove-open');
  await button(page, 'Trotzdem entfernen').click();
  await until('the name to be gone', async () => (await row(page, 'Jäger').count()) === 0);
  expect(await row(page, 'kunde-4117').textContent()).toMatch(/entfernt.*0.%/);
  await choose(page, 'kunde-4117', 'Wieder anlegen');
  await button(page, 'Anlegen').click();
  await until(
    'it to be there again',
    async () => !(await row(page, 'kunde-4117').textContent())?.includes('entfernt'),
  );
  expect(now.watch.refusals).toEqual([expect.stringMatching(/^409 \/v1\/cockpit\/endkunden\/[\da-f-]+$/)]);
  await leave(now, now.watch.refusals);
});

test('the booking batch names the settings it lacks; they are set, faults by field', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/endkunden?monat=${before}`);
  await button(page, 'Herunterladen').click();
  await page.getByRole('menuitem', { name: 'Buchungsstapel (EXTF)' }).click();
  await page.getByText(/fehlen in den Einstellungen der Buchhaltung: Beraternummer/).waitFor();
  await page.getByRole('link', { name: 'Zu den Einstellungen der Buchhaltung' }).click();
  await page.getByText(/Für den Buchungsstapel fehlt noch: Beraternummer/).waitFor();
  await page.getByLabel('Beraternummer').fill('12a');
  await button(page, 'Speichern').click();
  await page.getByText('Bitte eine ganze Zahl angeben.').waitFor();
  await checkInBothThemes(page, 'settings');
  await checkOnPhone(page, 'settings');
  await page.getByLabel('Beraternummer').fill('29098');
  await page.getByLabel('Mandantennummer').fill('55003');
  await page.getByLabel('Erlöskonto').fill('8400');
  await page.getByLabel('Sammelkonto Debitoren').fill('10000');
  await page.getByLabel('Steuersatz in Prozent').fill('19,0');
  await button(page, 'Speichern').click();
  await page.getByText('Für den Buchungsstapel ist alles da.').waitFor();
  await page.getByLabel('Kontenrahmen').selectOption('SKR03');
  await page.getByLabel('Steuersatz in Prozent').fill('7');
  await button(page, 'Speichern').click();
  await page.getByText('Zum Erlöskonto 8400 gehört ein Steuersatz von 19 %, eingestellt ist 7 %.').waitFor();
  await checkInBothThemes(page, 'settings with a hint');
  await page.getByLabel('Steuersatz in Prozent').fill('19');
  await button(page, 'Speichern').click();
  await page.getByText('gehört ein Steuersatz').waitFor({ state: 'detached' });
  // Stored before accounts were looked at.
  const settings = 'UPDATE buchhaltung_einstellungen SET sammelkonto = $1 WHERE mandant_id = $2';
  await cockpit.sql(settings, ['1400', account.mandantId]);
  await page.reload();
  await page.getByText('So lässt sich kein Buchungsstapel erstellen: Sammelkonto Debitoren.').waitFor();
  expect(await page.getByLabel('Sammelkonto Debitoren').getAttribute('aria-invalid')).toBe('true');
  await checkInBothThemes(page, 'settings with a stored fault');
  await page.getByLabel('Sammelkonto Debitoren').fill('10000');
  await button(page, 'Speichern').click();
  await page.getByText('Für den Buchungsstapel ist alles da.').waitFor();
  await leave(now, ['409 /v1/cockpit/export/weiterbelastung', '422 /v1/cockpit/mandant/buchhaltung']);
});

test('a month is closed after naming its sums: its statement is final, in the list of months stands by whom', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/endkunden?monat=${before}`);
  await button(page, 'Monat abschließen').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/3 Endkunden, zusammen .*€ bei .*€ Kosten/).waitFor();
  await checkInBothThemes(page, 'close');
  await checkOnPhone(page, 'close');
  const { betrag_eur } = await rowOf(before, STRANGE);
  await button(page, 'Endgültig abschließen').click();
  await page.getByText(`${nameOf(before)} ist abgeschlossen.`).waitFor();
  await page.getByText(/Abgeschlossen am .* von .*@example\.org/).waitFor();
  expect(await button(page, 'Monat abschließen').count()).toBe(0);
  await page.getByRole('link', { name: 'Monate', exact: true }).click();
  const month = row(page, nameOf(before));
  await month.getByText('abgeschlossen').last().waitFor();
  expect(await month.textContent()).toMatch(/3.*€.*@example\.org/);
  await checkInBothThemes(page, 'months');
  await checkOnPhone(page, 'months');
  await month.getByRole('link', { name: nameOf(before) }).click();
  await page.getByRole('link', { name: NAME }).click();
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
  expect(new URL(page.url()).searchParams.get('referenz')).toBe(STRANGE);
  const sum = row(page, 'Summe netto');
  expect(await sum.textContent()).toContain(euros(betrag_eur));
  expect(await row(page, 'Aufschlag 15').textContent()).toContain('nicht ausgewiesen');
  await row(page, 'Umsatzsteuer 19').waitFor();
  for (const name of ['vertrieb/lead-bewertung', 'gpt-4o-mini']) await row(page, name).waitFor();
  await page.locator('figure svg').first().waitFor();
  await checkInBothThemes(page, 'statement');
  await checkOnPhone(page, 'statement');
  await page.getByRole('radio', { name: 'Tabelle' }).click();
  await page.getByRole('table', { name: 'Betrag je Tag' }).waitFor();
  const [pdf] = await Promise.all([page.waitForEvent('download'), button(page, 'PDF').click()]);
  expect(pdf.suggestedFilename()).toMatch(/\.pdf$/);
  await leave(now);
});

interface Mailing {
  referenz: string;
  email: string;
  status: string;
}

const mailings = async () =>
  (await account.look('/v1/cockpit/abrechnung/versand')).json<{ versendungen: Mailing[] }>().versendungen;

test('statements go by mail to whom they belong, after saying to how many; one goes again', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/abrechnung/versand?monat=${current}`);
  await page.getByRole('heading', { name: `${nameOf(current)} ist nicht abgeschlossen` }).waitFor();
  await page.getByText('Noch keine Abrechnung ist angefordert.').waitFor();
  await checkInBothThemes(page, 'mails of an open month');
  await page.goto(`/endkunden?monat=${before}`);
  await page.getByRole('link', { name: 'Abrechnungen versenden' }).click();
  await page.getByText('Keine mehr an Endkunden mit Adresse.').waitFor();
  expect(await page.getByRole('button', { name: /Abrechnung(en)? senden/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Adressen eintragen' }).click();
  for (const [name, email] of [
    [NAME, 'buchhaltung@mueller.example'],
    [LONG, `${'lang.'.repeat(11)}post@${'strassenbahn.'.repeat(3)}example`],
  ] as const) {
    await choose(page, name, 'Bearbeiten');
    await page.getByRole('dialog').getByLabel('E-Mail').fill(email);
    await button(page, 'Speichern').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.goto('/abrechnung/versand');
  await page.getByRole('heading', { name: 'Erst die eigene Adresse bestätigen' }).waitFor();
  await checkInBothThemes(page, 'mails before the address is confirmed');
  await cockpit.sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE mandant_id = $1', [
    account.mandantId,
  ]);
  await page.reload();
  await button(page, '2 Abrechnungen senden').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 Mails mit je einer Abrechnung als PDF gehen hinaus.').waitFor();
  await dialog.getByText('1 Endkunde hat keine E-Mail-Adresse und bekommt nichts.').waitFor();
  await checkInBothThemes(page, 'before mails go');
  await checkOnPhone(page, 'before mails go');
  await button(page, 'Abbrechen').click();
  expect(await mailings()).toEqual([]);
  await button(page, '2 Abrechnungen senden').click();
  await button(page, '2 Mails senden').click();
  await page.getByText('2 Abrechnungen werden erstellt und kommen in die Warteschlange.').waitFor();
  await page.getByText('Keine mehr an Endkunden mit Adresse.').waitFor();
  const sent = async () => (await mailings()).filter(({ status }) => status === 'versendet');
  await until('the mail server to have both', async () => (await sent()).length === 2);
  await until(
    'the page to say so',
    async () => (await row(page, 'an den Mailserver übergeben').count()) === 2,
  );
  expect((await sent()).map(({ referenz }) => referenz).sort()).toEqual([LONG, STRANGE].sort());
  await checkInBothThemes(page, 'mails');
  await checkOnPhone(page, 'mails');
  await button(page, `Erneut senden an ${STRANGE}`).click();
  await dialog.getByText(`Die Abrechnung von ${STRANGE} für ${nameOf(before)} geht noch einmal`).waitFor();
  await checkInBothThemes(page, 'a mail again');
  await button(page, 'Erneut senden').click();
  await page.getByText('1 Abrechnung wird erstellt und kommt in die Warteschlange.').waitFor();
  await until('it to go again', async () => (await sent()).length === 3);
  expect((await sent())[0]).toMatchObject({ referenz: STRANGE, email: 'buchhaltung@mueller.example' });
  // Asked for how many there are, before the address was confirmed; each look at the page may ask again.
  expect(new Set(now.watch.refusals)).toEqual(new Set(['409 /v1/cockpit/abrechnung/versenden']));
  await leave(now, now.watch.refusals);
});

whole.each([
  ['Tabelle (CSV)', /\.csv$/],
  ['Buchungsstapel (EXTF)', /^EXTF.*\.csv$/],
  ['Alle Abrechnungen (ZIP)', /^abrechnungen-.*\.zip$/],
  ['Kostendaten für Programme (FOCUS)', /focus.*\.csv$/],
])('the month is saved as a file: %s', async (entry, fileName) => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/endkunden?monat=${before}`);
  await button(page, 'Herunterladen').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: entry }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(fileName);
  await leave(now);
});

whole('calls that come late to a closed month are a correction in the next one', async () => {
  const { betrag_eur } = await rowOf(before, STRANGE);
  await account.send([{ ...call, zeitpunkt: `${before}-20T10:00:00Z`, endkunde_ref: STRANGE }]);
  await account.untilCounted(7);
  expect((await rowOf(before, STRANGE)).betrag_eur).toBe(betrag_eur);
  const now = await visit();
  const { page } = now;
  await page.goto('/endkunden');
  expect(await row(page, NAME).textContent()).toMatch(/\+\d+,\d\d.€/);
  await page.getByRole('link', { name: NAME }).click();
  const correction = row(page, `Korrektur zu ${nameOf(before)}`);
  expect(await correction.textContent()).toMatch(/Aufrufe: \+1.*€/);
  await leave(now);
});

whole('the figures of an end customer lead to the statement, the search to list and months', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/?${new URLSearchParams({ endkunde: STRANGE, zeitraum: 'vormonat' })}`);
  await page.getByRole('link', { name: 'Abrechnung', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Abrechnungsmonate');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Abrechnungsmonate' }).waitFor();
  await page.goto('/endkunden/abrechnung');
  await page.getByRole('heading', { name: 'Die Adresse nennt keinen Endkunden' }).waitFor();
  await leave(now);
});

whole('who may not see what end customers are charged finds no way there', async () => {
  const now = await visit();
  await now.context.route('**/v1/ich', async (route) => {
    const answer = await route.fetch();
    const ich = await answer.json();
    await route.fulfill({ response: answer, json: { ...ich, rechte: ['selbst', 'verbrauch.lesen'] } });
  });
  const { page } = now;
  await page.goto(`/?${new URLSearchParams({ endkunde: STRANGE, zeitraum: 'vormonat' })}`);
  await page.locator('figure svg').waitFor();
  expect(await page.getByRole('link', { name: 'Abrechnung', exact: true }).count()).toBe(0);
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Endkunden' }).count()).toBe(0);
  await page.goto('/einstellungen/buchhaltung');
  await page.getByText('Dazu fehlt Ihnen das Recht.').waitFor();
  await leave(now);
});

whole('the pages speak English, amounts included', async () => {
  const now = await visit({ locale: 'en-GB' });
  const { page } = now;
  await page.goto(`/endkunden?monat=${before}`);
  await page.getByRole('heading', { level: 1, name: 'End customers' }).waitFor();
  await row(page, 'Total (3 end customers)').waitFor();
  expect(await row(page, NAME).textContent()).toMatch(/€\d+\.\d\d.*15%/);
  await checkOnPhone(page, 'English');
  await leave(now);
});
