/** From "the cost jumped" to the cause, in a browser: what stands out, what a page looks at, and where it leads. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, heading, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { createAccount } from '#test/outside-account.ts';

/**
 * In `npm test`: from the overview to the runaway run. What a page looks at, its filters, keys and files are covered there by
 * `verbrauch/overview-page`, `verbrauch/view`, `laeufe/run-page` and `app/shell`, all without a browser; how long a run may be by `ui/long-list`.
 */
const whole = test.runIf(isWhole);

/** Calls of the run that never ended. */
const STEPS = 1_400;
const RUNAWAY = randomUUID();
const CUSTOMER = 'Möller & Söhne / Nord';

let cockpit: Cockpit;
let cookie: string;

const daysAgo = (days: number, minutes = 0) =>
  new Date(Date.now() - 86_400_000 * days + 60_000 * minutes).toISOString();

/** A month of ordinary calls, and one night in which a run asks the same thing again and again. */
function events() {
  const ordinary = Array.from({ length: 2_400 }, (_, n) => ({
    zeitpunkt: daysAgo(n % 29, (n % 40) + 1),
    agent: `abteilung/agent-${n % 12}`,
    anbieter: 'openai',
    modell: n % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
    endkunde_ref: n % 4 === 0 ? CUSTOMER : `Kunde ${n % 7}`,
    lauf_id: `${(n >> 2).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    schritt_nr: n % 4,
    eingabe_token: 4_000,
    ausgabe_token: 500,
  }));
  const runaway = Array.from({ length: STEPS }, (_, n) => ({
    zeitpunkt: daysAgo(4, n / 4),
    agent: 'entwicklung/test-schreiber',
    anbieter: 'openai',
    modell: 'gpt-4o',
    lauf_id: RUNAWAY,
    schritt_nr: n + 1,
    eingabe_token: 20_000,
    prompt_fingerabdruck: '00112233445566aa',
  }));
  return [...ordinary, ...runaway];
}

beforeAll(async () => {
  cockpit = await shareCockpit();
  const account = await createAccount({ address: () => cockpit.address } as never);
  const all = events();
  for (let from = 0; from < all.length; from += 2_000) await account.send(all.slice(from, from + 2_000));
  await account.untilCounted(all.length);
  cookie = account.cookie;
});
afterAll(() => cockpit?.dispose());

const visit = () => openPage(cockpit.browser, cockpit.address, { cookie });
const isFocused = (page: Page, row: number) =>
  page.evaluate<boolean>(
    `document.querySelectorAll('main tr')[${row}]?.contains(document.activeElement) ?? false`,
  );
const view = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe('the runaway run', () => {
  test('is found from the overview with one click, and its steps are listed', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/');
    const out = page.getByRole('region', { name: 'Auffällig in diesem Zeitraum' });
    await out.getByRole('link', { name: /Ein Lauf von entwicklung\/test-schreiber kostete/ }).click();
    await page.waitForURL((url) => url.pathname === `/laeufe/${RUNAWAY}`);
    await heading(page, 'Lauf von entwicklung/test-schreiber').waitFor();
    // A finding says it, or where there is none the steps do.
    await page
      .getByText(/denselben Aufruf|Aufrufe mit gleichem Fingerabdruck/)
      .first()
      .waitFor();
    await leave(now);
  });

  whole('is found from the chart of a month in three', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/?zeitraum=30tage');
    await page.getByRole('figure', { name: 'Kosten je Tag' }).waitFor();
    // The agent that stands out, its dearest runs, the first of them.
    await page
      .getByRole('main')
      .getByRole('link', { name: 'entwicklung/test-schreiber', exact: true })
      .click();
    await heading(page, 'entwicklung/test-schreiber').waitFor();
    expect(view(page)).toMatchObject({ zeitraum: '30tage', agent: 'entwicklung/test-schreiber' });
    const runs = page.getByRole('table', { name: 'Teuerste Läufe' });
    await runs.getByRole('link', { name: RUNAWAY.slice(0, 8) }).click();
    await heading(page, 'Lauf von entwicklung/test-schreiber').waitFor();
    await leave(now);
  });

  whole(
    'is the first of the dearest, whatever number of runs there is, and found by the beginning of its id',
    async () => {
      const now = await visit();
      const { page } = now;
      await page.goto('/laeufe?zeitraum=30tage');
      const first = page.getByRole('table', { name: 'Läufe' }).getByRole('row').nth(1);
      await page.getByLabel('Reihenfolge').selectOption('kosten');
      await first.getByText(RUNAWAY.slice(0, 8)).waitFor();
      expect(view(page)).toEqual({ zeitraum: '30tage', sortierung: 'kosten' });
      await page.goto('/laeufe?zeitraum=30tage');
      await page.getByRole('searchbox', { name: 'Läufe suchen' }).fill(RUNAWAY.slice(0, 8));
      await page.waitForURL((url) => url.searchParams.get('suche') === RUNAWAY.slice(0, 8));
      await first.getByText(RUNAWAY.slice(0, 8)).waitFor();
      expect(await page.getByRole('table', { name: 'Läufe' }).getByRole('row').count()).toBe(2);
      await leave(now);
    },
  );
});

describe('what a page looks at', () => {
  whole('is filtered by a click on any row, kept from page to page, and let go again', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/?zeitraum=30tage');
    await page.getByRole('main').getByRole('link', { name: CUSTOMER }).click();
    await heading(page, CUSTOMER).waitFor();
    expect(view(page)).toEqual({ zeitraum: '30tage', endkunde: CUSTOMER });
    await page.getByRole('table', { name: 'Teuerste Läufe' }).waitFor();
    const places = page.getByRole('navigation', { name: 'Hauptnavigation' });
    await places.getByRole('link', { name: 'Läufe' }).click();
    await page.waitForURL((url) => url.pathname === '/laeufe');
    expect(view(page)).toEqual({ zeitraum: '30tage', endkunde: CUSTOMER });
    const customers = page.getByRole('table', { name: 'Läufe' }).getByRole('cell', { name: CUSTOMER });
    await customers.nth(5).waitFor();
    // Also on the way by pages without figures.
    await places.getByRole('link', { name: 'Einstellungen' }).click();
    await page.waitForURL('**/einstellungen/profil');
    await places.getByRole('link', { name: 'Verbrauch' }).click();
    await heading(page, 'Endkunden im Zeitraum').waitFor();
    expect(view(page)).toEqual({ zeitraum: '30tage', endkunde: CUSTOMER });
    await page.getByRole('button', { name: `Filter aufheben: Endkunde ${CUSTOMER}` }).click();
    await page.waitForURL((url) => !url.searchParams.has('endkunde'));
    expect(view(page)).toEqual({ zeitraum: '30tage' });
    await places.getByRole('link', { name: 'Übersicht' }).click();
    await heading(page, 'Übersicht').waitFor();
    expect(view(page)).toEqual({ zeitraum: '30tage' });
    await leave(now);
  });

  whole('is changed by the page that is still there, while another one is on its way', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto(`/laeufe?${new URLSearchParams({ sortierung: 'kosten', endkunde: CUSTOMER })}`);
    await heading(page, 'Läufe').waitFor();
    const scripts = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise;
      await route.continue();
    });
    const places = page.getByRole('navigation', { name: 'Hauptnavigation' });
    await places.getByRole('link', { name: 'Verbrauch' }).click();
    await page.waitForURL((url) => url.pathname === '/aufschluesselung');
    await page.getByRole('button', { name: `Filter aufheben: Endkunde ${CUSTOMER}` }).click();
    await page.waitForURL((url) => url.pathname === '/laeufe');
    expect(view(page)).toEqual({ sortierung: 'kosten' });
    scripts.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await leave(now);
  });

  whole('is chosen in the filter of any dimension, by search', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/');
    await page.getByRole('button', { name: 'Filtern' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nach einem Merkmal filtern' });
    await dialog.getByLabel('Merkmal').selectOption('modell');
    await dialog.getByRole('searchbox', { name: 'Wert suchen' }).fill('MINI');
    await dialog.getByRole('button', { name: /gpt-4o-mini/ }).click();
    await heading(page, 'gpt-4o-mini').waitFor();
    expect(view(page)).toEqual({ modell: 'gpt-4o-mini' });
    await leave(now);
  });

  whole('what of the address means nothing is ignored, and said', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/?zeitraum=quatsch');
    await page.getByText('Die Adresse enthält eine Angabe, die es nicht gibt (zeitraum).').waitFor();
    await page.getByRole('figure', { name: 'Kosten je Tag' }).waitFor();
    await page.getByRole('button', { name: 'Zeitraum: 7 Tage' }).waitFor();
    await page.keyboard.press('h');
    await page.getByText('Die Adresse enthält').waitFor({ state: 'detached' });
    await leave(now);
  });

  whole('figures of one period are never shown under the name of another', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/?zeitraum=30tage');
    const cost = page.getByRole('button', { name: /^Kosten .*zuvor/ });
    await cost.waitFor();
    const before = await cost.textContent();
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/v1/cockpit/uebersicht?**', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('g');
    await page.getByRole('button', { name: 'Zeitraum: Gestern' }).waitFor();
    expect(await cost.count()).toBe(0);
    answer();
    await cost.waitFor();
    expect(await cost.textContent()).not.toBe(before);
    await leave(now);
  });

  whole('a lost connection is said, with since when, and heals by itself', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/');
    await page.getByRole('figure', { name: 'Kosten je Tag' }).waitFor();
    // What is cut off on its way is an error of the console.
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await page.getByText(/Keine Verbindung. Die Zahlen sind von \d\d:\d\d:\d\d/).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Keine Verbindung').waitFor({ state: 'detached' });
    await leave(now);
  });

  whole('a page that is opened without a connection comes when it is back; the cockpit stays', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/?zeitraum=30tage');
    await page.getByRole('figure', { name: 'Kosten je Tag' }).waitFor();
    await page.route('**/assets/**', (route) => route.abort());
    await page.route('**/v1/gesund', (route) => route.abort());
    const asking = page.waitForRequest('**/v1/gesund');
    const navigation = page.getByRole('navigation', { name: 'Hauptnavigation' });
    await navigation.getByRole('link', { name: 'Agenten' }).click();
    const asked = await asking;
    expect(asked.isNavigationRequest()).toBe(false);
    await navigation.waitFor();
    await page.unroute('**/assets/**');
    await page.unroute('**/v1/gesund');
    await heading(page, 'Agenten').waitFor();
    now.watch.faults = now.watch.faults.filter((fault) => !fault.includes('ERR_FAILED'));
    await leave(now);
  });

  whole('the chart is stacked by a dimension, and says of what', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/?zeitraum=30tage');
    const chart = page.getByRole('figure', { name: 'Kosten je Tag' });
    await chart.waitFor();
    await page.getByLabel('Gestapelt nach').selectOption('modell');
    await chart.getByText('gpt-4o-mini').waitFor();
    expect(view(page)).toEqual({ zeitraum: '30tage', stapel: 'modell' });
    await leave(now);
  });
});

describe('keys and search', () => {
  whole('find a customer, a model and a run by its beginning, and go through rows', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/laeufe?zeitraum=30tage');
    const table = page.getByRole('table', { name: 'Läufe' });
    await table.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await isFocused(page, 2)).toBe(true);
    await page.keyboard.press('k');
    expect(await isFocused(page, 1)).toBe(true);
    await page.keyboard.press('/');
    await page.keyboard.type('abteilung');
    expect(await page.getByRole('searchbox', { name: 'Läufe suchen' }).inputValue()).toBe('abteilung');

    const search = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Suchen und Befehle' }).fill(text);
      await page.getByRole('option', { name: option }).first().click();
    };
    await search('söhne nord', CUSTOMER);
    await heading(page, CUSTOMER).waitFor();
    await search('4o-mini', /^gpt-4o-mini/);
    await heading(page, 'gpt-4o-mini').waitFor();
    await search(RUNAWAY.slice(0, 8), /^Lauf von entwicklung/);
    await heading(page, 'Lauf von entwicklung/test-schreiber').waitFor();
    await leave(now);
  });

  whole('live figures can be stopped, and go on', async () => {
    const now = await visit();
    const { page } = now;
    await page.goto('/');
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByRole('button', { name: 'Angehalten' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Angehalten' }).click();
    await page.getByRole('button', { name: 'Live' }).waitFor();
    await leave(now);
  });
});

whole('a rank is saved as it is shown, with every figure and all that are not among its rows', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/?zeitraum=30tage&wert=aufrufe');
  const panel = page.getByRole('region', { name: 'Agenten' });
  const save = panel.getByRole('button', { name: 'Agenten: als CSV-Datei speichern' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(file.suggestedFilename()).toBe('agent-30tage.csv');
  const text = await readFile(await file.path(), 'utf8');
  const [head, ...lines] = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n');
  expect(head).toBe(
    'Agenten;Kosten (EUR);Aufrufe;Token;Eingabe ohne Cache;aus Cache gelesen;in Cache geschrieben;Ausgabe mit Nachdenken;Fehler;Verbrannt (EUR)',
  );
  const shown = await panel.locator('li a').allTextContents();
  expect(shown).toHaveLength(10);
  expect(lines.slice(0, 10).map((line) => line.split(';')[0])).toEqual(shown);
  expect(lines[10]).toMatch(/^3 weitere zusammen;/);
  const calls = lines.map((line) => Number(line.split(';')[2]));
  expect(calls.reduce((sum, one) => sum + one)).toBe(2_400 + STEPS);
  await leave(now);
});
