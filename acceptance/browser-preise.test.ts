/** Prices in a browser: a price for a model without one, discounts, CSV, editions, and what happens when two change them at once. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { preiseLesen, ResponseOf } from '#contracts';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, fitPhone, goTo, heading, type Sight, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

/**
 * In `npm test`: a price is set. The rest is covered there by `preise/prices-page` without a browser (being late, ending, CSV, editions,
 * who may only look), `mandant/rates-page`, and the routes of `preise`.
 */
const whole = test.runIf(isWhole);

const OWN = 'haus-modell-7b';
/** Longer than any screen of a phone. */
const LONG = `plattform/${'sehr-langer-name-'.repeat(6)}eu-west-1`;

let cockpit: Cockpit;
let account: Account;

const call = (modell: string, anbieter: string) => ({
  agent: 'recherche-agent',
  anbieter,
  modell,
  zeitpunkt: new Date().toISOString(),
  eingabe_token: 1_000_000,
  ausgabe_token: 1_000_000,
});

beforeAll(async () => {
  cockpit = await shareCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
  const partly = { ...call('gpt-4o', 'openai'), zusatz: { preisstufe: 'warp' } };
  await account.send([
    call('gpt-4o-mini', 'openai'),
    partly,
    call(OWN, 'eigenbetrieb'),
    call(LONG, 'eigenbetrieb'),
  ]);
  await account.untilCounted(4);
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, ...options });

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
/** What a narrow screen shows below the name is in the page, too. */
const shown = (row: Locator, text: string) => row.getByText(text, { exact: true }).filter({ visible: true });
const dialogOf = (page: Page) => page.getByRole('dialog');

type Book = ResponseOf<typeof preiseLesen>;
const readBook = async () => (await account.look('/v1/cockpit/preise')).json<Book>();

/** What somebody else does meanwhile. */
async function setBook(change: (book: Book) => Partial<Book>): Promise<void> {
  const { erstellt_am: _at, erstellt_von: _by, ...book } = await readBook();
  const answer = await request(`${cockpit.address}/v1/cockpit/preise`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', cookie: account.cookie },
    body: JSON.stringify({ ...book, ...change(book as Book) }),
  });
  expect(answer.status, answer.text).toBe(200);
}

const saved = (page: Page, fassung: number) =>
  page.getByText(`Gespeichert. Das Preisbuch hat jetzt Fassung ${fassung}.`).waitFor();

test('from calls without a price to a price of their own, with a comma, refused at its field first', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/');
  await page.getByRole('link', { name: 'Zu den Preisen' }).last().click();
  await heading(page, 'Preise').waitFor();
  const rows = page.getByRole('table').getByRole('row');
  // Those without a price come first, then the one with a part of one.
  await rows.nth(4).waitFor();
  expect((await rows.nth(1).textContent()) ?? '').toContain('1× ohne Preis');
  expect((await rows.nth(3).textContent()) ?? '').toContain('1× teils bepreist');
  await shown(rows.filter({ hasText: 'gpt-4o-mini' }), 'Preisliste').waitFor();
  const own = rows.filter({ hasText: OWN });
  await shown(own, 'Kein Preis').waitFor();
  await button(own, `Preis festlegen: ${OWN}`).click();
  const dialog = dialogOf(page);
  await dialog.getByText(`Passt auf 1 zuletzt benutztes Modell: ${OWN}`).waitFor();
  expect(await dialog.getByLabel('Anbieter').inputValue()).toBe('eigenbetrieb');
  await dialog.getByLabel('Eingabe', { exact: true }).fill('zwei');
  await button(dialog, 'Speichern').click();
  await dialog.getByText('Bitte eine Zahl angeben.').waitFor();
  await dialog.getByLabel('Eingabe', { exact: true }).fill('0,25');
  await button(dialog, 'Speichern').click();
  await dialog.getByText(/^Eingabe und Ausgabe gehören zusammen/).waitFor();
  await dialog.getByLabel('Ausgabe', { exact: true }).fill('0,5');
  await button(dialog, 'Speichern').click();
  await saved(page, 1);
  await shown(own, 'Eigener Preis').waitFor();
  expect((await own.textContent()) ?? '').toMatch(/0,25.\$.*0,50.\$/);
  expect((await readBook()).preise).toMatchObject([
    { modell: OWN, anbieter: 'eigenbetrieb', saetze: { eingabe: '0.25', ausgabe: '0.5' } },
  ]);
  await leave(now, ['422 /v1/cockpit/preise', '422 /v1/cockpit/preise']);
});

whole('the address opens the form; a price that follows that of the list begins with it', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/preise?modell=gpt-4o&anbieter=openai');
  const dialog = dialogOf(page);
  await dialog.getByText('Passt auf 1 zuletzt benutztes Modell: gpt-4o').waitFor();
  await dialog.getByLabel('Modell').fill('gpt-4o*');
  await dialog.getByText('Passt auf 2 zuletzt benutzte Modelle').waitFor();
  await button(dialog, 'Abbrechen').click();
  await page.waitForURL((url) => !url.searchParams.has('modell'));
  const row = page.getByRole('row').filter({ hasText: 'gpt-4o-mini' });
  await shown(row, 'Preisliste').waitFor();
  await button(row, 'Eigener Preis … für gpt-4o-mini').click();
  await dialog.getByText('Eingetragen ist, was das Modell jetzt kostet.').waitFor();
  expect(await dialog.getByLabel('Eingabe', { exact: true }).inputValue()).toBe('0,15');
  await leave(now);
});

whole('a user who is too late hears of it, loses nothing, and both changes are there', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/preise?bereich=rabatte');
  await page.getByText('Noch keine Rabatte').waitFor();
  await button(page, 'Rabatt hinzufügen').click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Anbieter').fill('openai');
  await dialog.getByLabel('Rabatt in Prozent').fill('12,5');
  await setBook(() => ({ gemeldete_kosten: true }));
  await button(dialog, 'Speichern').click();
  await dialog.getByText(/Das Preisbuch wurde inzwischen geändert und ist neu geladen/).waitFor();
  expect(await dialog.getByLabel('Rabatt in Prozent').inputValue()).toBe('12,5');
  await button(dialog, 'Speichern').click();
  await saved(page, 3);
  expect(await readBook()).toMatchObject({
    gemeldete_kosten: true,
    rabatte: [{ anbieter: 'openai', prozent: '12.5' }],
  });
  await page.getByRole('tab', { name: 'Modelle' }).click();
  await shown(page.getByRole('row').filter({ hasText: 'gpt-4o-mini' }), '−12,5 %').waitFor();
  await leave(now, ['409 /v1/cockpit/preise']);
});

whole('a price is ended and removed; a model is approved; reported costs are switched off', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/preise?bereich=freigaben');
  await button(page, 'Modell freigeben').click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Freigegebenes Modell').fill('gpt-4o-mini');
  await dialog.getByLabel('Darf stehen für').fill('gpt-4o\nhaus-*');
  await button(dialog, 'Speichern').click();
  await page.getByText('statt gpt-4o, haus-*').waitFor();
  await page.getByRole('tab', { name: 'Eigene Preise' }).click();
  await page.getByLabel('Gemeldete Kosten gelten').uncheck();
  await saved(page, 5);
  const item = page.getByRole('listitem').filter({ hasText: OWN });
  await item.getByText('gilt', { exact: true }).waitFor();
  await button(item, `Mehr zu ${OWN}`).click();
  await page.getByRole('menuitem', { name: 'Beenden …' }).click();
  await button(dialog, 'Beenden').click();
  await item.getByText('beendet').waitFor();
  await button(item, `Mehr zu ${OWN}`).click();
  await page.getByRole('menuitem', { name: 'Entfernen …' }).click();
  await button(dialog, 'Entfernen').click();
  await page.getByText('Noch keine eigenen Preise').waitFor();
  expect((await readBook()).preise).toEqual([]);
  await leave(now);
});

const csv = (text: string) => ({ name: 'preise.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

whole('a CSV is refused by line and column, then shows what changes, and is taken', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/preise?bereich=preise');
  await button(page, 'CSV einlesen').click();
  const dialog = dialogOf(page);
  const file = dialog.getByLabel('CSV-Datei');
  await file.setInputFiles(csv(`modell;eingabe;ausgabe\r\n${OWN};0,25;0,5\r\ngpt-4o;viel;10\r\n`));
  await dialog.getByText('1 Fehler in der Datei. Sie wurde nicht verwendet.').waitFor();
  await dialog.getByText('Zeile 3, Spalte eingabe:').waitFor();
  expect(await button(dialog, 'Übernehmen').isDisabled()).toBe(true);
  await file.setInputFiles(csv(`modell;eingabe;ausgabe\r\n${OWN};0,25;0,5\r\ngpt-4o;2;10\r\n`));
  const changes = dialog.getByRole('region', { name: 'Das ändert sich' });
  await changes.getByText(OWN).waitFor();
  expect(await changes.getByText('neu', { exact: true }).count()).toBe(2);
  expect((await readBook()).preise).toEqual([]);
  // Between the check and the taking somebody else was there: it is checked again, against what the book says now.
  await setBook(() => ({ gemeldete_kosten: true }));
  await button(dialog, 'Übernehmen').click();
  await dialog.getByText(/noch einmal gegen den neuen Stand geprüft/).waitFor();
  await button(dialog, 'Übernehmen').click();
  await page.getByRole('list', { name: 'Eigene Preise' }).getByText(OWN).waitFor();
  expect((await readBook()).preise).toMatchObject([
    { modell: OWN, saetze: { eingabe: '0.25' } },
    { modell: 'gpt-4o', saetze: { eingabe: '2' } },
  ]);
  const link = page.getByRole('link', { name: 'CSV herunterladen' });
  const routeOfCsv = (await link.getAttribute('href')) ?? '';
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^preise-fassung-\d+\.csv$/);
  expect((await account.look(routeOfCsv)).text).toMatch(new RegExp(`;${OWN};.*;0,25;0,5;`));
  await leave(now, ['422 /v1/cockpit/preise/csv', '409 /v1/cockpit/preise/csv']);
});

whole('an edition is looked at, shows what was different, and is restored', async () => {
  const now = await visit();
  const { page } = now;
  const { fassung } = await readBook();
  await page.goto('/preise?bereich=fassungen');
  const list = page.getByRole('list', { name: 'Fassungen' });
  await list.getByText('gilt jetzt').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(fassung);
  await button(page, 'Fassung 3 ansehen').click();
  const dialog = dialogOf(page);
  await dialog.getByText('Anders als in der Fassung davor').waitFor();
  await dialog.getByText('openai').first().waitFor();
  await dialog.getByText('12,5 %').first().waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Fassung 1 wiederherstellen').click();
  await dialog.getByText('Gemeldete Kosten gelten nicht mehr').waitFor();
  await dialog.getByText('entfällt').first().waitFor();
  await button(dialog, 'Wiederherstellen').click();
  await saved(page, fassung + 1);
  expect(await readBook()).toMatchObject({
    fassung: fassung + 1,
    gemeldete_kosten: false,
    rabatte: [],
    preise: [{ modell: OWN, saetze: { eingabe: '0.25', ausgabe: '0.5' } }],
  });
  await leave(now);
});

whole('the settings show the rates, and say whether substitute rates are replaced', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/einstellungen/kurse');
  await page.getByText('Noch kein Referenzkurs bekannt').waitFor();
  await page.getByText('Ersatzkurs vom 20.11.2026').waitFor();
  await page.getByText('1 USD = 0,86 EUR').waitFor();
  const box = page.getByLabel('Ersatzkurse durch Referenzkurse ersetzen');
  expect(await box.isChecked()).toBe(false);
  await box.check();
  await page.getByText('Gespeichert.').waitFor();
  await page.reload();
  await until('it to be kept', () => box.isChecked());
  await leave(now);
});

describe('with something of everything', () => {
  beforeAll(() =>
    setBook(({ preise }) => ({
      preise: [
        ...preise,
        {
          ...(preise[0] as Book['preise'][number]),
          modell: `${LONG}*`,
          gilt_bis: '2026-01-01',
          bemerkung: LONG,
        },
        { ...(preise[0] as Book['preise'][number]), modell: 'gpt-4o', gilt_ab: '2099-01-01' },
      ],
      rabatte: [{ anbieter: 'openai', prozent: '10', gilt_ab: null, gilt_bis: null, bemerkung: null }],
      freigaben: [{ modell: 'gpt-4o-mini', ersetzt: ['gpt-4o'] }],
    })),
  );

  const SIGHTS: Sight[] = [
    { path: '/preise', ready: 'main table' },
    { path: '/preise?bereich=preise', ready: 'main ul[aria-label] li' },
    { path: '/preise?bereich=rabatte', ready: 'main ul[aria-label] li' },
    { path: '/preise?bereich=freigaben', ready: 'main ul[aria-label] li' },
    { path: '/preise?bereich=fassungen', ready: 'main ol li' },
    { path: `/preise?modell=${LONG}`, ready: '[role=dialog] input' },
    { path: '/einstellungen/kurse', ready: 'main section input' },
  ];

  test('no page is wider than a phone', async () => {
    const now = await visit({ bypassCSP: true });
    await fitPhone(now, SIGHTS);
    await leave(now);
  });

  whole('no page breaks a rule of axe in either theme', async () => {
    const now = await visit({ bypassCSP: true });
    for (const sight of SIGHTS) {
      await goTo(now.page, sight);
      await checkInBothThemes(now.page, sight.path);
      await checkOnPhone(now.page, sight.path);
    }
    await leave(now);
  });

  whole('who may only look sees everything and no button that changes anything', async () => {
    const reader = await visit();
    await reader.context.route('**/v1/ich', async (route) => {
      const answer = await route.fetch();
      const ich = await answer.json();
      await route.fulfill({ response: answer, json: { ...ich, rechte: ['verbrauch.lesen'] } });
    });
    const { page } = reader;
    for (const [path, ready] of [
      ['/preise', 'main table'],
      ['/preise?bereich=preise', 'main ul[aria-label] li'],
      ['/preise?bereich=rabatte', 'main ul[aria-label] li'],
      ['/preise?bereich=freigaben', 'main ul[aria-label] li'],
      ['/preise?bereich=fassungen', 'main ol li'],
    ] as const) {
      await page.goto(path);
      await page.getByText('Preise ändern Inhaber, Verwalter und Buchhaltung.').waitFor();
      await page.locator(ready).first().waitFor();
      const changing =
        /festlegen|Eigener Preis|hinzufügen|freigeben|ändern|Mehr zu|einlesen|wiederherstellen/;
      expect(await page.getByRole('main').getByRole('button', { name: changing }).count(), path).toBe(0);
    }
    await page.goto('/preise?modell=gpt-4o');
    await page.locator('main table').waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    await leave(reader);
  });
});
