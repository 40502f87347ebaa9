/** Bringing calls of the past along in a browser: the file that stays there, its preview, counting it, its receipt, taking it back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount } from '#test/outside-account.ts';

/** In `npm test`: one file on its way. The rest is covered there by `importe/import-page` without a browser, and the routes. */
const whole = test.runIf(isWhole);

const PAGE = '/anbindung/importe';
/** Stands in the file and nowhere else. */
const SECRET = 'kanarienvogel-prompt';
const folder = mkdtempSync(join(tmpdir(), 'zw-importe-'));

let cockpit: Cockpit;
let account: Account;

beforeAll(async () => {
  cockpit = await shareCockpit();
  account = await createAccount({ address: () => cockpit.address } as never);
});
afterAll(async () => {
  await cockpit?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: account.cookie, bypassCSP: true, ...options });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A row of LiteLLM's spend logs. */
const spent = (index: number, more: object = {}) => ({
  request_id: `chatcmpl-BkzQ8x1TjM4cW7pN2rVf${String(index).padStart(5, '0')}`,
  call_type: 'acompletion',
  spend: 0.01,
  prompt_tokens: 1_000,
  completion_tokens: 100,
  startTime: new Date(Date.parse('2026-05-02T10:00:00Z') + index * 60_000).toISOString(),
  model: index % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
  model_group: 'archiv',
  custom_llm_provider: 'openai',
  cache_hit: 'False',
  status: 'success',
  messages: [{ role: 'user', content: SECRET }],
  ...more,
});

function fileOf(name: string, rows: object[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

/** Has a file read; resolves with what was sent meanwhile. */
async function readIn(page: Page, path: string): Promise<string[]> {
  const bodies: string[] = [];
  page.on('request', (request) => bodies.push(request.postData() ?? ''));
  await page.goto(PAGE);
  await page.getByLabel('Datei', { exact: true }).setInputFiles(path);
  await page.waitForURL(`**${PAGE}/*`);
  return bodies;
}

test('a file is read where it is, shown, counted with a receipt, and taken back', async () => {
  const rows = [
    ...Array.from({ length: 1_203 }, (_, index) => spent(index)),
    spent(0),
    spent(9_000, { cache_hit: true }),
    spent(9_001, { startTime: '2999-01-01T00:00:00Z' }),
  ];
  const now = await visit();
  const { page } = now;
  const bodies = await readIn(page, fileOf('spend.jsonl', rows));
  const api = new URL(page.url()).pathname.replace('/anbindung', '/v1/cockpit');
  await page.getByText('Noch ist nichts gezählt.').waitFor();
  const main = page.getByRole('main');
  for (const text of ['aus 1.206 Zeilen', '12,04 $', 'LiteLLM', 'gpt-4o-mini', 'Mai 2026'])
    await main.getByText(text).first().waitFor();
  for (const left of [
    'Erzählt noch einmal von einem Aufruf',
    'Aus dem eigenen Cache',
    'Vom Dienst nicht angenommen',
  ])
    await main.getByText(left).waitFor();
  expect(bodies.join('')).toContain('archiv');
  expect(bodies.join('')).not.toContain(SECRET);
  await checkInBothThemes(page, 'preview');
  await checkOnPhone(page, 'preview');
  await button(page, 'Zählen').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1.203 Aufrufe werden gezählt').waitFor();
  await checkInBothThemes(page, 'dialog');
  await dialog.getByRole('button', { name: 'Zählen' }).click();
  await page.getByText('Gezählt: 1.203 Aufrufe sind neu.').waitFor();
  expect((await account.verbrauch('?von=2026-05-01&bis=2026-06-01')).summe.aufrufe).toBe(1_203);
  await checkInBothThemes(page, 'receipt');
  await checkOnPhone(page, 'receipt');
  await button(page, 'Zurücknehmen').click();
  await dialog.getByText('1.203 Aufrufe verschwinden aus allen Zahlen.').waitFor();
  await dialog.getByRole('button', { name: 'Zurücknehmen' }).click();
  await page.getByText('Zurückgenommen: 1.203 Aufrufe.').waitFor();
  expect((await account.verbrauch('?von=2026-05-01&bis=2026-06-01')).summe.aufrufe).toBe(0);
  await page.getByRole('link', { name: 'Alle Importe' }).click();
  const row = page.getByRole('row').filter({ hasText: 'spend.jsonl' });
  expect(await row.textContent()).toMatch(/LiteLLM.*zurückgenommen/);
  await checkInBothThemes(page, PAGE);
  await checkOnPhone(page, PAGE);
  // The call of the future, without which the part was taken.
  await leave(now, [`422 ${api}/teile/3`]);
});

whole('a CSV that holds sums is refused with what to do instead, and begins nothing', async () => {
  const path = join(folder, 'usage.csv');
  writeFileSync(path, 'start_time,model,num_model_requests,input_tokens\n1,gpt-4o,3,100\n');
  const now = await visit();
  await now.page.goto(PAGE);
  await now.page.getByLabel('Datei', { exact: true }).setInputFiles(path);
  await now.page.getByText('Die Datei enthält Summen, keine Aufrufe.').waitFor();
  expect(now.page.url()).toContain(PAGE);
  expect(await now.page.getByRole('row').filter({ hasText: 'usage.csv' }).count()).toBe(0);
  await leave(now);
});
