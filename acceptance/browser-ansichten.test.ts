/** Views that a user keeps under a name, and the link of what is shown. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, heading, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';

/** In `npm test`: a view is kept and opened. The rest is covered there by `ansichten/views-menu` without a browser, and by the routes of `ansichten`. */
const whole = test.runIf(isWhole);

let cockpit: Cockpit;
beforeAll(async () => {
  cockpit = await shareCockpit();
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie, ...options });
const openMenu = async (page: Page) => {
  await page.getByRole('button', { name: 'Ansichten', exact: true }).click();
  return page.getByRole('menu', { name: 'Ansichten' });
};
const item = async (page: Page, name: string) =>
  (await openMenu(page)).getByRole('menuitem', { name }).click();
const dialog = (page: Page) => page.getByRole('dialog');
const addressOf = (page: Page) => {
  const { pathname, searchParams } = new URL(page.url());
  return [pathname, Object.fromEntries(searchParams)];
};

/** Keeps what is shown. */
async function keep(page: Page, name: string, confirm = 'Speichern'): Promise<void> {
  await item(page, 'Ansicht speichern …');
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: confirm, exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByText(`„${name}“ ist gespeichert.`).first().waitFor();
}

async function open(page: Page, name: string): Promise<void> {
  await (await openMenu(page)).getByRole('menuitemradio', { name, exact: true }).click();
}

/** Nothing of before is left. */
const forget = () => cockpit.sql('DELETE FROM ansichten');

test('a view is kept with period, filter and stack, and opened from another page as it was', async () => {
  await forget();
  const now = await visit();
  const { page } = now;
  const shown = { zeitraum: '30tage', vergleich: 'aus', agent: 'angebots-agent', stapel: 'modell' };
  await page.goto(`/?${new URLSearchParams(shown)}`);
  await heading(page, 'angebots-agent').waitFor();
  expect(await (await openMenu(page)).getByRole('menuitemradio').count()).toBe(0);
  await page.keyboard.press('Escape');
  await keep(page, 'Angebote im Monat');
  // Elsewhere, with another period and filter, of which nothing comes along.
  await page.goto('/laeufe?zeitraum=heute&endkunde=kunde-a');
  await heading(page, 'Läufe').waitFor();
  await keep(page, 'Läufe von kunde-a');
  await open(page, 'Angebote im Monat');
  await heading(page, 'angebots-agent').waitFor();
  expect(addressOf(page)).toEqual(['/', shown]);
  const menu = await openMenu(page);
  expect(await menu.getByRole('menuitemradio', { checked: true }).allTextContents()).toEqual([
    'Angebote im Monat',
  ]);
  await page.keyboard.press('Escape');
  // It is an address like any other: back leads back.
  await page.goBack();
  await heading(page, 'Läufe').waitFor();
  expect(addressOf(page)).toEqual(['/laeufe', { zeitraum: 'heute', endkunde: 'kunde-a' }]);
  await leave(now);
});

whole('a view without a filter is opened without the one of the page before', async () => {
  await forget();
  const now = await visit();
  const { page } = now;
  await page.goto('/');
  await heading(page, 'Übersicht').waitFor();
  await keep(page, 'Alles');
  await page.goto('/aufschluesselung?zeitraum=heute&nach=modell&endkunde=kunde-a&q=gpt');
  await page.locator('main table').waitFor();
  await open(page, 'Alles');
  await heading(page, 'Übersicht').waitFor();
  expect(addressOf(page)).toEqual(['/', {}]);
  await page.getByRole('button', { name: 'Zeitraum: 7 Tage' }).waitFor();
  await leave(now);
});

whole(
  'the name of a view overwrites it, the page says so of another one of the same name before',
  async () => {
    await forget();
    const now = await visit();
    const { page } = now;
    await page.goto('/?zeitraum=heute');
    await keep(page, 'Montag');
    await page.goto('/agenten?zeitraum=30tage');
    await page.locator('main table').waitFor();
    await item(page, 'Ansicht speichern …');
    await dialog(page).getByLabel('Name').fill(' Montag ');
    await dialog(page).getByText('„Montag“ zeigt danach, was gerade zu sehen ist.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('„Montag“ ist gespeichert.').first().waitFor();
    await page.goto('/');
    await open(page, 'Montag');
    await heading(page, 'Agenten').waitFor();
    expect(addressOf(page)).toEqual(['/agenten', { zeitraum: '30tage' }]);
    // Kept elsewhere meanwhile, so this page does not know of it.
    await item(page, 'Ansicht speichern …');
    await dialog(page).getByLabel('Name').fill('Dienstag');
    await cockpit.sql(
      `INSERT INTO ansichten SELECT mandant_id, benutzer_id, gen_random_uuid(), 'Dienstag', pfad, suche, erstellt_am, geaendert_am
     FROM ansichten`,
    );
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Eine Ihrer Ansichten hat schon diesen Namen.').waitFor();
    await dialog(page).getByRole('button', { name: 'Überschreiben' }).waitFor();
    await leave(now, ['409 /v1/cockpit/ansichten']);
  },
);

whole('views are renamed, removed and opened in their list', async () => {
  await forget();
  const now = await visit();
  const { page } = now;
  await page.goto('/?zeitraum=heute');
  for (const name of ['eins', 'zwei']) await keep(page, name);
  const [eins] = await cockpit.sql<{ ansicht_id: string }>(
    `SELECT ansicht_id FROM ansichten WHERE name = 'eins'`,
  );
  await item(page, 'Ansichten verwalten …');
  const lines = dialog(page).getByRole('listitem');
  await dialog(page).getByRole('button', { name: 'eins umbenennen' }).click();
  await dialog(page).getByLabel('Name').fill('zwei');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Eine Ihrer Ansichten hat schon diesen Namen.').waitFor();
  await dialog(page).getByLabel('Name').fill('drei');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'drei umbenennen' }).waitFor();
  await dialog(page).getByRole('button', { name: 'zwei entfernen' }).click();
  await dialog(page).getByText('„zwei“ entfernen?').waitFor();
  await dialog(page).getByRole('button', { name: 'Entfernen', exact: true }).click();
  await expect.poll(() => lines.count()).toBe(1);
  expect(await cockpit.sql('SELECT name FROM ansichten')).toEqual([{ name: 'drei' }]);
  await page.goto('/laeufe');
  await item(page, 'Ansichten verwalten …');
  await dialog(page).getByRole('button', { name: 'drei', exact: true }).click();
  await heading(page, 'Übersicht').waitFor();
  expect(addressOf(page)).toEqual(['/', { zeitraum: 'heute' }]);
  await leave(now, [`409 /v1/cockpit/ansichten/${eins?.ansicht_id}`]);
});

whole('the search finds a view by its name', async () => {
  await forget();
  const now = await visit();
  const { page } = now;
  await page.goto('/laeufe?zeitraum=30tage&sortierung=kosten');
  await page.locator('main table').waitFor();
  await keep(page, 'Teuerste Läufe');
  await page.goto('/anbindung');
  await heading(page, 'Anbindung').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('teuer läuf');
  await page.getByRole('option', { name: /^Teuerste Läufe/ }).waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'Läufe').waitFor();
  expect(addressOf(page)).toEqual(['/laeufe', { zeitraum: '30tage', sortierung: 'kosten' }]);
  await leave(now);
});

whole('the link of what is shown is copied, and a colleague sees the same', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/?zeitraum=30tage&stapel=agent');
  await heading(page, 'Übersicht').waitFor();
  await item(page, 'Link kopieren');
  await page.getByText('Link dieser Ansicht kopiert.').first().waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(page.url());
  await leave(now);
});

whole('menu and dialogs are accessible in both themes and on a phone', async () => {
  await forget();
  const now = await visit({ bypassCSP: true });
  const { page } = now;
  await page.goto('/?zeitraum=heute');
  await heading(page, 'Übersicht').waitFor();
  await keep(page, `Ein Name, der ${'so lang ist, '.repeat(3)}wie er nur sein darf`);
  await (await openMenu(page)).getByRole('menuitemradio').first().waitFor();
  await checkInBothThemes(page, 'the menu of views');
  await page.getByRole('menuitem', { name: 'Ansichten verwalten …' }).click();
  await dialog(page).getByRole('listitem').first().waitFor();
  await checkInBothThemes(page, 'the list of views');
  await checkOnPhone(page, 'the list of views');
  await dialog(page)
    .getByRole('button', { name: /entfernen$/ })
    .click();
  await checkOnPhone(page, 'a view to be removed');
  await leave(now);
});
