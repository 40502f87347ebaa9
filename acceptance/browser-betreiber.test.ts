/** The operators' pages: who gets in, what is there, a Mandant found and changed, a cancellation taken back, what the log says of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, fitPhone, heading, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount } from '#test/outside-account.ts';

/** In `npm test`: a Mandant is found and changed. The rest is covered there by `app/shell` without a browser, and the routes of `betreiber`. */
const whole = test.runIf(isWhole);

const LONG = `Gesellschaft für ${'außerordentlichlangenamenohnepause'.repeat(3)} & Söhne`;

let cockpit: Cockpit;
let customer: Account;
let gone: Account;

beforeAll(async () => {
  cockpit = await shareCockpit();
  const service = { address: () => cockpit.address };
  customer = await createAccount(service);
  gone = await createAccount(service);
  await cockpit.sql('UPDATE mandanten SET firma = $2 WHERE mandant_id = $1', [customer.mandantId, LONG]);
  await cockpit.sql(
    `UPDATE mandanten SET firma = 'Weg GmbH', status = 'gekündigt', gekuendigt_am = now() - interval '2 days'
     WHERE mandant_id = $1`,
    [gone.mandantId],
  );
  // The user of the Mandant with data.
  await cockpit.sql(
    'INSERT INTO betreiber (mandant_id, benutzer_id) SELECT mandant_id, benutzer_id FROM benutzer WHERE mandant_id = $1',
    [cockpit.mandantId],
  );
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie, bypassCSP: true, ...options });

const PAGES = [
  { path: '/betreiber', title: 'Übersicht', ready: 'main table' },
  { path: '/betreiber/mandanten', title: 'Mandanten', ready: 'main table' },
  { path: '/betreiber/protokoll', title: 'Protokoll', ready: 'main h1' },
];

test('are no wider than a phone', async () => {
  const seen = await visit();
  await fitPhone(seen, PAGES);
  await leave(seen);
});

whole('are readable by everybody, in both themes, on a screen and on a phone', async () => {
  const seen = await visit();
  const { page } = seen;
  for (const { path, title, ready } of PAGES) {
    await page.goto(path);
    await heading(page, title).waitFor();
    await page.locator(ready).first().waitFor();
    await checkInBothThemes(page, title);
    await checkOnPhone(page, title);
  }
  await leave(seen);
});

whole('are for operators only: the page says so to others, and they have no way there', async () => {
  const seen = await visit({ cookie: customer.cookie });
  const { page } = seen;
  await page.goto('/betreiber/mandanten');
  await heading(page, 'Nur für Betreiber').waitFor();
  await checkInBothThemes(page, 'the refusal');
  await page.getByRole('link', { name: 'Zur Übersicht' }).click();
  await page.getByRole('button', { name: /^Konto:/ }).click();
  await page.getByRole('menuitem', { name: 'Einstellungen' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Betreiber-Bereich' }).count()).toBe(0);
  await leave(seen);
});

whole('are reached from the user menu, in both languages', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.goto('/agenten');
  await page.getByRole('button', { name: /^Konto:/ }).click();
  await page.getByRole('menuitem', { name: 'Betreiber-Bereich' }).click();
  await heading(page, 'Übersicht').waitFor();
  await page.getByText('Ereignisse heute').waitFor();
  await page.getByRole('button', { name: /^Konto:/ }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await heading(page, 'Overview').waitFor();
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await heading(page, 'Übersicht').waitFor();
  await leave(seen);
});

test('a Mandant is found by what the address says, changed after a question, and the log says so', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.goto('/betreiber/mandanten');
  await page.getByLabel('Firma oder E-Mail-Adresse').fill('außerordentlich');
  await page.waitForURL(/suche=au/);
  await page.reload();
  expect(await page.locator('main tbody tr').count()).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: LONG }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tarif vom Betreiber').selectOption('team');
  await dialog.getByLabel('Gültig bis einschließlich').fill('2031-12-31');
  await dialog.getByLabel('Notiz').fill('ruft im Januar an');
  await checkInBothThemes(page, 'the dialog');
  await checkOnPhone(page, 'the dialog');
  await dialog.getByRole('button', { name: 'Weiter' }).click();
  await dialog.getByText('Tarif vom Betreiber: keiner vergeben → Team').waitFor();
  await dialog.getByRole('button', { name: 'Speichern' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .locator('main tbody')
    .getByText(/^bis 31\..*2031$/)
    .waitFor();
  await page.getByText('Notiz: ruft im Januar an').waitFor();
  const [row] = await cockpit.sql('SELECT paket, paket_quelle FROM mandanten WHERE mandant_id = $1', [
    customer.mandantId,
  ]);
  expect(row).toEqual({ paket: 'team', paket_quelle: 'betreiber' });

  await page.getByRole('link', { name: 'Protokoll' }).click();
  const entry = page.locator('main tbody tr').first();
  await entry.getByText('Vom Betreiber geändert').waitFor();
  expect(await entry.innerText()).not.toContain('ruft im Januar an');
  await entry.getByRole('link', { name: LONG }).click();
  // What is there stands in the fields again.
  expect(await page.getByRole('dialog').getByLabel('Gültig bis einschließlich').inputValue()).toBe(
    '31.12.2031',
  );
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Weiter' }).isDisabled()).toBe(true);
  await leave(seen);
});

whole(
  'a Mandant gets a quota of its own: refused beside its field, asked before it is saved, shown afterwards',
  async () => {
    const seen = await visit();
    const { page } = seen;
    await page.goto(`/betreiber/mandanten?mandant=${gone.mandantId}`);
    const dialog = page.getByRole('dialog');
    const [requests, events] = [
      dialog.getByLabel('Anfragen je Minute'),
      dialog.getByLabel('Ereignisse je Minute'),
    ];
    await dialog.getByText('nach Vorgabe').waitFor();
    await requests.fill('1.000.000.000');
    await events.fill('600.000');
    await dialog.getByRole('button', { name: 'Weiter' }).click();
    await dialog.getByText('Anfragen je Minute: 1.000.000.000').waitFor();
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.getByText('Höchstens 999.999.999.').waitFor();
    await checkInBothThemes(page, 'the refused quota');
    await checkOnPhone(page, 'the refused quota');
    await requests.fill('6.000');
    await dialog.getByRole('button', { name: 'Weiter' }).click();
    await dialog.getByText('Ereignisse je Minute: 600.000').waitFor();
    await checkInBothThemes(page, 'the question');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [row] = await cockpit.sql(
      'SELECT anfragen_je_minute, ereignisse_je_minute FROM mandanten WHERE mandant_id = $1',
      [gone.mandantId],
    );
    expect(row).toEqual({ anfragen_je_minute: 6_000, ereignisse_je_minute: 600_000 });
    await page.getByRole('button', { name: 'Weg GmbH' }).click();
    await dialog.getByText('6.000 Anfragen, 600.000 Ereignisse je Minute').waitFor();
    await leave(seen, [`422 /v1/betreiber/mandanten/${gone.mandantId}`]);
  },
);

whole('nothing is found, and the filters can be let go', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.goto('/betreiber/mandanten?suche=gibt-es-nicht&paket=team');
  await page.getByText('Kein Treffer für diese Filter').waitFor();
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click();
  await page.getByRole('button', { name: 'Weg GmbH' }).waitFor();
  await leave(seen);
});

whole('a cancellation is taken back', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.goto('/betreiber/mandanten?status=gekündigt');
  await page.getByRole('button', { name: 'Weg GmbH' }).click();
  await page.getByRole('button', { name: 'Reaktivieren' }).click();
  await page.getByText('API-Schlüssel, die die Kündigung gesperrt hat, gelten wieder.').waitFor();
  await page.getByRole('button', { name: 'Reaktivieren' }).last().click();
  await page.getByText('Kein Treffer für diese Filter').waitFor();
  const [row] = await cockpit.sql('SELECT status FROM mandanten WHERE mandant_id = $1', [gone.mandantId]);
  expect(row).toEqual({ status: 'aktiv' });
  await leave(seen);
});
