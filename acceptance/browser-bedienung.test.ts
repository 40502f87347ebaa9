/** How the parts of the cockpit answer to hand and key, whatever page they stand on: the chart, dialogs, the palette. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, heading, logIn, registerUser, startCockpit } from '#test/cockpit.ts';
import { until } from '#test/until.ts';

let cockpit: Cockpit;

beforeAll(async () => {
  cockpit = await startCockpit();
}, 120_000);

afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, options);
const periodOf = (page: Page) => new URL(page.url()).searchParams.get('zeitraum');
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

describe('the chart', () => {
  interface Plot {
    days: string[];
    /** Middle of the column of a day, in pixels of the window. */
    at: (index: number) => { x: number; y: number };
    /** On the labels of the y axis. */
    beside: { x: number; y: number };
  }

  async function openChart(page: Page): Promise<Plot> {
    await page.goto('/?zeitraum=7tage');
    const grid = page.locator('figure .recharts-cartesian-grid');
    await grid.waitFor();
    await page.locator('figure').scrollIntoViewIfNeeded();
    const box = await grid.boundingBox();
    const days = await page.evaluate<string[]>(
      `fetch('/v1/cockpit/uebersicht?zeitraum=7tage').then((answer) => answer.json())
         .then(({ verlauf }) => verlauf.map(({ schluessel }) => schluessel))`,
    );
    const { x, y, width, height } = box!;
    const middle = y + height / 2;
    return {
      days,
      at: (index) => ({ x: x + ((index + 0.5) * width) / days.length, y: middle }),
      beside: { x: x - 30, y: middle },
    };
  }

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  test.each([1, 3, 6])('opens the day that is tapped (%i)', async (index) => {
    const now = await visit({ cookie: cockpit.cookie, ...phone });
    const { page } = now;
    const { days, at } = await openChart(page);
    await page.touchscreen.tap(at(index).x, at(index).y);
    await page.waitForURL((url) => url.searchParams.get('zeitraum') !== '7tage');
    expect(periodOf(page)).toBe(`${days[index]}..${days[index]}`);
    await leave(now);
  });

  test('opens the day that is clicked, and none beside the bars', async () => {
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    const { days, at, beside } = await openChart(page);
    await page.mouse.click(beside.x, beside.y);
    // What a click opens is in the address at once; a frame later it would have been there.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(periodOf(page)).toBe('7tage');
    await page.mouse.click(at(2).x, at(2).y);
    await page.waitForURL((url) => url.searchParams.get('zeitraum') !== '7tage');
    expect(periodOf(page)).toBe(`${days[2]}..${days[2]}`);
    await leave(now);
  });
});

describe('the focus', () => {
  const focusOn = (page: Page) =>
    page.evaluate<string>(
      `(({ tagName, ariaLabel, labels, textContent }) => tagName + ' ' + (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim().replaceAll('\u00a0', ' '))(document.activeElement)`,
    );
  const untilFocus = (page: Page, on: string) =>
    until(`the focus on ${on}`, async () => (await focusOn(page)) === on);

  test('comes back from help and palette, however they are left', async () => {
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    await page.goto('/agenten');
    await page.locator('main table').waitFor();
    const search = page.getByRole('searchbox');
    const link = page.getByRole('link', { name: 'beleg-agent' });
    await link.focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await untilFocus(page, 'INPUT Tastenkürzel aus einer einzelnen Taste verwenden');
    await page.keyboard.press('Escape');
    await untilFocus(page, 'A beleg-agent');
    await search.focus();
    const back = await focusOn(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await untilFocus(page, back);
    await button(page, /^Suchen/).click();
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focusOn(page)).toMatch(/^BUTTON Suchen/);
    await leave(now);
  });

  test('goes to the first field of a form and from there back to the button or the menu it came from', async () => {
    const now = await visit({ cookie: cockpit.cookie });
    const { page } = now;
    await page.goto('/?zeitraum=7tage');
    await page.locator('figure svg').waitFor();
    await button(page, 'Zeitraum: 7 Tage').click();
    await page.getByRole('menuitem', { name: 'Eigener Zeitraum …' }).click();
    await untilFocus(page, 'INPUT Erster Tag');
    await page.keyboard.press('Escape');
    await untilFocus(page, 'BUTTON Zeitraum: 7 Tage');
    await page.goto(cockpit.agentPage);
    for (const leaving of ['Abbrechen', 'Speichern']) {
      await button(page, 'Bearbeiten').click();
      await untilFocus(page, 'INPUT Name');
      await button(page, leaving).click();
      await untilFocus(page, 'BUTTON Bearbeiten');
    }
    await leave(now);
  });

  test('goes to what does no harm, and to the heading when its place is gone', async () => {
    const email = await registerUser(cockpit.address);
    const now = await visit();
    const { page } = now;
    await page.goto('/einstellungen/schluessel');
    await logIn(page, email);
    await button(page, 'Neuer Schlüssel').click();
    await untilFocus(page, 'INPUT Name');
    await page.keyboard.type('Probe');
    await page.keyboard.press('Enter');
    await page.locator('main table').waitFor();
    await untilFocus(page, 'H1 API-Schlüssel');
    const block = 'Schlüssel „Probe“ sperren';
    await button(page, block).click();
    await untilFocus(page, 'BUTTON Abbrechen');
    await page.keyboard.press('Enter');
    await untilFocus(page, `BUTTON ${block}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Sperren' }).click();
    await page.getByText('Schlüssel „Probe“ ist gesperrt.').waitFor();
    await untilFocus(page, 'H1 API-Schlüssel');
    await heading(page, 'API-Schlüssel').waitFor();
    await leave(now, ['401 /v1/ich']);
  });
});
