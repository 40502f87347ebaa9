/** A run of many steps in the cockpit: however long it is, only what is looked at is in the page. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, call, shareCockpit } from '#test/cockpit.ts';
import { request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

const steps = 1400;
const loop = randomUUID();
const mixed = randomUUID();

let cockpit: Cockpit;

async function post(path: string, body: object, credentials: Record<string, string>) {
  const headers = { 'content-type': 'application/json', ...credentials };
  const answer = await request(`${cockpit.address}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status).toBeLessThan(300);
  return answer.json<{ schluessel: string }>();
}

/** A run that did the same again and again, and one of which no two calls are alike. */
const events = () =>
  [loop, mixed].flatMap((lauf_id) =>
    Array.from({ length: steps }, (_, index) => ({
      ...call,
      agent: 'langer-agent',
      lauf_id,
      schritt_nr: index + 1,
      zeitpunkt: new Date(Date.now() - (steps - index) * 500).toISOString(),
      erste_zeichen_ms: 200,
      ...(lauf_id === loop ? { prompt_fingerabdruck: 'aabbccddeeff0011' } : {}),
    })),
  );

beforeAll(async () => {
  cockpit = await shareCockpit();
  const { schluessel } = await post('/v1/cockpit/konto/schluessel', {}, { cookie: cockpit.cookie });
  await post('/v1/ereignisse', { ereignisse: events() }, { authorization: `Bearer ${schluessel}` });
  await until('the runs to be counted', async () => {
    const answer = await request(`${cockpit.address}/v1/cockpit/laeufe/${mixed}`, {
      headers: { cookie: cockpit.cookie },
    });
    return answer.status === 200 && answer.json<{ lauf: { aufrufe: number } }>().lauf.aufrufe === steps;
  });
  await until('the loop to be found', async () => {
    const answer = await request(`${cockpit.address}/v1/cockpit/befunde?lauf_id=${loop}`, {
      headers: { cookie: cockpit.cookie },
    });
    return answer.json<{ befunde: unknown[] }>().befunde.length > 0;
  });
});

afterAll(() => cockpit?.dispose());

const nodes = (page: Page) => page.evaluate<number>(`document.querySelectorAll('*').length`);
/** Of the steps; what was found in the run stands in a list, too. */
const lines = (page: Page) => page.locator('main ol > li[aria-posinset]');

async function openRun(run: string) {
  const now = await openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie });
  await now.page.goto(`/laeufe/${run}`);
  await lines(now.page).first().waitFor();
  const more = now.page.getByRole('button', { name: 'Mehr laden' });
  // Lines are measured as they come into sight, which moves the button: that it is pressed all the same is its own matter.
  await more.click();
  await more.waitFor({ state: 'detached' });
  return now;
}

/** How long the browser takes from a press until the page stands, in milliseconds; for the report. */
const timeOf = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => {
    const begin = performance.now();
    document.querySelector('main ol > li > button').click();
    requestAnimationFrame(() => setTimeout(() => done(Math.round(performance.now() - begin))));
  })`);

test('the steps stand where they stay, however late the findings of the run come', async () => {
  const now = await openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie });
  const { page } = now;
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route(`**/v1/cockpit/befunde?*${loop}*`, async (route) => {
    asked.resolve();
    await answered.promise;
    await route.continue();
  });
  await page.goto(`/laeufe/${loop}`);
  await asked.promise;
  await page.getByText('1.400', { exact: true }).first().waitFor();
  const more = page.getByRole('button', { name: 'Mehr laden' });
  // What is not there cannot be moved away between the pointer going down and up.
  expect(await more.count()).toBe(0);
  answered.resolve();
  await more.waitFor();
  expect(await page.getByRole('heading', { name: 'Befunde' }).count()).toBe(1);
  await leave(now);
});

test('a loop of 1,400 steps opens with a bounded number of lines', async () => {
  const now = await openRun(loop);
  const { page } = now;
  await page.getByText(/1\.400× gleich in Folge/).waitFor();
  expect(await nodes(page)).toBeLessThan(1500);
  const took = await timeOf(page);
  console.info(`a loop of ${steps} steps opened in ${took} ms, ${await nodes(page)} nodes in the page`);
  await until('the steps to follow', async () => (await lines(page).count()) > 10);
  expect(await nodes(page)).toBeLessThan(3000);
  expect(await lines(page).first().getAttribute('aria-setsize')).toBe(String(1 + steps));
  await leave(now);
});

test('the last of 1,400 steps is reached, says which it is, and keeps what was opened', async () => {
  const now = await openRun(mixed);
  const { page } = now;
  expect(await nodes(page)).toBeLessThan(3000);
  await page.evaluate('scrollTo(0, 0)');
  const first = page.locator('main ol > li[aria-posinset="1"]');
  await first.getByRole('button').click();
  await first.getByText('langer-agent').waitFor();
  const last = page.locator(`main ol > li[aria-posinset="${steps}"]`);
  // What comes later (findings of the run) may make the page longer meanwhile.
  await expect
    .poll(async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return last.count();
    })
    .toBe(1);
  await last.getByText(String(steps), { exact: true }).waitFor();
  expect(await nodes(page)).toBeLessThan(3000);
  await last.getByRole('button').click();
  await last.getByText('langer-agent').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await first.getByText('langer-agent').waitFor();
  // Tab goes from line to line, also past those that were there at first.
  await first.getByRole('button').focus();
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press('Tab');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  expect(await page.evaluate(`document.activeElement.closest('li')?.ariaPosInSet`)).toBe('61');
  await leave(now);
});

test('a run whose calls are kept no longer says so and shows its sums', async () => {
  await cockpit.sql('DELETE FROM ereignisse WHERE lauf_id = $1', [loop]);
  const now = await openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie });
  await now.page.goto(`/laeufe/${loop}`);
  await now.page.getByText('Die einzelnen Aufrufe dieses Laufs sind nicht mehr aufbewahrt').waitFor();
  await now.page.getByText('1.400', { exact: true }).first().waitFor();
  await leave(now);
});
