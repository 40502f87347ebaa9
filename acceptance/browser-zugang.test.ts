/** How people get into the cockpit, stay safe in it, and get back in: second factor, sessions, links by mail, company account. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { heading, logIn, password, registerUser, type SharedCockpit, shareCockpit } from '#test/cockpit.ts';
import { isWhole } from '#test/depth.ts';
import type { Mailbox } from '#test/mailbox.ts';
import { startOidcProvider } from '#test/oidc-provider.ts';
import { request } from '#test/outside-account.ts';
import { codeFor, wrongCodeFor } from '#test/second-factor.ts';
import { until } from '#test/until.ts';

/**
 * In `npm test`: the second factor, links from mails, the company account. The rest is covered there by `zugang/zugang`
 * and `app/shell` without a browser, where `app/router` has addresses of elsewhere, and by the routes of `zugang`.
 */
const whole = test.runIf(isWhole);

let cockpit: SharedCockpit;
let mailbox: Mailbox;

beforeAll(async () => {
  cockpit = await shareCockpit();
  mailbox = cockpit.mailbox;
});

afterAll(() => cockpit?.dispose());

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(cockpit.browser, cockpit.address, options);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the security page as this user, who has no second factor yet. */
async function openSecurity(page: Page, email: string): Promise<void> {
  await page.goto('/einstellungen/sicherheit');
  await logIn(page, email);
  await heading(page, 'Sicherheit').waitFor();
}

/** Begins the setup and resolves with the seed as it is shown for typing. */
async function beginSetup(page: Page): Promise<string> {
  await button(page, 'Einrichten').click();
  await page.getByRole('img', { name: 'QR-Code für die Authenticator-App' }).waitFor();
  const shown = await page.getByLabel('Geheimnis', { exact: true }).textContent();
  return (shown ?? '').replaceAll(' ', '');
}

/** Confirms the setup and resolves with the recovery codes, which are still on the page. */
async function confirmSetup(page: Page, seed: string): Promise<string[]> {
  await page.getByLabel('Code aus der App').fill(codeFor(seed, new Date()));
  await button(page, 'Einschalten').click();
  const codes = page.getByRole('list', { name: 'Wiederherstellungscodes' }).getByRole('listitem');
  await codes.first().waitFor();
  return codes.allTextContents();
}

/** Signs in with a code of the app, out, and in again with the recovery code, in a browser of its own. */
async function signInTwice(email: string, seed: string, recoveryCode: string): Promise<void> {
  const now = await visit();
  const { page } = now;
  await page.goto('/anmelden');
  await logIn(page, email);
  await page.getByLabel('Code').fill(wrongCodeFor(seed, new Date()));
  await page.keyboard.press('Enter');
  await page.getByText('Der Code stimmt nicht').waitFor();
  // The code of this half minute was used up by the setup.
  await page.getByLabel('Code').fill(codeFor(seed, new Date(), 1));
  await page.keyboard.press('Enter');
  await heading(page, 'Übersicht').waitFor();
  await page.getByRole('button', { name: /^Konto/ }).click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await logIn(page, email);
  await button(page, 'Wiederherstellungscode verwenden').click();
  await page.getByLabel('Wiederherstellungscode', { exact: true }).fill(recoveryCode);
  await page.keyboard.press('Enter');
  await heading(page, 'Übersicht').waitFor();
  await leave(now, Array(3).fill('401 /v1/anmelden'));
}

describe('the second factor', () => {
  test('is set up, asked for, replaced by a recovery code and switched off', async () => {
    const email = await registerUser(cockpit.address);
    const now = await visit();
    const { page } = now;
    await openSecurity(page, email);
    const seed = await beginSetup(page);
    const codes = await confirmSetup(page, seed);
    expect(codes).toHaveLength(10);
    await page.getByRole('main').getByRole('link', { name: 'Profil' }).click();
    await page.getByRole('dialog', { name: 'Codes noch nicht gesichert' }).waitFor();
    await button(page, 'Bleiben').click();
    await page.getByLabel('Ich habe die Codes gesichert.').check();
    await button(page, 'Fertig').click();
    await page.getByText('Noch 10 Wiederherstellungscodes übrig.').waitFor();

    await signInTwice(email, seed, codes[3] ?? '');
    await page.reload();
    await page.getByText('Noch 9 Wiederherstellungscodes übrig.').waitFor();
    await button(page, 'Ausschalten').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Passwort').fill(password);
    await dialog.getByLabel('Code').fill(wrongCodeFor(seed, new Date()));
    await page.keyboard.press('Enter');
    await page.getByText('Der Code stimmt nicht').waitFor();
    await dialog.getByLabel('Code').fill(codes[4] ?? '');
    await page.keyboard.press('Enter');
    await button(page, 'Einrichten').waitFor();
    await leave(now, ['401 /v1/ich', '403 /v1/cockpit/2fa']);
  });

  whole('asks for the password again where the login was long ago', async () => {
    const email = await registerUser(cockpit.address);
    const now = await visit({ bypassCSP: true });
    const { page } = now;
    await openSecurity(page, email);
    await cockpit.sql(
      `UPDATE sitzungen SET erstellt_am = now() - interval '11 minutes'
       WHERE benutzer_id = (SELECT benutzer_id FROM benutzer WHERE email = $1)`,
      [email],
    );
    await button(page, 'Einrichten').click();
    const dialog = page.getByRole('dialog', { name: 'Bitte noch einmal anmelden' });
    await dialog.waitFor();
    await checkInBothThemes(page, 'signing in again');
    await dialog.getByLabel('Passwort').fill('nicht-dieses-passwort');
    await page.keyboard.press('Enter');
    await dialog.getByText('E-Mail-Adresse oder Passwort stimmt nicht.').waitFor();
    await dialog.getByLabel('Passwort').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR-Code für die Authenticator-App' }).waitFor();
    await leave(now, ['401 /v1/ich', '403 /v1/cockpit/2fa/einrichten', '401 /v1/anmelden']);
  });

  whole('is accessible at every step', async () => {
    const email = await registerUser(cockpit.address);
    // Axe is put into the page, which the policy of the service forbids.
    const { page, context } = await visit({ bypassCSP: true });
    await openSecurity(page, email);
    const seed = await beginSetup(page);
    await checkInBothThemes(page, 'setup');
    await checkOnPhone(page, 'setup');
    await confirmSetup(page, seed);
    await checkInBothThemes(page, 'recovery codes');
    await checkOnPhone(page, 'recovery codes');
    await page.getByLabel('Ich habe die Codes gesichert.').check();
    await button(page, 'Fertig').click();
    await button(page, 'Ausschalten').click();
    await page.getByRole('dialog').waitFor();
    await checkInBothThemes(page, 'switching off');
    await context.clearCookies();
    await page.goto('/anmelden');
    await logIn(page, email);
    await page.getByLabel('Code').waitFor();
    await checkInBothThemes(page, 'code at login');
    await checkOnPhone(page, 'code at login');
    await context.close();
  });
});

whole('a session is ended from another browser', async () => {
  const email = await registerUser(cockpit.address);
  const [now, other] = [await visit(), await visit()];
  await other.page.goto('/anmelden');
  await logIn(other.page, email);
  await heading(other.page, 'Übersicht').waitFor();
  await openSecurity(now.page, email);
  const sessions = now.page.getByRole('list', { name: 'Sitzungen' }).getByRole('listitem');
  await sessions.filter({ hasText: 'diese Sitzung' }).getByText('127.0.0.1').waitFor();
  await now.page.getByRole('button', { name: /^Sitzung beenden: Chrome auf Linux/ }).click();
  await now.page.getByText('Sitzung beendet.').waitFor();
  // The session of the registration is left, and this one.
  await until('the ended session to leave the list', async () => (await sessions.count()) === 2);
  await other.page.goto('/laeufe');
  await heading(other.page, 'Anmelden').waitFor();
  await leave(other, ['401 /v1/ich']);
  await leave(now, ['401 /v1/ich']);
});

test('an address is confirmed with the link from the mail, by the user who signs in to the account', async () => {
  const email = await registerUser(cockpit.address);
  const link = await mailbox.linkTo(email, '/email-bestaetigen');
  const now = await visit();
  const { page } = now;
  await page.goto(link);
  await heading(page, 'Anmelden').waitFor();
  await logIn(page, email);
  await heading(page, 'E-Mail-Adresse bestätigen').waitFor();
  await page.getByText(`Die Adresse ${email} ist noch nicht bestätigt.`, { exact: false }).waitFor();
  await button(page, 'Adresse bestätigen').click();
  await page.getByText('Die Adresse ist bestätigt.').waitFor();
  await page.getByRole('link', { name: 'Zur Übersicht' }).click();
  await heading(page, 'Übersicht').waitFor();
  expect(await page.getByText('noch nicht bestätigt').count()).toBe(0);
  await leave(now, ['401 /v1/ich']);
});

whole('the hint sends the link again', async () => {
  const email = await registerUser(cockpit.address);
  const now = await visit();
  const { page } = now;
  await page.goto('/anmelden');
  await logIn(page, email);
  await button(page, 'Noch einmal senden').click();
  await page.getByText(`Die Mail an ${email} mit einem neuen Link ist in der Warteschlange.`).waitFor();
  await leave(now, []);
});

whole('an address of elsewhere in that of the login page leads nowhere', async () => {
  const email = await registerUser(cockpit.address);
  for (const ziel of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const now = await visit();
    await now.page.goto(`/anmelden?${new URLSearchParams({ ziel })}`);
    await logIn(now.page, email);
    await heading(now.page, 'Übersicht').waitFor();
    expect(new URL(now.page.url()).origin).toBe(cockpit.address);
    await leave(now, []);
  }
  const now = await visit();
  await now.page.goto('/anmelden?ziel=/laeufe');
  await logIn(now.page, email);
  await heading(now.page, 'Läufe').waitFor();
  await leave(now, []);
});

test('a forgotten password is replaced with the link from the mail', async () => {
  const email = await registerUser(cockpit.address);
  const now = await visit();
  const { page } = now;
  await page.goto('/anmelden');
  await page.getByLabel('E-Mail').fill(email);
  await page.getByRole('link', { name: 'Passwort vergessen?' }).click();
  await heading(page, 'Passwort vergessen').waitFor();
  expect(await page.getByLabel('E-Mail').inputValue()).toBe(email);
  await button(page, 'Link anfordern').click();
  await heading(page, 'Bitte sehen Sie in Ihr Postfach').waitFor();
  const link = await mailbox.linkTo(email, '/passwort-neu');
  const setPassword = async (next: string) => {
    await page.goto(link);
    await page.getByLabel('Neues Passwort').fill(next);
    await button(page, 'Passwort setzen').click();
  };
  await setPassword('passwort12');
  await page.getByText('Dieses Passwort ist leicht zu erraten. Bitte ein anderes wählen.').waitFor();
  await setPassword('ein-anderes-passwort');
  await heading(page, 'Passwort geändert').waitFor();
  await page.getByRole('link', { name: 'Zur Anmeldung' }).click();
  await logIn(page, email);
  await page.getByText('E-Mail-Adresse oder Passwort stimmt nicht.').waitFor();
  await page.getByLabel('Passwort').fill('ein-anderes-passwort');
  await page.keyboard.press('Enter');
  await heading(page, 'Übersicht').waitFor();
  await setPassword('ein-drittes-passwort');
  await heading(page, 'Dieser Link gilt nicht mehr').waitFor();
  await leave(now, ['422 /v1/passwort/neu', '401 /v1/anmelden', '404 /v1/passwort/neu']);
});

/** A change made with the session of the Mandant with data. */
async function ask(method: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', cookie: cockpit.cookie };
  const answer = await request(`${cockpit.address}${path}`, { method, headers, body: JSON.stringify(body) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
}

test('an invitation is accepted with the link from the mail', async () => {
  const email = `${randomUUID()}@example.org`;
  // Else the mail waits for it.
  await cockpit.sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE mandant_id = $1', [
    cockpit.mandantId,
  ]);
  await ask('POST', '/v1/cockpit/benutzer/einladen', { email, rolle: 'buchhaltung' });
  const link = await mailbox.linkTo(email, '/einladung');
  const now = await visit({ bypassCSP: true });
  const { page } = now;
  await page.goto(link);
  await heading(page, 'Einladung zu Muster GmbH').waitFor();
  await checkInBothThemes(page, 'invitation');
  await checkOnPhone(page, 'invitation');
  await page.getByLabel('Name').fill('Erika Mustermann');
  await page.getByLabel('Passwort').fill(password);
  await button(page, 'Einladung annehmen').click();
  await heading(page, 'Übersicht').waitFor();
  await page.goto('/einstellungen');
  await page.getByRole('definition').getByText('Buchhaltung').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Erika Mustermann');
  await page.goto(link);
  await heading(page, 'Diese Einladung gilt nicht mehr').waitFor();
  await now.context.close();
  expect(now.watch.faults).toEqual([]);
});

test('a company account leads into the cockpit, or back with the reason', async () => {
  const domain = `${randomUUID()}.example.org`;
  const provider = await startOidcProvider({ redirectUri: `${cockpit.address}/v1/sso/callback` });
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
  await ask('PUT', '/v1/cockpit/mandant/sso', { issuer, client_id, client_secret, domains: [domain] });
  await cockpit.sql('UPDATE sso_domains SET bewiesen_am = now() WHERE domain = $1', [domain]);
  const { page, context } = await visit();
  const signIn = async (name: string) => {
    await page.getByLabel('E-Mail').fill(`erika@${name}`);
    await button(page, 'Mit Single Sign-on anmelden').click();
  };
  await page.goto('/anmelden');
  const fault = page.getByText('Bitte eine gültige E-Mail-Adresse angeben.');
  await button(page, 'Mit Single Sign-on anmelden').click();
  await fault.waitFor();
  await signIn('anderswo.example');
  const none = page.getByText('Für anderswo.example ist hier kein Single Sign-on eingerichtet.');
  await none.waitFor();
  // What one attempt failed with goes when another begins, whichever way it is made.
  expect(await fault.count()).toBe(0);
  await button(page, 'Anmelden').click();
  await page.getByText('Bitte ausfüllen.').or(page.getByText('stimmt nicht')).first().waitFor();
  expect(await none.count()).toBe(0);
  await signIn(domain);
  await page.waitForURL('**/anmelden?fehler=sso_abgebrochen');
  await page.getByText('Der Anbieter hat die Anmeldung abgelehnt').waitFor();
  provider.visitor = { sub: 'erika', email: `erika@${domain}`, email_verified: true, name: 'Erika' };
  await signIn(domain);
  await heading(page, 'Übersicht').waitFor();
  await page.goto('/einstellungen/sicherheit');
  await page.getByText('haben kein Passwort').waitFor();
  await context.close();
  await provider.stop();
});
