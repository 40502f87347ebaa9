/**
 * `npm run demo`, as a visitor meets it: from the month's jump to the run that caused it, and a loop that begins, is found, told and
 * stopped while one looks.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage, type Visit } from '#test/browser.ts';
import { heading, logIn } from '#test/cockpit.ts';
import { type FilledDemo, startFilledDemo } from '#test/demo.ts';

const AGENT = 'entwicklung/test-schreiber';
/** Steps of the run that nobody stopped. */
const RUNAWAY_STEPS = 1_400;
const MOST_CLICKS = 3;
/** Calls after which the demo's loop gives up when nobody stops it. */
const LOOP_BY_ITSELF = 60;
/** The first loop begins a good half minute after the past is there. */
const STOPPED_WITHIN = 180_000;

let demo: FilledDemo;
let visit: Visit;

beforeAll(async () => {
  demo = await startFilledDemo();
  visit = await openPage(demo.browser, demo.service.address());
  await visit.page.goto('/');
  await logIn(visit.page, demo.login.email, undefined, demo.login.passwort);
  await heading(visit.page, 'Übersicht').waitFor();
});
afterAll(() => demo?.dispose());

/** Whose page it is. */
const runOf = (page: Page) => page.url().match(/laeufe\/([0-9a-f-]{36})/)?.[1];
const main = (page: Page) => page.getByRole('main');

test('from the overview to the steps of the runaway run in at most three clicks, without typing', async ({
  annotate,
}) => {
  const { page } = visit;
  let clicks = 0;
  const click = async (name: RegExp) => {
    clicks += 1;
    await main(page).getByRole('link', { name }).first().click();
  };
  const begun = performance.now();
  await page.goto('/');
  await click(new RegExp(`Ein Lauf von ${AGENT} kostete .* 1\\.400 Schritte`));
  await heading(page, `Lauf von ${AGENT}`).waitFor();
  await main(page).locator('ol > li').first().waitFor();
  await annotate(`${Math.round(performance.now() - begun)} ms, ${clicks} clicks`);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  const [run] = await demo.service.sql<{ aufrufe: number; anteil: number }>(
    `SELECT l.aufrufe::int, round(100 * l.kosten_eur / (SELECT sum(kosten_eur) FROM laeufe))::int AS anteil
     FROM laeufe l WHERE l.lauf_id = $1`,
    [runOf(page)],
  );
  expect(run?.aufrufe).toBe(RUNAWAY_STEPS);
  expect(run?.anteil).toBeGreaterThan(5);
});

test(
  'a loop begins, is found, told and stopped, and the cockpit says what that avoided',
  async () => {
    const { page } = visit;
    await page.goto(`/befunde?typ=schleife_exakt&agent=${encodeURIComponent(AGENT)}`);
    // Nobody reloads: the page asks by itself.
    const stopped = main(page).getByRole('link', { name: `Schleife: ${AGENT} – Halt angeordnet` });
    await stopped.first().waitFor({ timeout: STOPPED_WITHIN });
    await stopped.first().click();
    await heading(page, `Schleife: ${AGENT} – Halt angeordnet`).waitFor();
    await main(page).getByText('Vermieden', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Lauf ansehen, Schritte markiert' }).click();
    await main(page)
      .getByText(/Lauf .* soll anhalten/)
      .waitFor();
    const ofRun = [runOf(page)];
    const calls = () =>
      demo.service.sql<{ aufrufe: number }>(
        "SELECT aufrufe::int FROM laeufe WHERE lauf_id = $1 AND beginn > now() - interval '5 minutes'",
        ofRun,
      );
    const before = await calls();
    expect(before[0]?.aufrufe).toBeLessThan(LOOP_BY_ITSELF);
    await page.goto('/einstellungen/alarme');
    await main(page)
      .getByText(/Schleife/)
      .first()
      .waitFor();
    expect(await calls()).toEqual(before);
    // Asked before the login.
    await leave(visit, ['401 /v1/ich']);
  },
  STOPPED_WITHIN + 60_000,
);
