/** "Token" is one sum of the same four parts on every page and in every file, whichever way the provider counts. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';
import { request } from '#test/outside-account.ts';
import { until } from '#test/until.ts';

let cockpit: Cockpit;

/** The same use as each of them reports it. */
const USE = {
  openai: { modell: 'gpt-5', eingabe_token: 18_000, ausgabe_token: 3_000 },
  anthropic: { modell: 'claude-sonnet-4-5', eingabe_token: 10_000, ausgabe_token: 3_000 },
  google: { modell: 'gemini-2.5-pro', eingabe_token: 18_000, ausgabe_token: 2_000 },
};
const CACHE = { cache_lese_token: 6_000, cache_schreib_token: 2_000, denk_token: 1_000 };
type Provider = keyof typeof USE;
const PROVIDERS = Object.keys(USE) as Provider[];
const RUNS = { openai: randomUUID(), anthropic: randomUUID(), google: randomUUID() };

const PARTS =
  'Eingabe ohne Cache 10.000 + aus Cache gelesen 6.000 + in Cache geschrieben 2.000 + Ausgabe mit Nachdenken 3.000';
const HEADERS = [
  'Token',
  'Eingabe ohne Cache',
  'aus Cache gelesen',
  'in Cache geschrieben',
  'Ausgabe mit Nachdenken',
];
const CELLS = ['21000', '10000', '6000', '2000', '3000'];

beforeAll(async () => {
  cockpit = await startCockpit();
  const post = async (path: string, body: object, credentials: Record<string, string>) => {
    const headers = { 'content-type': 'application/json', ...credentials };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await request(`${cockpit.address}${path}`, init);
    expect(answer.status).toBeLessThan(300);
    return answer.json<{ schluessel: string }>();
  };
  const ereignisse = PROVIDERS.map((anbieter) => ({
    ...USE[anbieter],
    ...CACHE,
    anbieter,
    agent: `token-${anbieter}`,
    lauf_id: RUNS[anbieter],
  }));
  const { schluessel } = await post('/v1/cockpit/konto/schluessel', {}, { cookie: cockpit.cookie });
  await post('/v1/ereignisse', { ereignisse }, { authorization: `Bearer ${schluessel}` });
  await until('the runs to be counted', async () => {
    const headers = { cookie: cockpit.cookie };
    const found = await Promise.all(
      Object.values(RUNS).map((run) => request(`${cockpit.address}/v1/cockpit/laeufe/${run}`, { headers })),
    );
    return found.every(({ status }) => status === 200);
  });
});
afterAll(() => cockpit?.dispose());

const visit = () => openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie });

/** The lines of a file that a button saves, cell by cell. */
async function saved(page: Page, name: RegExp): Promise<string[][]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).first().click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  return text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'));
}

/** The cells under the names of the sum and its parts, in the lines whose first cell is among these. */
function tokensIn([head = [], ...lines]: string[][], isOurs: (line: string[]) => boolean): string[][] {
  const at = HEADERS.map((name) => head.indexOf(name));
  return lines.filter(isOurs).map((line) => at.map((index) => line[index] ?? ''));
}

test('the page of a run has the same sum and the same parts for every provider, and its step has them', async () => {
  const now = await visit();
  const { page } = now;
  for (const provider of PROVIDERS) {
    await page.goto(`/laeufe/${RUNS[provider]}`);
    await page.getByTitle(PARTS).nth(1).waitFor();
    const texts = await page.getByTitle(PARTS).allInnerTexts();
    expect(texts, provider).toEqual(['21.000', '21.000']);
    await page.getByText('Eingabe 10.000 · aus Cache 6.000 · in Cache 2.000 · Ausgabe 3.000').waitFor();
  }
  await leave(now);
});

test('the list of runs, models and agents save the sum and its parts', async () => {
  const now = await visit();
  const { page } = now;
  const ours = (line: string[]) =>
    line.some((cell) => /^token-|^(gpt-5|claude-sonnet-4-5|gemini-2\.5-pro)$/.test(cell));
  for (const path of ['/laeufe', '/aufschluesselung?nach=modell', '/agenten']) {
    await page.goto(path);
    await page.locator('tbody tr').first().waitFor();
    const lines = tokensIn(await saved(page, /CSV/), ours);
    expect(lines, path).toEqual([CELLS, CELLS, CELLS]);
  }
  await leave(now);
});

test('the overview names the parts of what it adds up', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/?zeitraum=heute&agent=token-anthropic');
  await page.getByTitle(PARTS).waitFor();
  expect(await page.getByTitle(PARTS).innerText()).toBe('21.000');
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await leave(now);
});
