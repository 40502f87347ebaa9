/** Every kind of dialog of the cockpit while it is open: axe in both themes, on a phone, at twice the size. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes } from '#test/accessible.ts';
import { leave, openPage, overflowOf } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';
import { request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

let cockpit: Cockpit;

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', cookie: cockpit.cookie };
  const answer = await request(`${cockpit.address}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
}

beforeAll(async () => {
  // Elsewhere no answer holds the link of an invitation.
  cockpit = await startCockpit({ NODE_ENV: 'development' });
  await post('/v1/cockpit/konto/schluessel', { name: 'Zweiter' });
});

afterAll(() => cockpit?.dispose());

const press = (name: string | RegExp) => async (page: Page) => {
  const found = page.getByRole('button', { name, exact: typeof name === 'string' });
  await found.first().click();
};
const choose = (name: string) => async (page: Page) => {
  await page.getByRole('menuitem', { name }).click();
};
/** The menu of the first user; invitations have menus, too. */
const openRow = (page: Page) =>
  page
    .locator('main table')
    .getByRole('button', { name: /^Aktionen für / })
    .click();
const type = (keys: string) => (page: Page) => page.keyboard.press(keys);
const invite = async (page: Page) => {
  await page.getByRole('dialog').getByLabel('E-Mail').fill('kollegin@example.org');
  await page.keyboard.press('Enter');
  await page.getByLabel('Einladungslink', { exact: true }).waitFor();
};

interface Kind {
  name: string;
  path: () => string;
  ready: string;
  steps: ((page: Page) => Promise<void>)[];
}

const at = (path: string) => () => path;
const kinds: Kind[] = [
  { name: 'help', path: at('/'), ready: 'figure', steps: [type('?')] },
  { name: 'the palette', path: at('/'), ready: 'figure', steps: [type('Control+k')] },
  {
    name: 'a period',
    path: at('/'),
    ready: 'figure',
    steps: [press(/^Zeitraum: /), choose('Eigener Zeitraum …')],
  },
  { name: 'an agent', path: () => cockpit.agentPage, ready: 'figure', steps: [press('Bearbeiten')] },
  {
    name: 'a new key',
    path: at('/einstellungen/schluessel'),
    ready: 'table',
    steps: [press('Neuer Schlüssel')],
  },
  {
    name: 'the quota of a key',
    path: at('/einstellungen/schluessel'),
    ready: 'table',
    steps: [press(/^Kontingent von /)],
  },
  {
    name: 'blocking a key',
    path: at('/einstellungen/schluessel'),
    ready: 'table',
    steps: [press(/ sperren$/)],
  },
  { name: 'an invitation', path: at('/einstellungen/benutzer'), ready: 'table', steps: [press('Einladen')] },
  {
    name: 'an invitation that was sent',
    path: at('/einstellungen/benutzer'),
    ready: 'table',
    steps: [press('Einladen'), invite],
  },
  {
    name: 'a user',
    path: at('/einstellungen/benutzer'),
    ready: 'table',
    steps: [openRow, choose('Bearbeiten …')],
  },
];

test.each(kinds)('$name', async ({ name, path, ready, steps }) => {
  const now = await openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie, bypassCSP: true });
  const { page } = now;
  await page.goto(path());
  await page.locator(`main ${ready}`).first().waitFor();
  for (const step of steps) await step(page);
  await page.getByRole('dialog').waitFor();
  // A phone; the usual window; the same at twice the size, which leaves half as much of it.
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    const where = `${name}, ${width} px`;
    await until(`${where} to fit`, async () => (await overflowOf(page)) === 0);
    const { x, y, width: wide, height: high } = (await page.getByRole('dialog').boundingBox())!;
    expect(Math.min(x, y, width - x - wide, height - y - high), where).toBeGreaterThanOrEqual(0);
    await checkInBothThemes(page, where);
  }
  await leave(now);
});
