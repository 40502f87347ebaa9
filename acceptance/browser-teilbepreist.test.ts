/** Calls of which only a part has a price, as people see them: said so, and never as measured. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, call, run, shareCockpit } from '#test/cockpit.ts';
import { request } from '#test/outside-account.ts';

let cockpit: Cockpit;
beforeAll(async () => {
  cockpit = await shareCockpit();
});
afterAll(() => cockpit?.dispose());

async function post(path: string, body: object, headers: Record<string, string>) {
  const answer = await request(`${cockpit.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect([201, 202], answer.text).toContain(answer.status);
  return answer.json<{ schluessel: string }>();
}

/** Two calls of a tier that nobody knows, one of them in the run. */
async function sendCalls(): Promise<void> {
  const { schluessel } = await post('/v1/cockpit/konto/schluessel', {}, { cookie: cockpit.cookie });
  const partly = { ...call, agent: 'recherche-agent', zusatz: { preisstufe: 'warp' } };
  const ereignisse = [partly, { ...partly, lauf_id: run, schritt_nr: 7 }];
  await post('/v1/ereignisse', { ereignisse }, { authorization: `Bearer ${schluessel}` });
}

const said = (page: Page, text: string) => page.getByText(text).first().waitFor();

test('the overview, the list of runs and the run say what is priced only in part', async () => {
  await sendCalls();
  const now = await openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie, bypassCSP: true });
  const { page } = now;
  await page.goto('/');
  await said(page, '2 Aufrufe nur zum Teil bepreist');
  await said(page, 'nur zum Teil bepreist 1,29');
  expect(await page.getByText('Alle Token gemessen').count()).toBe(0);
  await checkInBothThemes(page, 'main');
  await page.goto('/laeufe');
  await said(page, '1× teils bepreist');
  await page.goto(`/laeufe/${run}`);
  await said(page, '1 Aufruf nur zum Teil bepreist');
  await leave(now);
});
