/** How the parts of the cockpit answer to hand and key, whatever page they stand on: the chart, dialogs, the palette. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';

let cockpit: Cockpit;

beforeAll(async () => {
  cockpit = await startCockpit();
}, 120_000);

afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, options);
const periodOf = (page: Page) => new URL(page.url()).searchParams.get('zeitraum');

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
