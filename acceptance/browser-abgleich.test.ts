/** Reconciliation in a browser: what a provider invoices is put in, the difference and its causes are read; reports by mail. */
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
 * In `npm test`: an invoice is put in, and a file compared. The rest is covered there by tests without a browser: `abgleich/reconciliation-page`,
 * `app/shell` (ways and rights), `zugang/zugang` (the report).
 */
const whole = test.runIf(isWhole);

const BASE = '/v1/cockpit/abgleich';

let cockpit: Cockpit;
let account: Account;
/** The last whole local month, YYYY-MM. */
let month = '';

interface Row {
  anbieter: string;
  kosten_eur: string;
  rechnung_eur: string | null;
  differenz_eur: string | null;
  ursachen: { art: string; betrag_eur: string | null }[];
}

async function rowOf(anbieter: string): Promise<Row> {
  const { zeilen } = (await account.look(`${BASE}?monat=${month}`)).json<{ zeilen: Row[] }>();
  const found = zeilen.find((each) => each.anbieter === anbieter);
  if (!found) throw new Error(`no ${anbieter} in ${month}`);
  return found;
}

const signedEuros = (amount: string) =>
  new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR', signDisplay: 'exceptZero' })
    .format(new Decimal(amount).toFixed(2) as `${number}`)
    .replace('-', '\u2212');

beforeAll(async () => {
  cockpit = await shareCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
  const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin').toPlainDate().toPlainYearMonth();
  const before = now.subtract({ months: 1 });
  month = before.toString();
  const first = before.toPlainDate({ day: 1 });
  // In the local month, but not yet in that of UTC.
  const edge = first.toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '00:30' }).toInstant();
  const past = { ...call, zeitpunkt: `${month}-15T10:00:00Z`, agent: 'vertrieb/lead-bewertung' };
  await account.send([
    past,
    { ...past, zeitpunkt: edge.toString() },
    { ...past, modell: 'ein-modell-das-keine-liste-kennt' },
  ]);
  await account.untilCounted(3);
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, bypassCSP: true, ...options });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const provider = (page: Page, name: string) => page.locator('button[aria-expanded]', { hasText: name });

whole('where nothing was counted the page says so; a month to come is not shown', async () => {
  const fresh = await createAccount({ address: () => cockpit.address } as never);
  const now = await visit({ cookie: fresh.cookie });
  const { page } = now;
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Abgleich', exact: true }).click();
  await page.getByRole('heading', { name: 'Noch nichts abzugleichen' }).waitFor();
  await checkInBothThemes(page, 'empty');
  await checkOnPhone(page, 'empty');
  await page.goto('/abgleich?monat=9999-01');
  await page.getByText('Die Adresse nennt einen Monat, den es nicht gibt').waitFor();
  await button(page, 'Zeitraum: Letzte zwölf Monate').waitFor();
  await leave(now);
});

test('an invoice is put in, faults by field; the row shows the difference and opens to its causes', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/abgleich?monat=${month}`);
  await row(page, 'openai').getByText('nicht erfasst').last().waitFor();
  await button(page, 'Rechnung erfassen').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Betrag netto').fill('viel');
  await dialog.getByLabel('Währung').selectOption('USD');
  await button(page, 'Speichern').click();
  await until(
    'both fields to be marked',
    async () => (await dialog.locator('[aria-invalid="true"]').count()) === 2,
  );
  await checkInBothThemes(page, 'dialog');
  await checkOnPhone(page, 'dialog');
  await dialog.getByLabel('Anbieter').fill('openai');
  await dialog.getByLabel('Betrag netto').fill('1.234,50');
  await dialog.getByLabel('Kurs: EUR für einen USD').fill('0,5');
  await dialog.getByLabel('Rechnungsnummer').fill('INV-7');
  await button(page, 'Speichern').click();
  await until('the invoice to be counted', async () => (await rowOf('openai')).rechnung_eur !== null);
  const { kosten_eur, differenz_eur, ursachen } = await rowOf('openai');
  expect(differenz_eur).toBe(new Decimal('617.25').minus(kosten_eur).toString());
  await row(page, signedEuros(String(differenz_eur))).waitFor();
  await provider(page, 'openai').click();
  const causes = page.getByRole('region', { name: 'Wahrscheinliche Ursachen' });
  await causes.getByText('1 Aufruf ohne bekannten Preis fehlt in den gezählten Kosten.').waitFor();
  expect(ursachen.map(({ art }) => art)).toEqual(['wechselkurs', 'monatsgrenze', 'unbepreist', 'ungeklaert']);
  const said = (await causes.getByRole('listitem').allInnerTexts()).join('\n');
  for (const part of ['zu einem anderen Kurs', 'nach Weltzeit (UTC)', 'unbekannt', 'Ungeklärt'])
    expect(said).toContain(part);
  expect(said).toContain(signedEuros(String(ursachen.at(-1)?.betrag_eur)));
  await checkInBothThemes(page, 'open row');
  await checkOnPhone(page, 'open row');
  await leave(now, [`422 ${BASE}/rechnungen`]);
});

whole(
  'an invoice is changed and taken out; one of a provider without calls names that as its cause',
  async () => {
    const now = await visit();
    const { page } = now;
    await page.goto(`/abgleich?monat=${month}`);
    await provider(page, 'openai').click();
    await button(page, 'Rechnung INV-7 ändern').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Betrag netto').inputValue()).toBe('1234,5');
    await dialog.getByLabel('Betrag netto').fill('\u22125');
    await dialog.getByLabel('Währung').selectOption('EUR');
    await button(page, 'Speichern').click();
    await page.getByText('INV-7 · \u22125,00\u00a0€').waitFor();
    expect((await rowOf('openai')).rechnung_eur).toBe('-5');
    await button(page, 'Rechnung INV-7 entfernen').click();
    await checkInBothThemes(page, 'take out');
    await button(page, 'Entfernen').click();
    await page.getByText('Noch keine Rechnung erfasst').waitFor();
    expect((await rowOf('openai')).rechnung_eur).toBeNull();
    await page.getByRole('main').getByRole('button', { name: 'Rechnung erfassen' }).first().click();
    await dialog.getByLabel('Anbieter').fill('anthropic');
    await dialog.getByLabel('Betrag netto').fill('12,30');
    await button(page, 'Speichern').click();
    await provider(page, 'anthropic').click();
    await page.getByText('Von diesem Anbieter wurde in diesem Monat kein Aufruf gezählt.').waitFor();
    await leave(now);
  },
);

const LONG_MODEL = `gpt-4o-mini-${'x'.repeat(150)}`;

test('a provider’s file is held against the count, model by model; one that cannot be read is refused by line', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(`/abgleich?monat=${month}`);
  await page.getByRole('link', { name: 'Datei vergleichen' }).click();
  await page.getByRole('heading', { level: 1, name: 'Anbieterdatei vergleichen' }).waitFor();
  await checkInBothThemes(page, 'no file');
  await checkOnPhone(page, 'no file');
  const choose = (name: string, lines: string[]) =>
    page
      .getByLabel('CSV-Datei')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await choose('wrong.csv', ['a,b', '1,2']);
  await page.getByText('diese Ausgabe eines Anbieters ist unbekannt', { exact: false }).waitFor();
  const head = 'start_time,end_time,amount_value,amount_currency,line_item';
  const day = (value: string, item: string, of = month) =>
    `${of}-15T00:00:00Z,${of}-16T00:00:00Z,${value},usd,"${item}"`;
  await choose('broken.csv', [head, day('zwei', 'gpt-4o-mini, input')]);
  await page.getByText('Zeile 2, Spalte amount_value').waitFor();
  await checkInBothThemes(page, 'wrong file');
  await choose('costs.csv', [
    head,
    day('41.25', 'gpt-4o-mini-2024-07-18, input'),
    day('1.5', `${LONG_MODEL}, output`),
    day('3', 'gpt-4o-mini-2024-07-18, input', '2025-01'),
  ]);
  await page.getByRole('heading', { name: /^Kosten bei OpenAI/ }).waitFor();
  await page.getByText('1 Zeile der Datei betrifft einen anderen Monat').waitFor();
  const met = row(page, 'gezählt als gpt-4o-mini');
  expect(await met.textContent()).toMatch(/gpt-4o-mini-2024-07-18.*41,25.*\$/);
  expect(await met.textContent()).toContain('+');
  await row(page, 'ein-modell-das-keine-liste-kennt').getByText('nicht in der Datei').waitFor();
  await checkInBothThemes(page, 'costs compared');
  await checkOnPhone(page, 'costs compared');
  // What the file charges, as it will stand among the invoices.
  await page.getByRole('button', { name: 'Als Rechnung erfassen' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Anbieter', { exact: true }).inputValue()).toBe('openai');
  expect(await dialog.getByLabel('Betrag netto').inputValue()).toBe('42,75');
  expect(await dialog.getByLabel('Währung').inputValue()).toBe('USD');
  await dialog.getByLabel('Kurs').fill('0,9');
  await page.getByRole('button', { name: 'Speichern', exact: true }).click();
  await page.getByText('Rechnung gespeichert').waitFor();
  expect(
    await cockpit.sql(
      'SELECT betrag::text, waehrung FROM anbieter_rechnungen WHERE mandant_id = $1 AND betrag = 42.75',
      [account.mandantId],
    ),
  ).toEqual([{ betrag: '42.75', waehrung: 'USD' }]);
  await choose('usage.csv', [
    'start_time,end_time,num_model_requests,model,input_tokens,output_tokens,input_cached_tokens',
    `${month}-15T00:00:00Z,${month}-16T00:00:00Z,7,gpt-4o-mini,5000,100,0`,
  ]);
  await page.getByRole('heading', { name: /^Nutzung bei OpenAI/ }).waitFor();
  expect(await row(page, 'gpt-4o-mini').textContent()).toMatch(/7.*1.*\+6$/);
  await page.getByRole('radio', { name: 'Eingabe-Token' }).click();
  await until('the tokens', async () => /5\.000/.test((await row(page, 'gpt-4o-mini').textContent()) ?? ''));
  await checkInBothThemes(page, 'usage compared');
  await checkOnPhone(page, 'usage compared');
  await leave(now, ['422 /v1/cockpit/abgleich/nutzung', '422 /v1/cockpit/abgleich/nutzung']);
});

whole(
  'the month is chosen and stands in the address; the search leads to the page, in English, too',
  async () => {
    const now = await visit({ locale: 'en-GB' });
    const { page } = now;
    await page.goto('/abrechnung');
    await page.locator('main table').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Reconciliation');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Reconciliation' }).waitFor();
    await button(page, 'Period: Last twelve months').click();
    const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await page
      .getByRole('menuitemradio', { name: name.format(new Date(`${month}-01T00:00:00Z`)), exact: true })
      .click();
    await until('the month', () => new URL(page.url()).searchParams.get('monat') === month);
    await checkOnPhone(page, 'English');
    await leave(now);
  },
);

whole('who may not see what end customers are charged finds no way there', async () => {
  const now = await visit();
  await now.context.route('**/v1/ich', async (route) => {
    const answer = await route.fetch();
    const ich = await answer.json();
    await route.fulfill({ response: answer, json: { ...ich, rechte: ['selbst', 'verbrauch.lesen'] } });
  });
  const { page } = now;
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Läufe' }).waitFor();
  expect(await page.getByRole('link', { name: 'Abgleich' }).count()).toBe(0);
  await leave(now);
});

whole(
  'the weekly report by mail is switched on in the profile, and off again; the latest opens in a tab',
  async () => {
    const now = await visit();
    const { page, context } = now;
    const isOn = async () =>
      (await account.look('/v1/cockpit/bericht/abo')).json<{ wochenbericht: boolean }>().wochenbericht;
    await page.goto('/einstellungen/profil');
    const box = page.getByLabel('Wochenbericht per Mail');
    expect(await box.isChecked()).toBe(false);
    await box.click();
    await page.getByText('Der Wochenbericht kommt ab jetzt per Mail.').waitFor();
    expect(await isOn()).toBe(true);
    await page.reload();
    await until('the switch to be on', () => box.isChecked());
    await checkInBothThemes(page, 'profile');
    await checkOnPhone(page, 'profile');
    await box.click();
    await page.getByText('Der Wochenbericht kommt nicht mehr per Mail.').waitFor();
    expect(await isOn()).toBe(false);
    const region = page.getByRole('region', { name: 'Berichte' });
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      region.getByRole('link', { name: 'Ansehen' }).click(),
    ]);
    await tab.getByRole('heading', { level: 1, name: /^Wochenbericht Kalenderwoche/ }).waitFor();
    await tab.close();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Seite, Ansicht/).fill('Wochenbericht öffnen');
    const [fromSearch] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
    await fromSearch.getByRole('heading', { level: 1, name: /^Wochenbericht Kalenderwoche/ }).waitFor();
    await leave(now);
  },
);

whole('on a phone the user menu leads where the row at the bottom has no room', async () => {
  const now = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { page } = now;
  await page.goto('/');
  for (const [entry, heading] of [
    ['Abgleich', 'Abgleich'],
    ['Preise', 'Preise'],
  ] as const) {
    expect(await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).count()).toBe(
      0,
    );
    await page.getByRole('button', { name: /^Konto: / }).click();
    await page.getByRole('menuitem', { name: entry, exact: true }).waitFor();
    await checkInBothThemes(page, `menu ${entry}`);
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: /^Konto: / }).click();
  await page.getByRole('menuitem', { name: 'Einstellungen', exact: true }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Abgleich', exact: true }).count()).toBe(0);
  await leave(now);
});
