/**
 * What every page is held to: no finding of axe in either theme, and no wider than a phone. In `npm test` axe looks at the pages without
 * a browser (`cockpit/src/app/pages.test.tsx`), and at their colours on one of each kind (`acceptance/browser.test.ts`).
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { overflowOf, violationsOn } from './browser.ts';
import { isWhole } from './depth.ts';
import { until } from './until.ts';

async function check(page: Page, where: string, rules?: 'colours'): Promise<void> {
  // One that ends meanwhile is, to axe, a button that can be pressed in the colours of one that cannot.
  await page.locator('button[aria-busy]').first().waitFor({ state: 'detached' });
  expect(await violationsOn(page, rules), where).toEqual([]);
}

/** The page as it stands, in the light and then in the dark theme, which differ in colours only. Its context has to bypass the CSP. */
export async function checkInBothThemes(page: Page, where: string): Promise<void> {
  if (!isWhole) return;
  await page.emulateMedia({ colorScheme: 'light' });
  await check(page, `${where}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await check(page, `${where}, dark`, 'colours');
}

/** The colours of the page as it stands, in both themes. Its context has to bypass the CSP. */
export async function checkColours(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await check(page, `${where}, ${colorScheme}`, 'colours');
  }
}

/** The page as it stands, on a phone. Its context has to bypass the CSP. */
export async function checkOnPhone(page: Page, where: string): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await until(`${where} to fit a phone`, async () => (await overflowOf(page)) === 0);
  if (isWhole) await check(page, `${where}, on a phone`);
  // The narrowest there is, and a wide window at four times the size.
  await page.setViewportSize({ width: 320, height: 640 });
  await until(`${where} to fit 320 px`, async () => (await overflowOf(page)) === 0);
  await page.setViewportSize({ width, height });
}
