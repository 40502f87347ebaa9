/** What the overview costs a phone that has never seen it: bytes on the wire, over a slow network and on a slow processor. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';
import { countTraffic } from '#test/traffic.ts';
import { until } from '#test/until.ts';

/** In bytes, heads and all: the page, scripts, styles, icon and answers. */
const IN_ALL = 195_000;
const REQUESTS = 19;

const PHONE = { viewport: { width: 390, height: 844 } };
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const TIMES_SLOWER = 4;

let cockpit: Cockpit;
beforeAll(async () => {
  cockpit = await startCockpit();
});
afterAll(() => cockpit?.dispose());

/** Such a phone's network and processor. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER });
}

test('the overview comes in few bytes, and its figures before its chart', async () => {
  const visit = await openPage(cockpit.browser, cockpit.address, { ...PHONE, cookie: cockpit.cookie });
  const traffic = await countTraffic(visit.page);
  await slowDown(visit.page);
  await visit.page.goto('/');
  await visit.page.getByRole('button', { name: 'Kosten' }).first().waitFor();
  const untilFigures = traffic.bytes;
  await visit.page.locator('figure svg').waitFor();
  await visit.page.waitForLoadState('networkidle');
  await leave(visit);
  // Else it was not counted.
  expect(untilFigures).toBeGreaterThan(50_000);
  expect(traffic.bytes).toBeLessThan(IN_ALL);
  expect(traffic.requests).toBeLessThan(REQUESTS);
});

/** How far what is in sight has moved by itself, as browsers reckon it (CLS). */
async function shiftOf(slow: number): Promise<number> {
  const visit = await openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie });
  const { page } = visit;
  await page.addInitScript(
    `window.shift = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });`,
  );
  let held = 0;
  await page.route(/\/v1\/cockpit\/(auffaelliges|vorfaelle)/, async (route) => {
    held += 1;
    await new Promise((resolve) => setTimeout(resolve, slow));
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Kosten' }).first().waitFor();
  await page.locator('figure svg').waitFor();
  await until('both to have been asked for', async () => held === 2);
  await page.getByText(slow > 1_000 ? /Auffälligkeit/ : 'Auffällig in diesem Zeitraum').waitFor();
  await page.waitForLoadState('networkidle');
  const shift = await page.evaluate<number>('window.shift');
  await page.unrouteAll({ behavior: 'wait' });
  await leave(visit);
  return shift;
}

test('figures that are there stay where they are, whether what stands above them is quick or slow', async () => {
  expect(await shiftOf(300)).toBeLessThan(0.01);
  expect(await shiftOf(3_000)).toBeLessThan(0.01);
});

interface Look {
  status: number;
  bytes: number;
}

/** What the network says of every look at the overview's figures; the page itself does not see 304. */
async function watchLooks(page: Page): Promise<Look[]> {
  const session = await page.context().newCDPSession(page);
  const asked = new Set<string>();
  const statuses = new Map<string, number>();
  const looks: Look[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/v1/cockpit/uebersicht')) asked.add(requestId);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) =>
    statuses.set(requestId, statusCode),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) looks.push({ status: statuses.get(requestId) ?? 0, bytes: encodedDataLength });
  });
  await session.send('Network.enable');
  return looks;
}

test('figures that stand still are confirmed, and nothing of them stays in the browser after signing out', async () => {
  const visit = await openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie });
  const { page } = visit;
  const looks = await watchLooks(page);
  await page.goto('/?zeitraum=heute');
  // The page looks again every ten seconds; in the next minute it gets the figures once more.
  await until('a look that is confirmed', async () => looks.some(({ status }) => status === 304));
  expect(looks[0]?.status).toBe(200);
  for (const { bytes } of looks.filter(({ status }) => status === 304)) expect(bytes).toBeLessThan(1_500);

  const isKept = () =>
    page.evaluate<boolean>(`fetch('/v1/cockpit/uebersicht?zeitraum=heute',
      { cache: 'only-if-cached', mode: 'same-origin', headers: { accept: 'application/json' } })
      .then(({ ok }) => ok, () => false)`);
  expect(await isKept()).toBe(true);
  await page.getByRole('button', { name: /^Konto/ }).click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await page.waitForURL('**/anmelden');
  // What is kept is found with the same session only: as if it went on, lest the browser merely thinks it is another's.
  const [name = '', value = ''] = cockpit.cookie.split('=');
  await visit.context.addCookies([{ name, value, url: cockpit.address }]);
  expect(await isKept()).toBe(false);
  // What is still on its way ends with the page.
  await visit.context.close();
  visit.watch.faults = visit.watch.faults.filter((fault) => !fault.includes('ERR_CACHE_MISS'));
  // A look that was on its way when the session ended.
  visit.watch.refusals = visit.watch.refusals.filter((refusal) => !refusal.startsWith('401 '));
  await leave(visit);
});
