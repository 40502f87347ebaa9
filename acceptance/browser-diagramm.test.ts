/** The chart of the cockpit by itself, with everything it can show, by mouse, finger and key. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { launchBrowser, leave, openPage } from '#test/browser.ts';
import { contrast, leastDistance, lightOf } from '#test/colours.ts';
import { type Specimen, startSpecimen } from '#test/specimen.ts';

let browser: Browser;
let specimen: Specimen;

beforeAll(async () => {
  [specimen, browser] = await Promise.all([startSpecimen(), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await specimen?.dispose();
});

const visit = async (options: Parameters<typeof openPage>[2] = {}) => {
  const now = await openPage(browser, specimen.address, { bypassCSP: true, ...options });
  await now.page.goto('/specimen/index.html');
  await now.page.locator('[data-part=column]').first().waitFor();
  return now;
};
const chart = (page: Page) => page.getByRole('slider', { name: /^Kosten je Tag/ });
const said = (page: Page) => page.locator('output').textContent();
const columns = (page: Page) => page.locator('[data-part=column]').count();

/** The middle of a column, in pixels of the window. */
async function middleOf(page: Page, index: number): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await chart(page).boundingBox())!;
  return { x: x + ((index + 0.5) * width) / 30, y: y + height / 2 };
}

test('a mouse reads a column, opens one, and chooses several in either direction', async () => {
  const now = await visit();
  const { page } = now;
  const [a, b] = [await middleOf(page, 3), await middleOf(page, 11)];
  await page.mouse.move(a.x, a.y);
  const figure = page.getByRole('figure');
  await figure.getByText('4. November').waitFor();
  expect(await figure.getByText(/^Zeitraum davor$/).count()).toBe(2);
  await page.mouse.down();
  await page.mouse.up();
  expect(await said(page)).toBe('Tag 2026-11-04');
  await page.mouse.move(b.x, b.y);
  await page.mouse.down();
  await page.mouse.move(a.x, a.y, { steps: 4 });
  await page.mouse.up();
  expect(await said(page)).toBe('Tage 3 bis 11');
  // Beside the columns there is nothing to press.
  const { x, y } = (await chart(page).boundingBox())!;
  await page.mouse.click(x - 20, y + 20);
  expect(await said(page)).toBe('Tage 3 bis 11');
  await leave(now);
});

test('a finger that goes sideways chooses, one that goes up scrolls the page', async () => {
  const now = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { page } = now;
  await chart(page).scrollIntoViewIfNeeded();
  const touch = await now.context.newCDPSession(page);
  const drag = async (points: { x: number; y: number }[]) => {
    const [start, ...rest] = points;
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start!] });
    for (const point of rest) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  const [a, b, c] = [await middleOf(page, 3), await middleOf(page, 8), await middleOf(page, 12)];
  await drag([a, b, c]);
  expect(await said(page)).toBe('Tage 3 bis 12');
  await page.touchscreen.tap(b.x, b.y);
  expect(await said(page)).toBe('Tag 2026-11-09');
  const up = (pixels: number) => ({ x: c.x, y: c.y - pixels });
  await drag([c, up(20), up(60), up(120), up(200)]);
  expect(await said(page)).toBe('Tag 2026-11-09');
  await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(50);
  await leave(now);
});

test('keys read column by column, open one and choose several', async () => {
  const now = await visit();
  const { page } = now;
  await chart(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  expect(await chart(page).getAttribute('aria-valuetext')).toMatch(/^2\. November: \d+,\d\d\s€$/);
  await page.keyboard.press('Enter');
  expect(await said(page)).toBe('Tag 2026-11-02');
  for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
  expect(await said(page)).toBe('Tage 1 bis 3');
  for (const key of ['Shift+ArrowLeft', 'Escape', 'Enter']) await page.keyboard.press(key);
  expect(await said(page)).toBe('Tag 2026-11-03');
  await leave(now);
});

test('the legend hides a series, scale and sums follow; the table has the same figures', async () => {
  const now = await visit();
  const { page } = now;
  const all = await columns(page);
  expect(all).toBe(9 * 29);
  expect(await page.locator('[data-part=previous]').count()).toBe(1);
  const sumOf = async () => {
    await page.keyboard.press('Home');
    return (await chart(page).getAttribute('aria-valuetext')) ?? '';
  };
  await chart(page).focus();
  const before = await sumOf();
  const [row] = await page.locator('tbody tr').all();
  const cells = (await row?.locator('td').allTextContents()) ?? [];
  expect(cells).toHaveLength(1 + 9 + 2);
  expect(before).toBe(`1. November: ${cells.at(-2)}`);
  const review = page.getByRole('button', { name: 'Review' });
  await review.click();
  expect(await review.getAttribute('aria-pressed')).toBe('false');
  expect(await columns(page)).toBe(8 * 29);
  await chart(page).focus();
  expect(await sumOf()).not.toBe(before);
  await page.getByRole('button', { name: 'Zeitraum davor' }).click();
  expect(await page.locator('[data-part=previous]').count()).toBe(0);
  await review.click();
  expect(await columns(page)).toBe(all);
  await leave(now);
});

test('every series has a filling of its own, the running bucket is hatched, the picture grows with the window', async () => {
  const now = await visit();
  const { page } = now;
  const fills = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-part=column]')].map((path) => path.getAttribute('fill'))`,
  );
  expect(new Set(fills).size).toBe(9 * 2);
  expect(fills.filter((fill) => fill.endsWith('-running)'))).toHaveLength(9);
  const heights: number[] = [];
  for (const width of [390, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    heights.push(await page.locator('figure [data-part=picture]').evaluate((place) => place.clientHeight));
  }
  expect(heights).toEqual([216, 256, 320, 320]);
  await leave(now);
});

test('labels below the columns touch neither one another nor the edge, in windows of every width', async () => {
  const now = await visit();
  const { page } = now;
  const shown: number[] = [];
  for (const width of [390, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const picture = (await page.locator('figure [data-part=picture]').boundingBox())!;
    await expect
      .poll(async () => (await page.locator('[data-part=grid]').boundingBox())!.width)
      .toBeGreaterThan(picture.width - 80);
    const labels = await page.locator('[data-part=labels] text').all();
    const boxes = await Promise.all(labels.map(async (label) => (await label.boundingBox())!));
    boxes.forEach((box, at) => {
      const next = boxes[at + 1]?.x ?? picture.x + picture.width;
      expect(box.x + box.width, `label ${at} at ${width}`).toBeLessThanOrEqual(next);
    });
    shown.push(boxes.length);
  }
  expect(shown[0]).toBeGreaterThan(3);
  expect(shown.at(-1)).toBeGreaterThan(shown[0]!);
  await leave(now);
});

test('is accessible in both themes and on a phone', async () => {
  const now = await visit();
  const { page } = now;
  await chart(page).focus();
  await page.keyboard.press('Home');
  await checkInBothThemes(page, 'the chart');
  await checkOnPhone(page, 'the chart');
  await leave(now);
});

test('colours are told apart by everybody, and from the ground', async () => {
  const now = await visit();
  const { page } = now;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colours = await page.evaluate<string[]>(`['surface', 1, 2, 3, 4, 5, 6, 7, 8, 'rest'].map((name) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--color-' + (name === 'surface' ? name : 'series-' + name) + ')';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    })`);
    const [surface, ...series] = colours.map(lightOf);
    series.forEach((one, at) => {
      expect(contrast(one, surface!), `${colorScheme}, ${colours[at + 1]}`).toBeGreaterThan(3);
      for (const [other, light] of series.slice(0, at).entries()) {
        const pair = `${colorScheme}, ${colours[at + 1]} and ${colours[other + 1]}`;
        // Those that touch differ by a tenth of what lies between black and white, the others by a texture as well.
        expect(leastDistance(one, light), pair).toBeGreaterThan(other === at - 1 ? 0.1 : 0.05);
      }
    });
  }
  await leave(now);
});
