/** Reports by mail, through the outbox and a real SMTP server; what that takes is read by a parser that is not ours. */

import type { Email } from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { postausgangJobs } from '#domains/postausgang/index.ts';
import { createRunner } from '#jobs/runner.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Documents } from '#platform/documents.ts';
import { createMailer } from '#platform/mail.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { type Mailbox, startMailbox } from '#test/mailbox.ts';
import { openPdf, pagesOf } from '#test/read-pdf.ts';
import { startService, type TestService } from '#test/service.ts';
import { fillWeeks, MONDAY } from '#test/weeks.ts';
import { wocheVersendenJob } from './woche-versenden.ts';

const BASE = 'https://zw.example.org';

let service: TestService;
let owner: OwnerDatabase;
let mailbox: Mailbox;
let ours: Account;

beforeAll(async () => {
  service = await startService({ BASE_URL: BASE });
  owner = ownerOf(service);
  mailbox = await startMailbox();

  ours = await registerAccount(service, 'Muster & Söhne GmbH');
  await fillWeeks(service, ours);
});
afterAll(async () => {
  await mailbox.stop();
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  service.clock.set(MONDAY);
  await subscribe(ours.benutzerId);
});
afterEach(async () => {
  mailbox.mails.length = 0;
  for (const table of [
    'postausgang',
    'postbudgets',
    'auftraege',
    'eingang',
    'bericht_abos',
    'bericht_versendungen',
  ])
    await service.sql(`DELETE FROM ${table}`);
});

const subscribe = (benutzerId: string, since = '2026-11-01T00:00:00Z', account = ours) =>
  service.sql('INSERT INTO bericht_abos VALUES ($1, $2, $3)', [account.mandantId, benutzerId, since]);
const job = (changed: object = {}) => wocheVersendenJob({ ...service.context, owner, ...changed } as never);
const run = async () => (await job().run({} as never)) as { mails: number };

/** Sends what waits in the outbox. */
async function deliver(): Promise<Email[]> {
  const { log, secrets, config } = service.context;
  const mailer = createMailer({ ...config, smtpUrl: mailbox.url }, log);
  const jobs = postausgangJobs({ ...service.context, owner, mailer, secrets } as never);
  const runner = createRunner({ jobs, db: owner, log, observe: () => undefined });
  await runner.runDue();
  await runner.stop();
  mailer.close();
  return mailbox.mails;
}
const plain = (text: string | undefined) => (text ?? '').replaceAll('\u00a0', ' ').replaceAll('\u2060', '');

test('arrives as a page, as text with the same figures, and as a PDF; once', async () => {
  expect(await run()).toEqual({ mails: 1 });
  expect(await run()).toEqual({ mails: 0 });
  const [mail, ...others] = await deliver();
  expect(others).toEqual([]);
  expect(mail?.to?.map(({ address }) => address)).toEqual([ours.email]);
  expect(mail?.subject).toBe('Wochenbericht Kalenderwoche 46/2026');
  const [html, text] = [plain(mail?.html), plain(mail?.text)];
  const pdf = new Uint8Array(mail?.attachments[0]?.content as ArrayBuffer);
  const printed = plain(
    (await pagesOf(pdf))
      .flat()
      .map((piece) => piece.text)
      .join(' '),
  );
  // Every amount of the text stands in the other forms.
  const amounts = text.match(/[+−]?[\d.]+,\d+ [€%]/g) ?? [];
  expect(amounts.length).toBeGreaterThan(20);
  for (const amount of amounts) {
    expect(html, amount).toContain(amount);
    expect(printed, amount).toContain(amount);
  }
  expect(text).toContain(
    'Kosten der Woche: 179,86 €\n9 Aufrufe ohne bekannten Preis sind darin nicht enthalten.\nVorwoche: 111,25 € (+61,7 %)',
  );
  expect(mail?.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    ['Wochenbericht Kalenderwoche 46-2026.pdf', 'application/pdf'],
  ]);
  expect((await openPdf(pdf)).numPages).toBeGreaterThan(1);
});

test('leads to where it is switched off, and loads nothing', async () => {
  await run();
  const [mail] = await deliver();
  const settings = `${BASE}/einstellungen/profil`;
  expect(mail?.html).toContain(`href="${settings}"`);
  expect(mail?.text).toContain(`Hier schalten Sie ihn aus:\n${settings}`);
  expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(`<${settings}>`);
  expect(mail?.html).not.toMatch(/<script|<img|<link|<form|url\(|@import|src=/i);
});

test.each([
  ['before Monday 7 o’clock', '2026-11-16T05:59:00Z', 0],
  ['on Monday at 7', '2026-11-16T06:00:00Z', 1],
  ['on Wednesday, when the service is back', '2026-11-18T20:00:00Z', 1],
  ['on Thursday', '2026-11-18T23:00:00Z', 0],
  ['on Sunday', '2026-11-22T12:00:00Z', 0],
])('%s: %s', async (_when, now, mails) => {
  service.clock.set(now);
  expect(await run()).toEqual({ mails });
});

test('each week has a mail of its own, what was missed for longer is not sent', async () => {
  await run();
  service.clock.set('2026-12-07T08:00:00Z');
  expect(await run()).toEqual({ mails: 1 });
  const mails = await deliver();
  // Several are delivered at a time: in no order.
  expect(mails.map(({ subject }) => subject?.slice(-7)).sort()).toEqual(['46/2026', '49/2026']);
});

test('several processes at once send each mail once', async () => {
  for (let each = 0; each < 5; each += 1)
    await subscribe((await addUser(service, ours, 'betrachter')).benutzerId);
  const ran = await Promise.all([run(), run(), run()]);
  expect(ran.reduce((sum, { mails }) => sum + mails, 0)).toBe(6);
  const mails = await deliver();
  expect(new Set(mails.map(({ to }) => to?.[0]?.address)).size).toBe(6);
  expect(mails).toHaveLength(6);
});

test('claim and mail are there together or not at all', async () => {
  const secrets = {
    ...service.context.secrets,
    seal: () => {
      throw new Error('died between claim and mail');
    },
  };
  await expect(job({ secrets }).run({} as never)).rejects.toThrow('Mandanten');
  expect(await service.sql('SELECT * FROM bericht_versendungen')).toEqual([]);
  expect(await service.mails()).toEqual([]);
  expect(await run()).toEqual({ mails: 1 });
});

test('only active users with a proven address of a Mandant that is not cancelled', async () => {
  const change = (columns: string, benutzerId: string) =>
    service.sql(`UPDATE benutzer SET ${columns} WHERE benutzer_id = $1`, [benutzerId]);
  for (const columns of ['aktiv = false', 'email_bestaetigt_am = NULL', 'email_verloren_am = now()']) {
    const { benutzerId } = await addUser(service, ours, 'betrachter');
    await subscribe(benutzerId);
    await change(columns, benutzerId);
  }
  const leaving = await registerAccount(service);
  await subscribe(leaving.benutzerId, undefined, leaving);
  await service.sql(
    "UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = now() WHERE mandant_id = $1",
    [leaving.mandantId],
  );
  expect(await run()).toEqual({ mails: 1 });
  expect((await service.mails()).map(({ an }) => an)).toEqual([ours.email]);
});

test('who switches it on after it was due gets the next one', async () => {
  const late = await addUser(service, ours, 'betrachter');
  await subscribe(late.benutzerId, '2026-11-16T06:30:00Z');
  expect(await run()).toEqual({ mails: 1 });
  service.clock.set('2026-11-23T06:00:00Z');
  expect(await run()).toEqual({ mails: 2 });
});

test('in the language of the reader', async () => {
  const reader = await addUser(service, ours, 'betrachter');
  await service.sql("UPDATE benutzer SET sprache = 'en' WHERE benutzer_id = $1", [reader.benutzerId]);
  await subscribe(reader.benutzerId);
  expect(await run()).toEqual({ mails: 2 });
  const mails = await deliver();
  const mail = mails.find(({ to }) => to?.[0]?.address === reader.email);
  expect(mail?.subject).toBe('Weekly report for week 46/2026');
  expect(mail?.text).toContain('Cost of the week: €179.86');
  expect(mail?.html).toContain('lang="en"');
});

test('waits for counting that is behind, half a day, then says that it is preliminary', async () => {
  await service.sql(
    `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten)
     VALUES ($1, gen_random_uuid(), '2026-11-15T20:00:00Z', gen_random_uuid(), 1, 1, '')`,
    [ours.mandantId],
  );
  expect(await run()).toEqual({ mails: 0 });
  service.clock.set('2026-11-16T18:00:00Z');
  expect(await run()).toEqual({ mails: 1 });
  expect((await service.mails())[0]?.text).toContain('Vorläufig:');
});

test('one Mandant that fails does not keep the others', async () => {
  const others = await registerAccount(service);
  await subscribe(others.benutzerId, undefined, others);
  const broken: Documents = {
    ...service.context.documents,
    make: (mandant, module, model) =>
      JSON.stringify(model).includes('Söhne')
        ? Promise.reject(new Error('no paper'))
        : service.context.documents.make(mandant, module, model),
  };
  await expect(job({ documents: broken }).run({} as never)).rejects.toThrow('failed for 1 of 2 Mandanten');
  expect((await service.mails()).map(({ an }) => an)).toEqual([others.email]);
});

test('claims are forgotten after eight weeks', async () => {
  const put = (woche: string) =>
    service.sql('INSERT INTO bericht_versendungen VALUES ($1, $2, $3, now())', [
      ours.mandantId,
      ours.benutzerId,
      woche,
    ]);
  await put('2026-09-14');
  await put('2026-09-21');
  await service.sql(`UPDATE uhrstand SET vergangen_bis = $1`, [service.context.clock.now()]);
  await run();
  const kept = await service.sql('SELECT woche::text AS woche FROM bericht_versendungen ORDER BY 1');
  expect(kept).toEqual([{ woche: '2026-09-21' }, { woche: '2026-11-09' }]);
});

test('a name makes no link and no line of its own', async () => {
  await service.sql(
    "UPDATE agenten SET name = 'Rechnung offen: https://boese.example/zahlen <b>jetzt</b>' WHERE mandant_id = $1 AND schluessel = 'support/triage'",
    [ours.mandantId],
  );
  await run();
  const [mail] = await deliver();
  expect(mail?.html).not.toMatch(/https:\/\/boese\.example|<b>/);
  expect(mail?.text).not.toContain('https://boese.example');
});
