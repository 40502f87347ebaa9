/** Alarms in the cockpit: a channel set up and tried, the secret shown once, quiet hours, a delivery repeated. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type SharedCockpit, shareCockpit } from '#test/cockpit.ts';
import { putAlarm } from '#test/put-alarm.ts';
import { type Receiver, startReceiver, status } from '#test/receiver.ts';
import { until } from '#test/until.ts';

let cockpit: SharedCockpit;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  cockpit = await shareCockpit();
});
afterAll(async () => {
  await cockpit?.dispose();
  await receiver?.stop();
});

test('from the first channel to a delivery that is repeated', async () => {
  const { browser, address, cookie } = cockpit;
  const visit = await openPage(browser, address, { cookie, bypassCSP: true });
  const { page } = visit;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/einstellungen/alarme');
  await page.getByText('In den letzten zwölf Monaten gab es keinen Alarm.').waitFor();

  await button('Webhook einrichten').click();
  await page.getByLabel('Adresse', { exact: true }).fill(receiver.url('/geheimer-pfad'));
  await button('Speichern').last().click();
  await page.getByText('Webhook ist eingerichtet.').waitFor();
  await button('Webhook testen').click();
  await page.getByText(/^Der Empfänger hat die Probe angenommen/).waitFor();
  receiver.answers.splice(0, 1, status(404));
  await button('Webhook testen').click();
  await page.getByText('Der Empfänger hat mit 404 geantwortet.').waitFor();
  receiver.answers.splice(0, 1, status(200));

  await button('Geheimnis erzeugen').click();
  const secret = await page.getByRole('status', { name: 'Geheimnis' }).textContent();
  await checkInBothThemes(page, 'alarms with a fresh secret');
  await button('Webhook testen').click();
  await page.getByText(/^Der Empfänger hat die Probe angenommen/).waitFor();
  const signed = receiver.received.at(-1) as (typeof receiver.received)[number];
  expect(
    new Webhook(secret as string).verify(signed.body, signed.headers as Record<string, string>),
  ).toMatchObject({
    quelle: 'Zählwerk',
  });

  await page.getByRole('checkbox', { name: 'Ruhestunden' }).check();
  await page.getByLabel('Von', { exact: true }).fill('21:30');
  await page.getByLabel('So', { exact: true }).uncheck();
  await page.getByLabel('Warnungen kommen').selectOption('taeglich');
  await button('Speichern').click();
  await page.getByText('Gespeichert.').waitFor();
  await page.reload();
  await page.getByText('Unterschrieben wird mit dem Geheimnis').waitFor();
  expect(await page.getByLabel('Von', { exact: true }).inputValue()).toBe('21:30');
  expect(await page.getByLabel('So', { exact: true }).isChecked()).toBe(false);
  expect(await page.content()).not.toContain(secret);

  await putAlarm(cockpit.sql, cockpit.mandantId);
  await page.reload();
  const before = receiver.received.length;
  await button('Zustellung an Webhook wiederholen').click();
  await until('the delivery', () => receiver.received.length > before);
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ typ: 'alarm', titel: 'Titel' });
  await checkInBothThemes(page, 'alarms');
  await checkOnPhone(page, 'alarms');
  await leave(visit);
});

test('a recipient is asked by mail, agrees, and stops the mails again', async () => {
  const { browser, address, cookie, sql, mailbox, mandantId } = cockpit;
  const visit = await openPage(browser, address, { cookie, bypassCSP: true });
  const { page } = visit;
  const recipient = 'bereitschaft@example.org';
  await page.goto('/einstellungen/alarme');
  await page.getByLabel('Weitere Adresse').fill(recipient);
  await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
  await page.getByText('wartet auf Bestätigung', { exact: true }).waitFor();
  await checkInBothThemes(page, 'alarms with a recipient who waits');
  await checkOnPhone(page, 'alarms with a recipient who waits');
  // Nobody has confirmed in whose name the question comes.
  await page.getByRole('button', { name: `${recipient} noch einmal fragen` }).click();
  await page
    .getByText('Die Mail geht hinaus, sobald ein Inhaber seine eigene Adresse bestätigt hat.')
    .waitFor();
  await sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE mandant_id = $1', [mandantId]);
  await page.getByRole('button', { name: `${recipient} noch einmal fragen` }).click();
  await page.getByText(`${recipient} wird per Mail gefragt.`).waitFor();

  const link = await mailbox.linkTo(recipient, '/post');
  const theirs = await openPage(browser, address, { bypassCSP: true });
  await theirs.page.goto(`${new URL(link).pathname}${new URL(link).search}`);
  await theirs.page.getByText('Diese Mails kommen erst, wenn Sie zustimmen.').waitFor();
  await checkInBothThemes(theirs.page, 'the page behind a link of a mail');
  await checkOnPhone(theirs.page, 'the page behind a link of a mail');
  await theirs.page.getByRole('button', { name: 'Mails bekommen', exact: true }).click();
  await theirs.page.getByText('Diese Mails kommen an Ihre Adresse.').waitFor();
  await page.reload();
  await page.getByText('bestätigt', { exact: true }).waitFor();
  await theirs.page.getByRole('button', { name: 'Keine Mails bekommen', exact: true }).click();
  await theirs.page.getByText('Diese Mails kommen nicht mehr.').waitFor();
  await page.reload();
  await page.getByText('abgemeldet', { exact: true }).waitFor();
  await theirs.page.goto('/post?token=falsch');
  await theirs.page.getByText('Der Link gilt nicht mehr').waitFor();
  await leave(theirs, ['404 /v1/post/empfang']);
  await leave(visit);
});
