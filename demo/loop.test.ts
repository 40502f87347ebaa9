/** The loop that everybody can watch: found while it goes on, told, stopped, and what it burnt stands in the cockpit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';
import { createAccount } from '#test/outside-account.ts';
import { until } from '#test/until.ts';
import { loopOnce } from './loop.ts';
import { arm, askAs, receiveAlarms } from './protection.ts';
import { createServiceClient } from './service-client.ts';

let cockpit: Cockpit;
beforeAll(async () => {
  cockpit = await startCockpit({ ERLAUBTE_NETZE: '127.0.0.1' });
}, 120_000);
afterAll(() => cockpit?.dispose());

test('a run that got stuck is stopped within seconds, and a person follows it from alarm to step', async () => {
  const { address } = cockpit;
  const account = await createAccount({ address: () => address } as never);
  const { signal } = new AbortController();
  const alarms: string[] = [];
  const receiver = await receiveAlarms((titel) => alarms.push(titel));
  try {
    await arm(askAs(address, account.cookie), receiver.address, signal);
    const client = createServiceClient(address, account.key, signal);
    const pace = { first: 0, every: 0, step: 250, longest: 200 };
    const { lauf, calls, eingriff } = await loopOnce(client, pace, signal);
    expect(eingriff).toMatchObject({ stufe: 'anhalten', objekt_art: 'lauf', objekt: lauf });
    // Five alike are a loop; a few more are on their way meanwhile.
    expect(calls).toBeLessThan(100);
    await until('the alarm', () => alarms.length > 0);
    expect(alarms).toEqual(['Schleife: entwicklung/test-schreiber – Lauf angehalten']);

    const now = await openPage(cockpit.browser, address, { cookie: account.cookie });
    const { page } = now;
    await page.goto('/befunde?typ=schleife_exakt');
    await page.getByRole('link', { name: /Schleife: entwicklung\/test-schreiber/ }).click();
    await page.getByRole('heading', { name: /Lauf angehalten/ }).waitFor();
    await page.getByText('in Kraft').waitFor();
    await page.getByRole('link', { name: 'Lauf ansehen, Schritte markiert' }).click();
    await page.waitForURL((url) => url.pathname === `/laeufe/${lauf}` && url.searchParams.has('schritte'));
    await page.goto('/');
    await page
      .getByRole('button', { name: /^Verbranntes Geld/ })
      .filter({ hasText: /[1-9]\s€/ })
      .waitFor();
    await leave(now);
  } finally {
    await receiver.stop();
  }
}, 120_000);
