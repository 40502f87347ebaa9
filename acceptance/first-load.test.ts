/** What the overview costs a phone that has never seen it: bytes on the wire, over a slow network and on a slow processor. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';

/** In bytes, heads and all: the page, scripts, styles, icon and answers. */
const UNTIL_FIGURES = 200_000;
const IN_ALL = 300_000;
const REQUESTS = 14;

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
}, 120_000);
afterAll(() => cockpit?.dispose());

interface Traffic {
  bytes: number;
  requests: number;
}

/** Slows the page down, and counts what goes over the wire. */
async function watchTraffic(page: Page): Promise<Traffic> {
  const session = await page.context().newCDPSession(page);
  const traffic: Traffic = { bytes: 0, requests: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
    traffic.requests += 1;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: TIMES_SLOWER });
  return traffic;
}

test('the overview comes in few bytes, and its figures before its chart', async () => {
  const visit = await openPage(cockpit.browser, cockpit.address, { ...PHONE, cookie: cockpit.cookie });
  const traffic = await watchTraffic(visit.page);
  await visit.page.goto('/');
  await visit.page.getByRole('button', { name: 'Kosten' }).first().waitFor();
  const untilFigures = { ...traffic };
  await visit.page.locator('figure svg').waitFor();
  await visit.page.waitForLoadState('networkidle');
  await leave(visit);
  // Else it was not counted.
  expect(untilFigures.bytes).toBeGreaterThan(50_000);
  expect(untilFigures.bytes).toBeLessThan(UNTIL_FIGURES);
  expect(traffic.bytes).toBeLessThan(IN_ALL);
  expect(traffic.requests).toBeLessThan(REQUESTS);
});
