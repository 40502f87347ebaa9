/** Nothing is said to have happened that has not: without a mail server nothing is sent, and a hung service is shown as such. */
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, heading, logIn, registerUser, startCockpit } from '#test/cockpit.ts';

let cockpit: Cockpit;
beforeAll(async () => {
  cockpit = await startCockpit();
});
afterAll(() => cockpit?.dispose());

async function visit() {
  const email = await registerUser(cockpit.address);
  const now = await openPage(cockpit.browser, cockpit.address);
  await now.page.goto('/anmelden');
  await logIn(now.page, email);
  await heading(now.page, 'Übersicht').waitFor();
  return { ...now, email };
}

test('without a mail server every page says where its link is, and sends nothing', async () => {
  const { email, ...now } = await visit();
  const { page } = now;
  await page.getByText(`npm run betreiber -- link bestaetigung ${email}`).waitFor();
  await page.getByRole('button', { name: 'Neuen Link ins Log schreiben' }).click();
  await page.getByText(`Ein neuer Link für ${email} kommt in das Log des Dienstes.`).waitFor();
  const refused = page.waitForResponse((response) => response.status() === 409);
  await page.goto('/abrechnung/versand');
  await refused;
  await page.getByText('Es lässt sich nichts versenden').waitFor();
  await page.goto('/einstellungen/alarme');
  await page.getByText('An diese Adressen geht keine Mail hinaus.').waitFor();
  await page.goto('/passwort-vergessen');
  await page.getByLabel('E-Mail').fill(email);
  await page.getByRole('button', { name: 'Link anfordern' }).click();
  await heading(page, 'Der Link steht im Log').waitFor();
  await page.getByText(`npm run betreiber -- link passwort ${email}`).waitFor();
  await leave(now, ['409 /v1/cockpit/abrechnung/versenden']);
});

/** Holds every answer back until it is let go, as a service that hangs does. */
async function hang(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  const hold = (route: Route) => void held.push(route);
  await page.route('**/*', hold);
  return async () => {
    await page.unroute('**/*', hold);
    await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
  };
}

test('the page says that a service hangs, and no address stands above the content of another', async () => {
  const { email: _, ...now } = await visit();
  const { page } = now;
  const letGo = await hang(page);
  await page.getByRole('link', { name: 'Agenten', exact: true }).first().click();
  await page.waitForURL(/\/agenten/);
  await heading(page, 'Übersicht').waitFor({ state: 'detached' });
  await page.getByText('Der Dienst antwortet nicht.').waitFor();
  await letGo();
  await heading(page, 'Agenten').waitFor();
  await page.getByText('Der Dienst antwortet nicht.').waitFor({ state: 'detached' });
  await page.getByText('Wird geladen …').first().waitFor({ state: 'detached' });
  await leave(now, []);
});
