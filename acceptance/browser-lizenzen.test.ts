/** Licences in a browser: made out, blocked and let go by an operator; how the installation's own stands. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, shareCockpit, startCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import { createIssuer } from '#test/licences.ts';
import { request } from '#test/outside-account.ts';

/** In `npm test`: a licence from its making to its block. The rest is covered there by the routes of `lizenzen`, and by `buchung/package-page` without a browser. */
const whole = test.runIf(isWhole);

const PAGE = '/betreiber/lizenzen';

let cockpit: Cockpit;

async function startLicensed(): Promise<Cockpit> {
  const issuer = await createIssuer();
  return startCockpit({
    LIZENZ: await issuer.licence({ gueltig_bis: null }),
    LIZENZ_PRUEFSCHLUESSEL: issuer.jwk,
    // Nobody is there.
    LIZENZ_SPERRLISTE_URL: 'http://127.0.0.1:9/',
    ERLAUBTE_NETZE: '127.0.0.1',
  });
}

beforeAll(async () => {
  // Only the page of the plan is about the installation's own licence.
  cockpit = await (isWhole ? startLicensed() : shareCockpit());
  await cockpit.sql(
    'INSERT INTO betreiber (mandant_id, benutzer_id) SELECT mandant_id, benutzer_id FROM benutzer WHERE mandant_id = $1',
    [cockpit.mandantId],
  );
});
afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, { cookie: cockpit.cookie, bypassCSP: true, ...options });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const published = async () =>
  (await request(`${cockpit.address}/v1/lizenzen/sperrliste`)).json<{ sperren: object[] }>().sperren;

test('an operator makes a licence out, takes it along, blocks it with a reason and lets it go', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(PAGE);
  await page.getByText('Noch keine Lizenz ausgestellt').waitFor();
  await checkInBothThemes(page, PAGE);

  await button(page, 'Neue Lizenz').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kunde').fill('Muster & Söhne GmbH');
  await dialog.getByLabel('Letzter Tag').fill('2099-12-31');
  await dialog.getByLabel('Mandanten').fill('3');
  await checkInBothThemes(page, 'the dialog of a new licence');
  await checkOnPhone(page, 'the dialog of a new licence');
  await button(page, 'Lizenz ausstellen').click();
  await page.getByRole('heading', { name: 'Lizenz für Muster & Söhne GmbH' }).waitFor();
  await checkInBothThemes(page, 'a new licence');
  await checkOnPhone(page, 'a new licence');
  const token = await page.getByLabel('LIZENZ', { exact: true }).innerText();
  const key = await page.getByLabel('LIZENZ_PRUEFSCHLUESSEL', { exact: true }).innerText();
  await page.getByLabel('Lizenz kopieren', { exact: true }).click();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(token);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Als Datei sichern').click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toBe(
    `LIZENZ=${token}\nLIZENZ_PRUEFSCHLUESSEL='${key}'\n`,
  );

  await page.reload();
  const row = page.getByRole('row', { name: /Muster & Söhne/ });
  await row.getByText('aktiv', { exact: true }).waitFor();
  expect(await page.getByLabel('LIZENZ', { exact: true }).count()).toBe(0);
  await button(page, 'Lizenz von Muster & Söhne GmbH sperren').click();
  await page.getByLabel('Grund').fill('nicht bezahlt');
  await checkInBothThemes(page, 'the dialog of a block');
  await button(page, 'Sperren').last().click();
  await row.getByText('gesperrt', { exact: true }).waitFor();
  await row.getByText('Grund: nicht bezahlt').waitFor();
  expect(await published()).toHaveLength(1);
  await checkInBothThemes(page, 'a blocked licence');
  await checkOnPhone(page, 'a blocked licence');
  await button(page, 'Lizenz von Muster & Söhne GmbH entsperren').click();
  await button(page, 'Entsperren').last().click();
  await row.getByText('aktiv', { exact: true }).waitFor();
  expect(await published()).toEqual([]);
  await leave(now);
});

whole('a name that cannot be is said at its field', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto(PAGE);
  await button(page, 'Neue Lizenz').click();
  const field = page.getByRole('dialog').getByLabel('Kunde');
  await field.fill('https://example.org');
  await button(page, 'Lizenz ausstellen').click();
  await page.locator('[aria-invalid="true"]').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await leave(now, ['422 /v1/betreiber/lizenzen/erzeugen']);
});

whole('the page of the plan says how the licence of the installation stands', async () => {
  const now = await visit();
  const { page } = now;
  await page.goto('/einstellungen/paket');
  await page.getByText('1 von 3 belegt').waitFor();
  await page
    .getByText(
      /^Die Sperrliste ist seit .* nicht erreicht\. Bis .* gilt die Lizenz auch ohne sie\. Unter ihrer Adresse antwortet niemand\.$/,
    )
    .waitFor();
  await checkInBothThemes(page, 'the plan');
  await checkOnPhone(page, 'the plan');
  await leave(now);
});

whole('the page says to other users that they are no operators', async () => {
  await cockpit.sql('DELETE FROM betreiber');
  const now = await visit();
  await now.page.goto(PAGE);
  await now.page.getByRole('heading', { name: 'Nur für Betreiber' }).waitFor();
  await leave(now);
});
