/** What pages cost a browser that has none of it, of an account that has data: that of `npm run demo`, in both languages. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage, type Visit } from '#test/browser.ts';
import { heading, logIn } from '#test/cockpit.ts';
import { type FilledDemo, startFilledDemo } from '#test/demo.ts';
import { countTraffic, type Traffic } from '#test/traffic.ts';

/** Bytes on the wire, heads and all, until two and a half seconds after the network has become quiet. */
const OVERVIEW = { de: 200_000, en: 215_000 };
const OTHER_PAGE = 240_000;
/** Menus, dialogs and explanations, which come at the first sign of a hand. */
const OVERLAYS = 32_000;
const QUIET_MS = 2_500;

const LOCALES = { de: 'de-DE', en: 'en-GB' };
const LANGUAGES = ['de', 'en'] as const;
type Language = (typeof LANGUAGES)[number];

/** Those most in use, and those that take most. */
const PAGES = [
  '/agenten',
  '/aufschluesselung',
  '/laeufe',
  '/endkunden',
  '/vorfaelle',
  '/befunde',
  '/eingriffe',
  '/regeln',
  '/budgets',
  '/preise',
  '/anbindung',
  '/abgleich',
  '/abrechnung',
  '/zwilling',
  '/einstellungen/sicherheit',
  '/einstellungen/alarme',
  '/einstellungen/schluessel',
];

let demo: FilledDemo;
let storageState: Exclude<BrowserContextOptions['storageState'], undefined>;
/** Of a run and of its agent. Of runs of up to a hundred steps the dearest: what more steps take is no matter of the page. */
let ofData: string[];

beforeAll(async () => {
  demo = await startFilledDemo();
  const visit = await openPage(demo.browser, demo.service.address());
  await visit.page.goto('/');
  await logIn(visit.page, demo.login.email, undefined, demo.login.passwort);
  await heading(visit.page, 'Übersicht').waitFor();
  storageState = { cookies: await visit.context.cookies(), origins: [] };
  const [run] = await demo.service.sql<{ lauf_id: string; agent_id: string }>(
    `SELECT lauf_id, agent_id FROM laeufe JOIN agenten ON schluessel = agent
     WHERE aufrufe <= 100 ORDER BY kosten_eur DESC NULLS LAST LIMIT 1`,
  );
  ofData = [`/laeufe/${run?.lauf_id}`, `/agenten/${run?.agent_id}`];
  // Asked before the login.
  await leave(visit, ['401 /v1/ich']);
});
afterAll(() => demo?.dispose());

/** Opens a page in a browser that has nothing of it. */
async function openCold(
  language: Language,
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ visit: Visit; traffic: Traffic }> {
  const visit = await openPage(demo.browser, demo.service.address(), {
    ...options,
    locale: LOCALES[language],
    storageState,
  });
  const traffic = await countTraffic(visit.page);
  await visit.page.goto(path);
  await visit.page.locator('main h1').waitFor();
  await settle(visit.page);
  expect(await visit.page.evaluate('document.documentElement.lang')).toBe(language);
  return { visit, traffic };
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(QUIET_MS);
}

test.each(LANGUAGES)('the overview with data comes in few bytes (%s)', async (language) => {
  const { visit, traffic } = await openCold(language, '/');
  await visit.page.locator('figure svg').first().waitFor();
  await leave(visit);
  // Else it was not counted.
  expect(traffic.bytes).toBeGreaterThan(150_000);
  expect(traffic.bytes).toBeLessThan(OVERVIEW[language]);
});

test.each(LANGUAGES)('every other page comes in few bytes (%s)', async (language) => {
  const sizes: [path: string, bytes: number][] = [];
  for (const path of [...PAGES, ...ofData]) {
    const { visit, traffic } = await openCold(language, path);
    await leave(visit);
    sizes.push([path, traffic.bytes]);
  }
  expect(sizes.filter(([, bytes]) => bytes < 150_000)).toEqual([]);
  expect(sizes.filter(([, bytes]) => bytes > OTHER_PAGE)).toEqual([]);
});

test('menus, dialogs and explanations come at the first sign of a hand, and open without waiting', async () => {
  const { visit, traffic } = await openCold('de', '/');
  const { page } = visit;
  const before = { ...traffic };
  await page.mouse.move(600, 400);
  await page.mouse.move(620, 420);
  await settle(page);
  expect(traffic.bytes).toBeGreaterThan(before.bytes);
  expect(traffic.bytes - before.bytes).toBeLessThan(OVERLAYS);
  await visit.context.setOffline(true);
  await page.getByRole('button', { name: /^Zeitraum: / }).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await visit.context.setOffline(false);
  await visit.context.close();
});
