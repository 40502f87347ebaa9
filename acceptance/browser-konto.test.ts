/** How those who run an account do so: colleagues, branding, audit log, export, cancellation. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage, type Visit } from '#test/browser.ts';
import {
  fitPhone,
  goTo,
  heading,
  logIn,
  password,
  registerUser,
  type SharedCockpit,
  settingsSights,
  shareCockpit,
} from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type OidcProvider, startOidcProvider } from '#test/oidc-provider.ts';
import { request } from '#test/outside-account.ts';
import { codeFor, wrongCodeFor } from '#test/second-factor.ts';
import { until } from '#test/until.ts';
import { unzip } from '#test/unzip.ts';

/**
 * In `npm test`: a colleague comes, the profile, branding, an export, the end of the account. The rest is covered there without a browser by
 * `benutzer/users-page`, `schluessel/keys-page`, `app/shell` and `kuendigung/cancel-page`, axe by `app/pages`.
 */
const whole = test.runIf(isWhole);

let cockpit: SharedCockpit;
let pictures: Server;
let provider: OidcProvider;

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

beforeAll(async () => {
  pictures = createServer((call, answer) => {
    const isLogo = call.url === '/logo.png';
    answer.writeHead(isLogo ? 200 : 404, { 'content-type': 'image/png' }).end(isLogo ? PNG : '');
  }).listen(0, '127.0.0.1');
  await once(pictures, 'listening');
  cockpit = await shareCockpit();
  provider = await startOidcProvider({ redirectUri: `${cockpit.address}/v1/sso/callback` });
});

afterAll(async () => {
  await provider?.stop();
  await cockpit?.dispose();
  pictures?.close();
});

const pictureAt = (path: string) => `http://127.0.0.1:${(pictures.address() as AddressInfo).port}${path}`;
const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, options);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const sections = (page: Page) => page.getByRole('navigation', { name: 'Einstellungen' }).getByRole('link');

/** Opens a section of the settings as a new Mandant's inhaber. */
async function openSettings(section: string): Promise<Visit & { email: string }> {
  const email = await registerUser(cockpit.address);
  const now = await visit();
  await now.page.goto(`/einstellungen/${section}`);
  await logIn(now.page, email);
  await sections(now.page).first().waitFor();
  return { ...now, email };
}

describe('a colleague', () => {
  /** Invites and resolves with the link of the mail, which waits for the inhaber's own address to be confirmed. */
  async function invite({ page, email: inhaber }: Visit & { email: string }, email: string): Promise<string> {
    await cockpit.sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE email = $1', [inhaber]);
    await button(page, 'Einladen').click();
    const dialog = page.getByRole('dialog', { name: 'Jemanden einladen' });
    await dialog.getByLabel('E-Mail').fill(email);
    await dialog.getByLabel('Rolle').selectOption('buchhaltung');
    await dialog.getByText('Sieht Verbrauch und Läufe und exportiert alle Daten.').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    return cockpit.mailbox.linkTo(email, '/einladung');
  }

  async function accept(page: Page, link: string): Promise<void> {
    const { pathname, search } = new URL(link);
    await page.goto(pathname + search);
    await page.getByLabel('Name').fill('Bea Buch');
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await button(page, 'Einladung annehmen').click();
    await heading(page, 'Übersicht').waitFor();
  }

  test('is invited, sees what the role may, and is out once it changes', async () => {
    const owner = await openSettings('benutzer');
    const email = `${randomUUID()}@example.org`;
    const link = await invite(owner, email);
    await owner.page.getByRole('list', { name: 'Offene Einladungen' }).getByText(email).waitFor();

    const colleague = await visit();
    await accept(colleague.page, link);
    await colleague.page.goto('/einstellungen');
    await heading(colleague.page, 'Profil').waitFor();
    expect(await sections(colleague.page).allTextContents()).toEqual([
      'Profil',
      'Sicherheit',
      'Buchhaltung',
      'Tarif',
      'AV-Vertrag',
      'Export',
    ]);
    await colleague.page.goto('/einstellungen/benutzer');
    await colleague.page.getByText('Dazu fehlt Ihnen das Recht.').waitFor();

    await owner.page.reload();
    await owner.page.getByRole('row', { name: /Bea Buch.*Buchhaltung/ }).waitFor();
    await button(owner.page, 'Aktionen für Bea Buch').click();
    await owner.page.getByRole('menuitem', { name: 'Bearbeiten …' }).click();
    await owner.page.getByRole('dialog').getByLabel('Rolle').selectOption('betrachter');
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('row', { name: /Bea Buch.*Betrachter/ }).waitFor();
    await colleague.page.goto('/');
    await heading(colleague.page, 'Anmelden').waitFor();
    await leave(colleague, ['401 /v1/ich']);
    await leave(owner, ['401 /v1/ich']);
  });

  whole('does not get rid of the last owner: the menu says why', async () => {
    const now = await openSettings('benutzer');
    const { page } = now;
    await button(page, `Aktionen für ${now.email}`).click();
    const remove = page.getByRole('menuitem', { name: /^Entfernen/ });
    expect(await remove.textContent()).toContain('Der letzte Inhaber muss bleiben.');
    await remove.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await leave(now, ['401 /v1/ich']);
  });
});

test('the profile: name, language and time zone come along to another browser', async () => {
  const now = await openSettings('profil');
  const { page } = now;
  await page.getByLabel('Name').fill('Erika Muster');
  await page.getByLabel('Sprache').selectOption('English');
  await page.getByLabel('Zeitzone für Uhrzeiten').selectOption('America/New_York');
  await button(page, 'Speichern').click();
  await page.getByText('Profile saved.').waitFor();
  await heading(page, 'Profile').waitFor();
  await leave(now, ['401 /v1/ich']);

  const elsewhere = await visit();
  await elsewhere.page.goto('/anmelden');
  await logIn(elsewhere.page, now.email);
  await heading(elsewhere.page, 'Overview').waitFor();
  await elsewhere.page.goto('/einstellungen/schluessel');
  await button(elsewhere.page, 'New key').first().click();
  await elsewhere.page.getByRole('dialog').getByLabel('Name').fill('Uhr');
  await elsewhere.page.keyboard.press('Enter');
  await elsewhere.page.keyboard.press('Escape');
  const made = elsewhere.page.getByRole('row', { name: /Uhr/ }).locator('[title*="GMT-"]');
  await made.first().waitFor();
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'America/New_York',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  expect(await made.first().getAttribute('title')).toContain(`, ${hour.format(new Date())}:`);
  await elsewhere.page.goto('/einstellungen/profil');
  expect(await elsewhere.page.getByLabel('Name').inputValue()).toBe('Erika Muster');
  await elsewhere.page.getByLabel('Language').selectOption('As in the browser');
  await button(elsewhere.page, 'Save').click();
  await heading(elsewhere.page, 'Profil').waitFor();
  await leave(elsewhere);
});

whole('a key gets a quota, which is refused beside its field, shown, and taken away again', async () => {
  const now = await visit({ cookie: cockpit.cookie, bypassCSP: true });
  const { page } = now;
  await page.goto('/einstellungen/schluessel');
  const quota = page.locator('main table').getByRole('button', { name: /^Kontingent von / });
  await quota.getByText('unbegrenzt').click();
  const dialog = page.getByRole('dialog', { name: /^Kontingent von / });
  const [requests, events] = [
    dialog.getByLabel('Anfragen je Minute'),
    dialog.getByLabel('Ereignisse je Minute'),
  ];
  expect(await button(page, 'Speichern').isDisabled()).toBe(true);
  await requests.fill('viele');
  await events.fill('0');
  await page.keyboard.press('Enter');
  await dialog.getByText('Bitte eine ganze Zahl angeben.').waitFor();
  await dialog.getByText('Mindestens 1.').waitFor();
  expect(await requests.getAttribute('aria-invalid')).toBe('true');
  await checkInBothThemes(page, 'a refused quota');
  await checkOnPhone(page, 'a refused quota');
  await requests.fill('6.000');
  await events.fill('600000');
  await page.keyboard.press('Enter');
  await quota.getByText('6.000 Anfragen, 600.000 Ereignisse je Minute').waitFor();
  await checkInBothThemes(page, 'keys with a quota');
  await checkOnPhone(page, 'keys with a quota');

  await quota.click();
  expect(await requests.inputValue()).toBe('6000');
  await requests.fill('');
  await page.keyboard.press('Enter');
  await quota.getByText('600.000 Ereignisse je Minute, Anfragen unbegrenzt').waitFor();
  const rows = await cockpit.sql(
    'SELECT anfragen_je_minute, ereignisse_je_minute FROM schluessel WHERE ereignisse_je_minute IS NOT NULL',
    [],
  );
  expect(rows).toEqual([{ anfragen_je_minute: null, ereignisse_je_minute: 600_000 }]);
  const [refused = ''] = now.watch.refusals;
  expect(refused).toMatch(/^422 \/v1\/cockpit\/konto\/schluessel\//);
  await leave(now, [refused]);
});

whole('before anybody has chosen, the browser’s language decides', async () => {
  const now = await visit({ locale: 'en-GB' });
  await now.page.goto('/anmelden');
  await heading(now.page, 'Sign in').waitFor();
  expect(await now.page.locator('html').getAttribute('lang')).toBe('en');
  await logIn(now.page, 'niemand@example.org', { email: 'E-mail', password: 'Password', submit: 'Sign in' });
  await now.page.getByText('E-mail address or password is wrong.').waitFor();
  await leave(now, ['401 /v1/anmelden']);
});

test('branding shows in the preview while it is typed, the logo once it is saved', async () => {
  const now = await openSettings('branding');
  const { page } = now;
  const preview = page.getByRole('region', { name: 'Vorschau' });
  await preview.getByText('Beispiel AG').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Muster Maschinenbau');
  await preview.getByText('Muster Maschinenbau').waitFor();
  await page.getByLabel('Farbe', { exact: true }).fill('#7a1fa2');
  const bar = preview.locator('[style*="background-color"]');
  expect(await bar.getAttribute('style')).toContain('rgb(122, 31, 162)');
  await page.getByLabel('Adresse des Logos').fill(pictureAt('/logo.png'));
  await preview.getByText('Das neue Logo erscheint nach dem Speichern.').waitFor();
  await button(page, 'Speichern').click();
  const logo = preview.getByRole('img', { name: 'Logo von Muster Maschinenbau' });
  await logo.waitFor();
  // Broken pictures have no width, nor have those that are not there yet.
  const width = 'document.querySelector("img[alt^=Logo]").naturalWidth';
  await until('the picture to be loaded', async () => (await page.evaluate(width)) === 1);
  await page.getByLabel('Adresse des Logos').fill(pictureAt('/fort.png'));
  await button(page, 'Speichern').click();
  await preview.getByText('Unter der eingetragenen Adresse ist kein Logo zu laden').waitFor();
  await page.getByLabel('Farbe', { exact: true }).fill('lila');
  await button(page, 'Speichern').click();
  await page.getByText('Bitte die Form #rrggbb angeben').waitFor();
  await leave(now, ['401 /v1/ich', '409 /v1/cockpit/konto/branding/logo', '422 /v1/cockpit/konto/branding']);
});

/** What a click saves, as bytes. */
async function download(page: Page, name: string): Promise<{ fileName: string; bytes: Buffer }> {
  const [saved] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return { fileName: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

test('an export is downloaded whole, and the audit log tells of it', async () => {
  const now = await visit({ cookie: cockpit.cookie });
  const { page } = now;
  // Where the browser would ask for a file, nobody is here to choose one.
  await now.context.addInitScript('delete window.showSaveFilePicker');
  await page.goto('/einstellungen/export');
  const { fileName, bytes } = await download(page, 'Export starten');
  expect(fileName).toMatch(/^zaehlwerk-export-muster-gmbh-\d{4}-\d{2}-\d{2}\.zip$/);
  await page.getByText(/^Gespeichert: .* mit 9 Aufrufen\.$/).waitFor();
  const files = await unzip(bytes);
  expect(JSON.parse(files.get('json/ereignisse.json') ?? '')).toHaveLength(9);
  expect(files.get('LIESMICH.txt')).toContain('Muster GmbH');

  await page
    .getByRole('navigation', { name: 'Einstellungen' })
    .getByRole('link', { name: 'Prüfprotokoll' })
    .click();
  await page.getByLabel('Was', { exact: true }).selectOption({ label: 'Alle Daten ausgegeben' });
  await page.waitForURL((url) => url.searchParams.get('aktion') === 'daten.ausgegeben');
  await page.getByText('1 Eintrag, das ist alles.').waitFor();
  await page.getByText('Tage als CSV: 90').waitFor();
  const csv = (await download(page, 'CSV')).bytes.toString();
  expect(csv.trimEnd().split('\r\n')).toHaveLength(2);
  expect(csv).toContain(';Alle Daten ausgegeben;daten.ausgegeben;');
  // Days are typed and shown as they are in German, whatever the language of the browser.
  const until = page.getByLabel('Bis');
  await until.fill('31.02.2020');
  await until.blur();
  await page.getByText('Bitte einen Tag wie 26.11.2026 angeben.').waitFor();
  await until.fill('1.1.2020');
  await until.blur();
  expect(await until.inputValue()).toBe('01.01.2020');
  await page.getByText('Kein Treffer für diese Filter').waitFor();
  await leave(now);
});

test('an account is cancelled by name and password; then nobody gets in', async () => {
  const now = await openSettings('kuendigung');
  const { page, email } = now;
  const submit = page.getByRole('main').getByRole('button', { name: 'Konto kündigen' });
  await page.getByLabel('Ihr Passwort').fill('nicht-dieses-passwort');
  await page.getByLabel('Zur Bestätigung „Beispiel AG“ eingeben').fill('Beispiel');
  expect(await submit.isDisabled()).toBe(true);
  await page.getByLabel('Zur Bestätigung „Beispiel AG“ eingeben').fill('Beispiel AG');
  await submit.click();
  await page.getByText('Das Passwort stimmt nicht.').waitFor();
  await page.getByLabel('Ihr Passwort').fill(password);
  await submit.click();
  await page.waitForURL('**/abschied');
  await heading(page, 'Das Konto ist gekündigt').waitFor();
  await page.getByText(/^Bis zum .* kann der Betreiber die Kündigung zurücknehmen/).waitFor();
  await page.goto('/');
  await logIn(page, email);
  await page.getByText('E-Mail-Adresse oder Passwort stimmt nicht.').waitFor();
  await leave(now, ['401 /v1/ich', '403 /v1/cockpit/konto', '401 /v1/ich', '401 /v1/anmelden']);
});

whole('an account with a second factor is cancelled with a code of it', async () => {
  const now = await openSettings('sicherheit');
  const { page } = now;
  await button(page, 'Einrichten').click();
  const shown = await page.getByLabel('Geheimnis', { exact: true }).textContent();
  const seed = (shown ?? '').replaceAll(' ', '');
  await page.getByLabel('Code aus der App').fill(codeFor(seed, new Date()));
  await button(page, 'Einschalten').click();
  await page.getByLabel('Ich habe die Codes gesichert.').check();
  await button(page, 'Fertig').click();
  await page.goto('/einstellungen/kuendigung');
  const submit = page.getByRole('main').getByRole('button', { name: 'Konto kündigen' });
  await page.getByLabel('Zur Bestätigung „Beispiel AG“ eingeben').fill('Beispiel AG');
  await page.getByLabel('Ihr Passwort').fill(password);
  expect(await submit.isDisabled()).toBe(true);
  await page.getByLabel('Code', { exact: true }).fill(wrongCodeFor(seed, new Date()));
  await submit.click();
  await page.getByText('Der Code stimmt nicht').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeFor(seed, new Date(), 1));
  await submit.click();
  await heading(page, 'Das Konto ist gekündigt').waitFor();
  await leave(now, ['401 /v1/ich', '403 /v1/cockpit/konto']);
});

describe('the settings', () => {
  const put = (path: string, body: object, method = 'PUT') =>
    request(`${cockpit.address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: cockpit.cookie },
      body: JSON.stringify(body),
    });

  /** Fills every section, so that the pages have something to show. */
  async function fillIn(): Promise<void> {
    const answers = [
      await put('/v1/cockpit/benutzer/einladen', { email: `${randomUUID()}@example.org` }, 'POST'),
      await put('/v1/cockpit/konto/branding', { farbe: '#7a1fa2', logo_url: pictureAt('/logo.png') }),
      await put('/v1/cockpit/mandant/alarme', {
        email: ['alarm@example.org'],
        push_url: 'https://push.example.org/x',
      }),
      await put('/v1/cockpit/mandant/sso', {
        issuer: provider.issuer,
        client_id: 'zaehlwerk',
        client_secret: 'geheim',
        domains: ['example.org'],
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }

  test('are no wider than a phone', async () => {
    await fillIn();
    const now = await visit({ cookie: cockpit.cookie, bypassCSP: true });
    await fitPhone(now, settingsSights);
    await leave(now);
  });

  whole.each([
    { language: 'de', phone: true },
    { language: 'en', phone: false },
  ])('are accessible in both themes ($language)', async ({ language, phone }) => {
    await fillIn();
    // Axe is put into the page, which the policy of the service forbids.
    const now = await visit({ cookie: cockpit.cookie, bypassCSP: true });
    await now.context.addInitScript(`localStorage.setItem('zaehlwerk', '{"language":"${language}"}')`);
    for (const sight of settingsSights) {
      await goTo(now.page, sight);
      await checkInBothThemes(now.page, sight.path);
      if (phone) await checkOnPhone(now.page, sight.path);
    }
    await leave(now);
  });

  whole('open their dialogs accessibly, and from the keyboard', async () => {
    await fillIn();
    const { page, context } = await visit({ cookie: cockpit.cookie, bypassCSP: true });
    await page.goto('/einstellungen/benutzer');
    await button(page, 'Einladen').press('Enter');
    await page.getByRole('dialog').waitFor();
    await until('the focus in the first field', () =>
      page.evaluate<boolean>('document.activeElement.type === "email"'),
    );
    await checkInBothThemes(page, 'invitation');
    await page.keyboard.press('Escape');
    await until('the focus back where it came from', () =>
      page.evaluate<boolean>(`document.activeElement.textContent === 'Einladen'`),
    );
    await page
      .getByRole('button', { name: /^Aktionen für/ })
      .last()
      .press('Enter');
    await page.getByRole('menu').waitFor();
    await checkInBothThemes(page, 'menu of a user');
    await page.keyboard.press('Escape');
    await page.goto('/einstellungen/alarme');
    await button(page, 'Webhook einrichten').press('Enter');
    await page.getByRole('dialog').waitFor();
    await checkInBothThemes(page, 'channel');
    await page.goto('/einstellungen/firmenkonto');
    await button(page, 'Entfernen …').press('Enter');
    await page.getByRole('dialog').waitFor();
    await checkInBothThemes(page, 'removing the company account');
    await context.close();
  });
});
