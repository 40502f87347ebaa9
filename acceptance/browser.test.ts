/** The cockpit as people use it: a real browser, the built files, the real service. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkColours, checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import {
  type Cockpit,
  call,
  fitPhone,
  goTo,
  heading,
  logIn,
  password,
  registerUser,
  run,
  shareCockpit,
  sightsOf,
} from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

/**
 * In `npm test`: who is new gets to the first figures, an agent is renamed, and no page is wider than a phone. What the others are about
 * is covered there by tests of pages without a browser: periods and keys in `verbrauch/overview-page`, steps of a run in
 * `laeufe/run-page`, as lists in pages, language, theme, logout and focus in `app/shell`, axe in `app/pages`.
 */
const whole = test.runIf(isWhole);

let cockpit: Cockpit;

beforeAll(async () => {
  cockpit = await shareCockpit();
});

afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, options);
const textOf = async (page: Page, label: string) =>
  ((await page.getByRole('button', { name: label }).first().textContent()) ?? '').replaceAll('\u00a0', ' ');
const focused = <T>(page: Page, property: string) => page.evaluate<T>(`document.activeElement.${property}`);
const htmlOf = (page: Page, name: string) => page.locator('html').getAttribute(name);

describe('a new user', () => {
  async function register(page: Page): Promise<void> {
    await page.goto('/');
    await page.waitForURL('**/anmelden');
    await page.getByRole('link', { name: 'Konto anlegen' }).click();
    await page.getByLabel('Firma').fill('Neu GmbH');
    await page.getByLabel('E-Mail').fill(`${randomUUID()}@example.org`);
    await page.getByLabel('Passwort').fill('kurz');
    await page.getByRole('button', { name: 'Konto anlegen' }).click();
    await page.getByText('Mindestens 10 Zeichen.').waitFor();
    await until('the focus in the field', async () => (await focused(page, 'name')) === 'passwort');
    await page.getByLabel('Passwort').fill(password);
    await page.getByRole('button', { name: 'Konto anlegen' }).click();
    await page.waitForURL('**/anbindung');
  }

  interface Example {
    key: string;
    /** Where the example sends to. */
    address: string;
  }

  /** Makes the first key, copies it and finds it in the example. */
  async function createFirstKey(page: Page): Promise<Example> {
    await page.getByRole('button', { name: 'Schlüssel anlegen' }).click();
    const key = (await page.getByLabel('Neuer Schlüssel', { exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Schlüssel kopieren' }).click();
    await page.getByText('Schlüssel kopiert.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    const snippet = (await page.getByRole('tabpanel').textContent()) ?? '';
    expect(snippet).toContain(`Authorization: Bearer ${key}`);
    const address = /curl -X POST '(.+?)'/.exec(snippet)?.[1] ?? '';
    return { key, address };
  }

  async function sendFirst({ key, address }: Example): Promise<void> {
    const body = JSON.stringify({ ereignisse: [{ ...call, agent: 'erster-agent' }] });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const answer = await request(address, { method: 'POST', headers, body });
    expect(answer.status).toBe(202);
  }

  test('registers, makes a key, sends a call and sees what it cost', async () => {
    const now = await visit();
    const { page } = now;
    await register(page);
    await page.getByText('Warten auf den ersten Aufruf').waitFor();
    const example = await createFirstKey(page);
    const { key } = example;
    await sendFirst(example);
    await page.getByText('Verbunden. 1 Aufruf ist angekommen.').waitFor();
    await page.getByRole('list', { name: 'Letzte Aufrufe' }).getByText('erster-agent').waitFor();
    await page.getByRole('button', { name: 'Abfrage ausführen' }).click();
    await page.getByRole('status').getByText('"schluessel": "erster-agent"').waitFor();
    // The page goes on listening: a second call shows up as the first did, and a test of the connection counts as none.
    await page.getByRole('button', { name: 'Verbindung testen' }).click();
    await page.getByText('Die Verbindung steht, der Schlüssel darf senden.').waitFor();
    await sendFirst(example);
    await page.getByText('Verbunden. 2 Aufrufe sind angekommen.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Ich habe einen Schlüssel' }).click();
    await page.getByLabel('Vorhandener Schlüssel').waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Neuen Schlüssel anlegen' }).click();
    const another = page.getByLabel('Neuer Schlüssel', { exact: true });
    await another.waitFor();
    expect(await page.getByRole('tabpanel').textContent()).toContain(`Bearer ${await another.textContent()}`);
    await page.getByRole('main').getByRole('link', { name: 'Zur Übersicht' }).click();
    await page.getByRole('main').getByRole('link', { name: 'erster-agent' }).waitFor();
    const consumption = await request(`${cockpit.address}/v1/api/verbrauch`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { kosten_eur } = consumption.json<{ summe: { kosten_eur: string } }>().summe;
    expect(Number(kosten_eur)).toBeGreaterThan(0.1);
    expect(await textOf(page, 'Kosten')).toContain(`${Number(kosten_eur).toFixed(2).replace('.', ',')} €`);
    expect(await textOf(page, 'Aufrufe')).toMatch(/^Aufrufe2(?!\d)/);
    await leave(now, ['401 /v1/ich', '422 /v1/registrieren']);
  });
});

whole('the overview keeps its period in the address, obeys keys and leads to an agent', async () => {
  const now = await visit({ cookie: cockpit.cookie });
  const { page } = now;
  await page.goto('/?zeitraum=7tage');
  await page.getByRole('button', { name: 'Zeitraum: 7 Tage' }).waitFor();
  await page.getByRole('figure', { name: 'Kosten je Tag' }).waitFor();
  const term = page.getByRole('button', { name: 'Was heißt „Verbranntes Geld“?' });
  await term.click();
  await page.getByRole('dialog', { name: 'Verbranntes Geld' }).getByText('fehlgeschlagene Aufrufe').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The focus goes back a moment after the explanation has gone.
  await page.waitForFunction(`document.activeElement.ariaLabel === 'Was heißt „Verbranntes Geld“?'`);
  await page.keyboard.press('h');
  await page.waitForURL('**/?zeitraum=heute');
  await page.getByRole('figure', { name: 'Kosten je Stunde' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Zeitraum: 7 Tage' }).waitFor();
  await page.getByRole('button', { name: /^Aufrufe/ }).click();
  await page.getByRole('radio', { name: 'Tabelle' }).click();
  await page.waitForURL((url) => url.searchParams.get('ansicht') === 'tabelle');
  const rows = page.getByRole('table', { name: 'Aufrufe je Tag' }).getByRole('row');
  expect(await rows.filter({ hasText: 'läuft noch' }).getByRole('cell').nth(2).textContent()).toBe('9');
  expect(await rows.count()).toBe(1 + 7);
  await page.getByRole('radio', { name: 'Diagramm' }).click();
  await page.getByRole('figure', { name: 'Aufrufe je Tag' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'angebots-agent' }).click();
  await heading(page, 'angebots-agent').waitFor();
  await page.getByRole('link', { name: 'Seite des Agenten' }).click();
  await page.waitForURL(/\/agenten\/[0-9a-f-]{36}\?/);
  expect(new URL(page.url()).searchParams.get('zeitraum')).toBe('7tage');
  await heading(page, 'angebots-agent').waitFor();
  await leave(now);
});

test('the list of agents keeps its search in the address; the name of an agent can be changed', async () => {
  const now = await visit({ cookie: cockpit.cookie });
  const { page } = now;
  await page.goto('/agenten');
  await page.getByText('3 Agenten', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Agent suchen' }).fill('beleg');
  await page.waitForURL('**/agenten?q=beleg');
  await page.reload();
  await page.getByText('1 von 3 Agenten').waitFor();
  await page.getByRole('link', { name: 'beleg-agent' }).click();
  await heading(page, 'beleg-agent').waitFor();
  await page.getByRole('button', { name: 'Bearbeiten' }).click();
  const changed = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('dialog').getByLabel('Name').fill('Belege prüfen');
  await page.keyboard.press('Enter');
  expect((await changed).status()).toBe(200);
  await heading(page, 'Belege prüfen').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Agenten', exact: true }).click();
  await page.getByRole('link', { name: 'Belege prüfen' }).waitFor();
  await leave(now);
});

whole('a run opens step by step', async () => {
  const now = await visit({ cookie: cockpit.cookie });
  const { page } = now;
  await page.goto('/laeufe');
  await page.getByRole('link', { name: 'recherche-agent' }).click();
  await page.waitForURL(`**/laeufe/${run}`);
  await heading(page, 'Lauf von recherche-agent').waitFor();
  await page.getByText('3 Aufrufe mit gleichem Fingerabdruck zwischen Schritt 4 und 6').waitFor();
  const lines = page.getByRole('main').locator('ol button[aria-expanded]');
  expect(await lines.count()).toBe(4);
  await lines.nth(1).click();
  const opened = page.locator('li', { has: page.locator('button[aria-expanded="true"]') });
  await opened.getByText('zeitueberschreitung').waitFor();
  expect(await opened.locator('dt:text-is("eingabe_token") + dd').textContent()).toBe('2.000');
  await lines.nth(1).click();
  await opened.waitFor({ state: 'detached' });
  await lines.nth(3).click();
  await until('the folded steps to be shown', async () => (await lines.count()) === 7);
  await leave(now);
});

whole('long lists say that there is more and load it', async () => {
  const email = await registerUser(cockpit.address);
  const [owner] = await cockpit.sql<{ mandant_id: string }>(
    'SELECT mandant_id FROM benutzer WHERE email = $1',
    [email],
  );
  await cockpit.sql(
    `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist,
       eingabe_token, ausgabe_token, cache_lese_token, verbranntes_geld_eur)
     SELECT $1, gen_random_uuid(), 'a', 'p', 'erfolgreich', now() - interval '2 hours', now() - n * interval '1 minute', 1, 0, 0, 0, 0, 0, 0
     FROM generate_series(1, 60) n`,
    [owner?.mandant_id],
  );
  await cockpit.sql(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt) SELECT $1, 'a/' || n, 'a/' || n, 'a'
     FROM generate_series(1, 1001) n`,
    [owner?.mandant_id],
  );
  const now = await visit();
  const { page } = now;
  await page.goto('/laeufe');
  await logIn(page, email);
  await page.getByText('50 geladen, es gibt weitere.').waitFor();
  await page.getByRole('button', { name: 'Weitere Läufe laden' }).click();
  await page.getByRole('button', { name: 'Weitere Läufe laden' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('table', { name: 'Läufe' }).getByRole('row').count()).toBe(61);
  await page.getByRole('link', { name: 'Agenten', exact: true }).first().click();
  await page.getByText('1.000 geladen, es gibt weitere.').waitFor();
  await page.getByRole('button', { name: 'Mehr laden' }).click();
  await page.getByText('1.001 Agenten', { exact: true }).waitFor();
  await leave(now, ['401 /v1/ich']);
});

whole('language and theme change at once and stay; logout leads back to where one was', async () => {
  const email = await registerUser(cockpit.address);
  const now = await visit();
  const { page } = now;
  const menu = (name: RegExp) => page.getByRole('button', { name }).click();
  await page.goto('/anmelden');
  await logIn(page, email);
  await heading(page, 'Übersicht').waitFor();
  await menu(/^Konto/);
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await heading(page, 'Overview').waitFor();
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await menu(/^Account/);
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await until('the dark theme', async () => (await htmlOf(page, 'data-theme')) === 'dark');
  expect(await ground()).not.toBe(light);
  await page.reload();
  await heading(page, 'Overview').waitFor();
  expect([await htmlOf(page, 'lang'), await htmlOf(page, 'data-theme')]).toEqual(['en', 'dark']);
  await menu(/^Account/);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in').waitFor();
  await page.goto('/laeufe');
  await heading(page, 'Sign in').waitFor();
  await logIn(page, email, { email: 'E-mail', password: 'Password', submit: 'Sign in' });
  await page.waitForURL('**/laeufe');
  await heading(page, 'Runs').waitFor();
  await leave(now, ['401 /v1/ich']);
});

describe('without a mouse', () => {
  /** Presses Tab until the focus is on what reads like this. */
  async function tabTo(page: Page, text: string): Promise<void> {
    for (let pressed = 0; pressed < 40; pressed++) {
      if ((await focused<string>(page, 'textContent')).trim() === text) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reached: ${text}`);
  }

  whole('one gets from the login to the overview and on to a key', async () => {
    const email = await registerUser(cockpit.address);
    const now = await visit();
    const { page } = now;
    await page.goto('/');
    await until('the focus in the first field', async () => (await focused(page, 'name')) === 'email');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Übersicht').waitFor();
    await page.getByText('Noch keine Aufrufe').waitFor();
    await tabTo(page, 'Ersten Aufruf anbinden');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Schlüssel anlegen' }).waitFor();
    await until('the focus in the content', async () => (await focused(page, 'id')) === 'inhalt');
    await tabTo(page, 'Schlüssel anlegen');
    await page.keyboard.press('Enter');
    await page.getByLabel('Neuer Schlüssel', { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('Übersicht');
    await page.keyboard.press('Enter');
    await heading(page, 'Übersicht').waitFor();
    await leave(now, ['401 /v1/ich']);
  });
});

describe('every page', () => {
  test('is no wider than a phone, and its colours can be read', async () => {
    const now = await visit({ cookie: cockpit.cookie, bypassCSP: true });
    await fitPhone(now, sightsOf(cockpit));
    // Figures, a table, a form: every page is of these, in colours of one set of tokens.
    for (const path of ['/', '/agenten', '/einstellungen/profil']) {
      await goTo(now.page, { path, ready: 'main h1' });
      await checkColours(now.page, path);
    }
    // Of a month that is not closed nothing goes by mail, which the page says.
    await leave(now, ['409 /v1/cockpit/abrechnung/versenden']);
  });

  whole.concurrent.each([
    { language: 'de', phone: true },
    { language: 'en', phone: false },
  ])('is accessible in both themes ($language)', async ({ language, phone }) => {
    // Axe is put into the page, which the policy of the service forbids.
    const now = await visit({ cookie: cockpit.cookie, bypassCSP: true });
    const { page } = now;
    await now.context.addInitScript(`localStorage.setItem('zaehlwerk', '{"language":"${language}"}')`);
    for (const sight of sightsOf(cockpit)) {
      const where = `${sight.path} ${sight.key ?? ''}`;
      await goTo(page, sight);
      expect(await htmlOf(page, 'lang')).toBe(language);
      await checkInBothThemes(page, where);
      if (phone) await checkOnPhone(page, where);
    }
    // Of a month that is not closed nothing goes by mail, which the page says.
    await leave(now, ['409 /v1/cockpit/abrechnung/versenden']);
  });
});
