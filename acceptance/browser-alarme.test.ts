/** Alarms in the cockpit: a channel set up and tried, the secret shown once, quiet hours, a delivery repeated. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBothThemes, checkOnPhone } from '#test/accessible.ts';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, startCockpit } from '#test/cockpit.ts';
import { putAlarm } from '#test/put-alarm.ts';
import { type Receiver, startReceiver, status } from '#test/receiver.ts';
import { until } from '#test/until.ts';

let cockpit: Cockpit;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  cockpit = await startCockpit({ ERLAUBTE_NETZE: '127.0.0.0/8' });
}, 120_000);
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
  await page.getByText(/^Die Probe ist angekommen/).waitFor();
  receiver.answers.splice(0, 1, status(404));
  await button('Webhook testen').click();
  await page.getByText('Der Empfänger hat mit 404 geantwortet.').waitFor();
  receiver.answers.splice(0, 1, status(200));

  await button('Geheimnis erzeugen').click();
  const secret = await page.getByRole('status', { name: 'Geheimnis' }).textContent();
  await checkInBothThemes(page, 'alarms with a fresh secret');
  await button('Webhook testen').click();
  await page.getByText(/^Die Probe ist angekommen/).waitFor();
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

  const [row] = await cockpit.sql<{ mandant_id: string }>('SELECT mandant_id FROM mandanten');
  await putAlarm(cockpit.sql, row?.mandant_id as string);
  await page.reload();
  const before = receiver.received.length;
  await button('Zustellung an Webhook wiederholen').click();
  await until('the delivery', () => receiver.received.length > before);
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ typ: 'alarm', titel: 'Titel' });
  await checkInBothThemes(page, 'alarms');
  await checkOnPhone(page, 'alarms');
  await leave(visit);
}, 120_000);
