/** The whole way of a mail: raised, distributed, put into the outbox, taken by a real SMTP server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postausgangJobs } from '#domains/postausgang/index.ts';
import { createMailer, type Mailer } from '#platform/mail.ts';
import { type AlarmBench, createAlarmBench } from '#test/alarms.ts';
import { type Mailbox, startMailbox } from '#test/mailbox.ts';
import { raiseAlarm } from '../index.ts';

let bench: AlarmBench;
let mailbox: Mailbox;
let mailer: Mailer;
beforeAll(async () => {
  bench = await createAlarmBench();
  mailbox = await startMailbox();
  const mailFrom = 'Zählwerk <zaehlwerk@example.org>';
  mailer = createMailer({ smtpUrl: mailbox.url, mailFrom, baseUrl: 'https://zw.example.org' }, bench.log);
});
afterAll(async () => {
  mailer?.close();
  await mailbox?.stop();
  await bench?.stop();
});

test('reaches each recipient in a mail of its own, once, with the link to the cockpit', async () => {
  const recipients = ['anna@example.org', 'bereitschaft@example.org'];
  const mandant = await bench.mandantWith({}, recipients);
  await bench.owner.transaction((client) =>
    raiseAlarm(client, mandant, {
      ursache: 'lauf:1',
      stufe: 'anhalten',
      titel: { de: 'Lauf „Größe“\r\nBcc: opfer@example.org', en: 'Run' },
      text: { de: 'Er kostete 1.234,50 €.\nEr drehte sich im Kreis.', en: 'It went in circles.' },
      pfad: '/befunde/1',
    }),
  );
  await bench.runDue();
  // Handed over with the note that it was: nothing is put into the outbox twice.
  await bench.runDue();
  const [delivery] = await bench.deliveries(mandant);
  expect(delivery).toMatchObject({ kanal: 'email', status: 'zugestellt', versuche: 1 });
  const outbox = bench.runner(...postausgangJobs({ ...bench.context, mailer }));
  await outbox.runDue();
  await outbox.runDue();

  const to = mailbox.mails.map((mail) => mail.to?.map(({ address }) => address));
  expect(to.toSorted()).toEqual(recipients.map((address) => [address]));
  expect(new Set(mailbox.mails.map(({ messageId }) => messageId)).size).toBe(2);
  for (const mail of mailbox.mails) {
    expect(mail.subject).toBe('Alarm: Lauf „Größe“ Bcc: opfer@example.org');
    expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
    for (const text of [mail.text, mail.html]) {
      expect(text).toContain('Er kostete 1.234,50 €.');
      expect(text).toContain('https://zw.example.org/befunde/1');
    }
  }
});
