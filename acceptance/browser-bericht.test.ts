/** The weekly report as its readers open it: in both themes, on a phone and on a screen, with links that lead to the cockpit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage, overflowOf } from '#test/browser.ts';
import { type Cockpit, call, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';

/** In `npm test`: the report can be read on a screen and on a phone. The rest is covered there by `berichte/routes/woche` and `woche-saved`. */
const whole = test.runIf(isWhole);

const REPORT = '/v1/cockpit/bericht/woche';
const LONG = `vertrieb/${'sehr-langer-name-ohne-jede-pause'.repeat(3)}`;

let cockpit: Cockpit;
let account: Account;

/** At noon of a day of the last whole week; 0 is its Monday. */
function noonOf(day: number, weeksAgo = 1): string {
  const today = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
  const monday = today.toPlainDate().subtract({ days: today.dayOfWeek - 1 + 7 * weeksAgo });
  const noon = { timeZone: 'Europe/Berlin', plainTime: '12:00' };
  return monday.add({ days: day }).toZonedDateTime(noon).toInstant().toString();
}

beforeAll(async () => {
  cockpit = await shareCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
  const sent = await account.send([
    { ...call, agent: 'support/triage', zeitpunkt: noonOf(1, 2) },
    { ...call, agent: 'support/triage', endkunde_ref: 'Müller & Söhne <GmbH>', zeitpunkt: noonOf(0) },
    { ...call, agent: LONG, zeitpunkt: noonOf(3) },
    { ...call, agent: LONG, status: 'fehler', zeitpunkt: noonOf(3) },
    { ...call, agent: 'neu', modell: 'ein-modell-das-keine-liste-kennt', zeitpunkt: noonOf(6) },
  ]);
  expect(sent.status, sent.text).toBe(202);
  await account.untilCounted(5);
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, bypassCSP: true, ...options });

test('is readable by everybody, in both themes, on a screen and on a phone', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.goto(REPORT);
  expect(await page.locator('h1').innerText()).toMatch(/^Wochenbericht Kalenderwoche \d+\/\d{4}$/);
  const told = await page.locator('body').innerText();
  for (const part of [
    'Vorwoche',
    'Müller & Söhne <GmbH>',
    'neu · 2 Aufrufe',
    'ein-modell-das-keine-liste-kennt',
  ])
    expect(told).toContain(part);
  expect(await overflowOf(page)).toBe(0);
  await checkInBothThemes(page, 'the weekly report');
  await checkOnPhone(page, 'the weekly report');
  await page.emulateMedia({ colorScheme: 'dark' });
  await checkOnPhone(page, 'the weekly report in the dark');
  await leave(seen);
});

whole('loads nothing, and its own policy lets it be as it is', async () => {
  const seen = await visit({ bypassCSP: false, javaScriptEnabled: false });
  const { page } = seen;
  const requests: string[] = [];
  page.on('request', (sent) => requests.push(sent.url()));
  await page.goto(REPORT);
  expect(requests.map((url) => new URL(url).pathname).filter((path) => path !== '/favicon.ico')).toEqual([
    REPORT,
  ]);
  // The styles stand in the page and hold.
  const { height } = (await page.locator('h1').boundingBox())!;
  expect(height).toBeLessThan(40);
  await leave(seen);
});

whole('leads to the same week in the cockpit, with the same figures', async () => {
  const seen = await visit();
  const { page } = seen;
  await page.goto(REPORT);
  const row = page.getByRole('row').filter({ hasText: 'support/triage' }).first();
  const amount = await row.getByRole('cell').innerText();
  expect(amount).toMatch(/^\d+,\d\d\s€$/);
  await page.getByRole('link', { name: 'Im Cockpit aufschlüsseln' }).click();
  await page.waitForURL('**/aufschluesselung?*');
  await page.getByRole('row').filter({ hasText: 'support/triage' }).getByText(amount).waitFor();
  await leave(seen);
});

test('the PDF is for the same who may see the page', async () => {
  const answer = await request(`${cockpit.address}${REPORT}.pdf`, { headers: { cookie: account.cookie } });
  expect(answer.status).toBe(200);
  expect(answer.text.slice(0, 8)).toBe('%PDF-1.7');
  expect((await request(`${cockpit.address}${REPORT}.pdf`)).status).toBe(401);
});
