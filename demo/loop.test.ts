/** The loop that everybody can watch: found while it goes on, told, stopped; what it burnt and what that avoided stand in the cockpit. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { befundeListe, type ResponseOf } from '#contracts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';
import { createAccount } from '#test/outside-account.ts';
import { until } from '#test/until.ts';
import { loopOnce } from './loop.ts';
import { type Ask, arm, askAs, avoidedBy, receiveAlarms } from './protection.ts';
import { createRandom } from './random.ts';
import { runawayEvents } from './runaway.ts';
import { createServiceClient, type ServiceClient } from './service-client.ts';

let cockpit: Cockpit;
beforeAll(async () => {
  cockpit = await startCockpit({ ERLAUBTE_NETZE: '127.0.0.1' });
});
afterAll(() => cockpit?.dispose());

/** Three nights in which nobody stopped it. */
async function sendNights(client: ServiceClient, ask: Ask): Promise<void> {
  for (const [schritte, days] of [
    [30, 2],
    [46, 4],
    [80, 6],
  ] as const) {
    const beginn = Date.now() - days * 86_400_000;
    await client.send(runawayEvents({ beginn, schritte }, randomUUID, createRandom(String(schritte))));
  }
  await until('the nights to be found', async () => {
    const { befunde } = await ask<ResponseOf<typeof befundeListe>>(
      'GET',
      `${befundeListe.path}?typ=schleife_exakt`,
    );
    return befunde.map(({ werte }) => werte.anzahl).join() === '80,46,30';
  });
}

test('a run that got stuck is stopped within seconds, and a person follows it from alarm to step', async () => {
  const { address } = cockpit;
  const account = await createAccount({ address: () => address } as never);
  const { signal } = new AbortController();
  const alarms: string[] = [];
  const receiver = await receiveAlarms((titel) => alarms.push(titel));
  try {
    const ask = askAs(address, account.cookie);
    const client = createServiceClient(address, account.key, signal);
    await arm(ask, receiver.address, signal);
    await sendNights(client, ask);
    const pace = { first: 0, every: 0, step: 250, longest: 200 };
    const { lauf, calls, eingriff } = await loopOnce({ address, key: account.key }, pace, signal);
    expect(eingriff).toMatchObject({ stufe: 'anhalten', objekt_art: 'lauf', objekt: lauf });
    // Five alike are a loop; a few more are on their way meanwhile.
    expect(calls).toBeLessThan(100);
    await until('the alarm', () => alarms.length > 0);
    expect(alarms).toEqual(['Schleife: entwicklung/test-schreiber – Halt angeordnet']);

    const now = await openPage(cockpit.browser, address, { cookie: account.cookie });
    const { page } = now;
    await page.goto('/befunde?typ=schleife_exakt');
    await page.getByRole('link', { name: /Schleife: entwicklung\/test-schreiber – Halt angeordnet/ }).click();
    await page.getByRole('heading', { name: /Halt angeordnet/ }).waitFor();
    await page.getByText('in Kraft').waitFor();
    await page.getByText(/Geschätzt: Von 3 ähnlichen Fällen, .* auf \d+ Aufrufe mehr/).waitFor();
    expect(Number(await avoidedBy(ask, lauf))).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Lauf ansehen, Schritte markiert' }).click();
    await page.waitForURL((url) => url.pathname === `/laeufe/${lauf}` && url.searchParams.has('schritte'));
    await page.goto('/');
    await page
      .getByRole('button', { name: /^Verbranntes Geld/ })
      .filter({ hasText: /[1-9][\d.,]*\s€/ })
      .waitFor();
    await leave(now);
  } finally {
    await receiver.stop();
  }
});
