/** The status page as anybody opens it: without a login, in both languages, and while the service does not answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage, overflowOf } from '#test/browser.ts';
import { type Cockpit, heading, shareCockpit, startCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { until } from '#test/until.ts';

/** In `npm test`: the ways to the page and back. What it says, and when it asks, is covered there by `system/status-page` without a browser. */
const whole = test.runIf(isWhole);

let cockpit: Cockpit;
const DAY = 86_400_000;

beforeAll(async () => {
  // What was the matter is put in for the whole installation.
  cockpit = await (isWhole ? startCockpit() : shareCockpit());
  if (!isWhole) return;
  const at = (daysAgo: number, seconds = 0) =>
    new Date(Date.now() - daysAgo * DAY + seconds * 1_000).toISOString();
  const spans = [
    ['datenbank', 'ok', at(60), at(20)],
    ['datenbank', 'gestört', at(20), at(20, 372)],
    ['datenbank', 'ok', at(20, 372), at(0)],
    ['kurse', 'ok', at(60), at(12)],
    ['kurse', 'eingeschränkt', at(12), at(9)],
    ['kurse', 'ok', at(9), at(0)],
  ];
  for (const span of spans)
    await cockpit.sql('INSERT INTO zustand_spannen VALUES (gen_random_uuid(), $1, $2, $3, $4)', span);
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { bypassCSP: true, ...options });

/** What the browser says of requests that the test has cut off. */
const forgetAborted = ({ watch }: Awaited<ReturnType<typeof visit>>) => {
  watch.faults = watch.faults.filter((fault) => !fault.includes('ERR_FAILED'));
};

whole('tells of every part since when, of 90 days, and of what was the matter', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.goto('/status');
  await heading(page, 'Systemstatus').waitFor();
  const parts = page.getByRole('region', { name: 'Teile des Dienstes' });
  const database = parts.getByRole('listitem').filter({ hasText: 'Datenbank' });
  await database.getByText('in Ordnung', { exact: true }).waitFor();
  await database.getByText(/^seit \d\d\.\d\d\.\d{4}, \d\d:\d\d/).waitFor();
  await parts.getByText('Der Versand von E-Mails ist nicht eingerichtet.').waitFor();
  // The history is read anew after a while: what was put in before it is there then.
  const told = page.getByRole('img', {
    name: /^Datenbank, 90 Tage: 99,99 % der bekannten Zeit in Ordnung\. Störungen an 1 Tag/,
  });
  await until('the history', async () => {
    await page.reload();
    await page.locator('figure').first().waitFor();
    return told.isVisible();
  });
  expect(await told.getAttribute('aria-label')).toMatch(/Von \d\d Tagen ist nichts bekannt\.$/);
  expect(await told.locator('[title]').count()).toBe(90);
  const disturbances = page.getByRole('region', { name: 'Störungen' });
  await disturbances
    .getByRole('listitem')
    .filter({ hasText: /Datenbank.*gestört.*\(6\smin\s12\ss\)/ })
    .waitFor();
  await disturbances
    .getByRole('listitem')
    .filter({ hasText: /Wechselkurse.*eingeschränkt.*\(72\sh/ })
    .waitFor();
  expect(await overflowOf(page)).toBe(0);
  await checkInBothThemes(page, 'the status page');
  await checkOnPhone(page, 'the status page');
  await page.emulateMedia({ colorScheme: 'dark' });
  await checkOnPhone(page, 'the status page in the dark');
  await page.getByText('English').click();
  await heading(page, 'System status').waitFor();
  await parts.waitFor({ state: 'detached' });
  await page.getByText('Sending of mail is not set up.').waitFor();
  expect(seen.watch).toEqual({ faults: [], refusals: [] });
  await leave(seen);
});

test('is found from the login and from the menu of who is signed in, and leads back', async () => {
  const outside = await visit();
  await outside.page.goto('/anmelden');
  await outside.page.getByRole('link', { name: 'Systemstatus' }).click();
  await outside.page.locator('main figure').first().waitFor();
  await outside.page.getByRole('link', { name: 'Zum Cockpit' }).click();
  await outside.page.waitForURL('**/anmelden*');
  await leave(outside, ['401 /v1/ich']);
  const inside = await visit({ cookie: cockpit.cookie });
  await inside.page.goto('/');
  await inside.page
    .getByRole('button', { name: /^Konto:/ })
    .first()
    .click();
  await inside.page.getByRole('menuitem', { name: 'Systemstatus' }).click();
  await inside.page.locator('main figure').first().waitFor();
  await inside.page.getByRole('link', { name: 'Zum Cockpit' }).click();
  await heading(inside.page, 'Übersicht').waitFor();
  await leave(inside);
});

whole('says that the service does not answer, keeps what was known last, and goes on by itself', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.clock.install();
  await page.goto('/status');
  await page.locator('main figure').first().waitFor();
  await page.route('**/v1/status**', (route) => route.abort());
  await page.clock.runFor(16_000);
  await page.getByText('Der Dienst antwortet nicht').waitFor();
  await page.getByText('Unten steht, was zuletzt bekannt war').waitFor();
  await page.getByRole('heading', { name: 'Datenbank' }).waitFor();
  await page.unroute('**/v1/status**');
  await page.clock.runFor(16_000);
  await page.getByText('Der Dienst antwortet nicht').waitFor({ state: 'detached' });
  await page.getByText(/^Stand .* fragt von selbst nach/).waitFor();
  forgetAborted(seen);
  await leave(seen);
});

whole('says so as well where there was never an answer', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.route('**/v1/status**', (route) => route.abort());
  await page.goto('/status');
  await page.getByText('Der Dienst antwortet nicht').waitFor();
  expect(await page.getByText('Unten steht').count()).toBe(0);
  await checkInBothThemes(page, 'the status page without a service');
  forgetAborted(seen);
  await leave(seen);
});

whole('asks nothing while it is out of sight', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.clock.install();
  await page.goto('/status');
  await page.locator('main figure').first().waitFor();
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/status') asked += 1;
  });
  const show = (state: 'visible' | 'hidden') =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
       document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`,
    );
  await show('hidden');
  await page.clock.runFor(120_000);
  expect(asked).toBe(0);
  const again = page.waitForRequest('**/v1/status');
  await show('visible');
  await again;
  await leave(seen);
});
