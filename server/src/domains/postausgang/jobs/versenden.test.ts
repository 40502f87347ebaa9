/** Against a real SMTP server on a port of its own; what it takes is read by a parser that is not ours. */

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRunner, type Runner } from '#jobs/runner.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createPool, createRequestDatabase } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { createMailer, type Mail } from '#platform/mail.ts';
import { createSecretBox } from '#platform/secret-box.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { attachment, MAX_ATTACHED } from '../attachment.ts';
import { toMail } from '../letter.ts';
import { queueMail } from '../store.ts';
import { versendenJob } from './versenden.ts';

interface Taken {
  /** Recipients as the server was told, apart from what the headers say. */
  recipients: string[];
  mail: Email;
}

let database: TestDatabase;
let pool: pg.Pool;
let requests: pg.Pool;
let smtp: SMTPServer;
let port: number;
const taken: Taken[] = [];
const lines: string[] = [];
/** What the server answers to every recipient; null for taking the mail. */
let refusal: string | null = null;

const mandant = mandantId(randomUUID());
const secrets = createSecretBox(randomBytes(32));
const log = createLog('info', { write: (line) => void lines.push(line) });

beforeAll(async () => {
  database = await cloneDatabase();
  const options = { max: 6, statementTimeout: 15_000, name: 'test' };
  pool = createPool({ ...options, connection: database.connection }, log);
  requests = createPool({ ...options, connection: database.requests, pipeline: true }, log);
  smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refusal === null ? null : new Error(refusal)),
    onData: async (stream, session, done) => {
      const raw = Buffer.concat(await stream.toArray());
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      taken.push({ recipients, mail: await PostalMime.parse(raw) });
      done();
    },
  });
  // A client that hangs up at the end of a test is no matter.
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  port = (smtp.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(resolve));
  await Promise.all([pool.end(), requests.end()]);
  await database.drop();
});
beforeEach(async () => {
  taken.length = 0;
  lines.length = 0;
  refusal = null;
  await pool.query('DELETE FROM postausgang');
  await pool.query('DELETE FROM auftraege');
});

/** Sends with a mailer of its own, as an instance does. */
async function withSender<T>(work: (sender: Runner) => Promise<T>, smtpPort: number | null = port) {
  const smtpUrl = smtpPort === null ? null : `smtp://127.0.0.1:${smtpPort}`;
  const mailFrom = 'Zählwerk <zaehlwerk@example.org>';
  const mailer = createMailer({ smtpUrl, mailFrom, baseUrl: 'https://zw.example.org' }, log);
  const db = createOwnerDatabase(pool);
  const jobs = [versendenJob({ owner: db, mailer, secrets, log })];
  const sender = createRunner({ jobs, db, log, observe: () => undefined });
  try {
    return await work(sender);
  } finally {
    await sender.stop();
    mailer.close();
  }
}
/** Runs what is due; resolves with how many mails went out. */
async function sendDue(smtpPort?: number | null): Promise<number> {
  const before = sent().length;
  await withSender((sender) => sender.runDue(), smtpPort);
  return sent().length - before;
}

const MAIL = toMail({ an: 'a@example.org', betreff: 'Guten Tag', absaetze: ['Hallo.'] });
const queue = (mail: Mail = MAIL, validSeconds = 3_600) =>
  createRequestDatabase(requests).forMandant(mandant, (tx) =>
    queueMail(tx, secrets, { art: 'betreiber', mail, gueltig: validSeconds }),
  );
/** The mails of the outbox, each with its job. */
async function waiting() {
  const { rows } = await pool.query<{
    versuche: number | null;
    fehler: string | null;
    faellig_am: string;
    inhalt: Buffer;
  }>(
    `SELECT versuche, fehler, inhalt, faellig_am FROM postausgang p
     FULL JOIN auftraege a ON a.mandant_id = p.mandant_id AND a.nutzlast = jsonb_build_object('post_id', p.post_id)`,
  );
  return rows;
}
const now = async () => Date.parse((await pool.query('SELECT now() AS now')).rows[0].now);

/** Tries what is due, which is refused, and expects that it waits this many seconds from then on. */
async function expectPostponed(seconds: number, smtpPort?: number): Promise<void> {
  const before = await now();
  expect(await sendDue(smtpPort)).toBe(0);
  const after = await now();
  for (const { faellig_am } of await waiting()) {
    expect(Date.parse(faellig_am) - seconds * 1_000).toBeGreaterThanOrEqual(before);
    expect(Date.parse(faellig_am) - seconds * 1_000).toBeLessThanOrEqual(after);
  }
}
const makeDue = () => pool.query('UPDATE auftraege SET faellig_am = now()');
const logged = (msg: string) => lines.map((line) => JSON.parse(line)).filter((entry) => entry.msg === msg);
const sent = () => logged('job done').filter(({ gesendet }) => gesendet);

test('a mail arrives as it was written, once, and is gone from the outbox and from the log', async () => {
  const betreff = 'Einladung: Äpfel, Öl & Übermut – „größer“ 🦊';
  const link = { text: 'Annehmen', adresse: 'https://zw.example.org/einladung?token=geheimes-token' };
  await queue(toMail({ an: 'frau.müller@example.org', betreff, absaetze: ['Grüße', 'ß'.repeat(300)], link }));
  expect(await sendDue()).toBe(1);
  expect(await sendDue()).toBe(0);

  expect(taken.map(({ recipients }) => recipients)).toEqual([['frau.müller@example.org']]);
  const { mail } = taken[0] as Taken;
  expect(mail.subject).toBe(betreff);
  expect(mail.from).toMatchObject({ name: 'Zählwerk', address: 'zaehlwerk@example.org' });
  expect(mail.text).toContain(`Grüße\n\n${'ß'.repeat(300)}\n\nAnnehmen:\n${link.adresse}`);
  expect(mail.html).toContain(`href="${link.adresse}"`);
  expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
  expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@zw\.example\.org>$/);
  expect(await waiting()).toEqual([]);
  expect(lines.join('')).not.toMatch(/geheimes-token|müller|Äpfel/);
});

test('attachments arrive byte for byte, under their names', async () => {
  const pdf = randomBytes(300_000);
  const anhaenge = [
    attachment('Übersicht März – „Groß“ & Söhne.pdf', 'application/pdf', pdf),
    attachment('leer.csv', 'text/csv', new Uint8Array()),
  ];
  await queue({ ...MAIL, anhaenge, abbestellen: 'https://zw.example.org/konto' });
  expect((await waiting())[0]?.inhalt.includes(pdf.subarray(0, 30).toString('base64'))).toBe(false);
  expect(await sendDue()).toBe(1);
  const { mail } = taken[0] as Taken;
  expect(mail.html).toContain('Hallo.');
  expect(mail.text).toContain('Hallo.');
  expect(
    mail.attachments.map(({ filename, mimeType, disposition }) => ({ filename, mimeType, disposition })),
  ).toEqual([
    {
      filename: 'Übersicht März – „Groß“ & Söhne.pdf',
      mimeType: 'application/pdf',
      disposition: 'attachment',
    },
    { filename: 'leer.csv', mimeType: 'text/csv', disposition: 'attachment' },
  ]);
  const [first, second] = mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer));
  expect(first?.equals(pdf)).toBe(true);
  expect(second).toHaveLength(0);
  expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(
    '<https://zw.example.org/konto>',
  );
});

test('a mail carries so much and no more: nothing is put into the outbox that cannot arrive', async () => {
  const half = new Uint8Array(MAX_ATTACHED / 2);
  const two = [attachment('a.pdf', 'application/pdf', half), attachment('b.pdf', 'application/pdf', half)];
  await queue({ ...MAIL, anhaenge: two });
  expect(await sendDue()).toBe(1);
  expect(taken[0]?.mail.attachments).toHaveLength(2);
  const more = [...two, attachment('c', 'text/plain', new Uint8Array(1))];
  await expect(queue({ ...MAIL, anhaenge: more })).rejects.toThrow(RangeError);
  expect(await waiting()).toEqual([]);
});

test.each([
  '../../etc/passwd',
  'A\r\nContent-Type: text/html\r\n\r\n<b>.pdf',
  '"; filename="b.exe',
  'a/b\\c.pdf',
  '\u202efdp.exe',
])('the name of an attachment is a name and nothing else: %j', async (name) => {
  await queue({ ...MAIL, anhaenge: [attachment(name, 'application/pdf', Buffer.from('%PDF'))] });
  expect(await sendDue()).toBe(1);
  const { mail } = taken[0] as Taken;
  expect(mail.attachments).toHaveLength(1);
  expect(mail.attachments[0]?.mimeType).toBe('application/pdf');
  expect(mail.attachments[0]?.filename).not.toMatch(/[/\\:"<>|\r\n\u202e]/);
  expect(mail.text).toContain('Hallo.');
});

test('what waits is not readable in the database', async () => {
  await queue(toMail({ an: 'a@example.org', betreff: 'b', absaetze: ['Kanarienvogel'] }));
  const [row] = await waiting();
  expect(row?.inhalt.toString('latin1')).not.toMatch(/Kanarienvogel|example/);
  expect(JSON.parse(secrets.open(row?.inhalt as Buffer).toString())).toMatchObject({ an: 'a@example.org' });
});

test.each([
  'A\r\nBcc: opfer@example.org',
  'A\nTo: opfer@example.org\n\nein anderer Text',
  'A\r\n.\r\nRCPT TO:<opfer@example.org>',
  'A\u2028Bcc: opfer@example.org',
])('a name adds neither headers nor recipients: %j', async (name) => {
  await queue(toMail({ an: 'a@example.org', betreff: `Post von ${name}`, absaetze: [name] }));
  expect(await sendDue()).toBe(1);
  const { mail, recipients } = taken[0] as Taken;
  expect(recipients).toEqual(['a@example.org']);
  expect(mail.to?.map(({ address }) => address)).toEqual(['a@example.org']);
  expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
  expect(mail.subject).toMatch(/^Post von A /);
  expect(mail.text).toContain('Zählwerk');
});

test.each([
  'a@example.org, opfer@example.org',
  'a@example.org\r\nBcc: opfer@example.org',
  'a@example.org;opfer@example.org',
])('an address is never read as several: %j', async (an) => {
  await queue({ ...MAIL, an });
  await sendDue();
  for (const { recipients, mail } of taken) {
    expect(recipients).not.toContain('opfer@example.org');
    expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
  }
  expect(taken.length + (await waiting()).length).toBe(1);
});

test('a mail the server refuses stays, with the reason, and is tried again later and later', async () => {
  await queue(MAIL, 24 * 3_600);
  refusal = 'Postfach voll';
  await expectPostponed(30);
  expect(await waiting()).toMatchObject([{ versuche: 1, fehler: expect.stringContaining('Postfach voll') }]);
  expect(logged('job failed')).toMatchObject([{ level: 'warn', attempt: 1, mandant }]);

  // Not before its time.
  expect(await sendDue()).toBe(0);
  expect(await waiting()).toMatchObject([{ versuche: 1 }]);
  await makeDue();
  await expectPostponed(60);
  expect(await waiting()).toMatchObject([{ versuche: 2 }]);
  await pool.query('UPDATE auftraege SET versuche = 40, faellig_am = now()');
  await expectPostponed(3_600);
  expect(await waiting()).toMatchObject([{ versuche: 41 }]);

  refusal = null;
  await makeDue();
  expect(await sendDue()).toBe(1);
  expect(taken).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

test('a server that is not there holds up nothing else and is tried again', async () => {
  await queue();
  await queue();
  // Nobody listens on the first port.
  await expectPostponed(30, 1);
  expect(await waiting()).toMatchObject([
    { versuche: 1, fehler: expect.stringContaining('ECONNREFUSED') },
    { versuche: 1, fehler: expect.stringContaining('ECONNREFUSED') },
  ]);
});

test('two senders at once send each mail once', async () => {
  const mails = 30;
  for (let number = 0; number < mails; number += 1) await queue({ ...MAIL, betreff: `Nummer ${number}` });
  await Promise.all([sendDue(), sendDue(), sendDue()]);
  expect(sent()).toHaveLength(mails);
  expect(new Set(taken.map(({ mail }) => mail.subject)).size).toBe(mails);
  expect(new Set(taken.map(({ mail }) => mail.messageId)).size).toBe(mails);
  expect(taken).toHaveLength(mails);
  expect(await waiting()).toEqual([]);
});

test('without a mail server the log names what is attached', async () => {
  await queue({
    ...MAIL,
    anhaenge: [attachment('Bericht.pdf', 'application/pdf', Buffer.from('%PDF-geheim'))],
  });
  expect(await sendDue(null)).toBe(0);
  expect(logged('mail')).toMatchObject([{ betreff: MAIL.betreff, anhaenge: ['Bericht.pdf'] }]);
  expect(lines.join('')).not.toMatch(/geheim|JVBERi/);
});

test('a mail that comes too late is not sent, and the log says so', async () => {
  await queue(MAIL, -1);
  refusal = 'nein';
  await queue(MAIL, 3_600);
  await sendDue();
  await pool.query('UPDATE postausgang SET verfaellt_am = now()');
  await makeDue();
  refusal = null;
  expect(await sendDue()).toBe(0);
  expect(taken).toEqual([]);
  expect(await waiting()).toEqual([]);
  const given = logged('mail given up');
  expect(given).toMatchObject([
    { level: 'error', mandant, reason: null },
    { level: 'error', mandant, reason: expect.stringContaining('nein') },
  ]);
});

test('without a mail server the whole text goes to the log', async () => {
  const link = { text: 'Annehmen', adresse: 'https://zw.example.org/einladung?token=steht-im-log' };
  const mail = toMail({ an: 'a@example.org', betreff: 'Grüße', absaetze: ['Hallo.'], link });
  await queue(mail);
  // Nobody hears that it went.
  expect(await sendDue(null)).toBe(0);
  expect(logged('job done')).toMatchObject([{ gesendet: false }]);
  expect(logged('mail')).toMatchObject([{ an: 'a@example.org', betreff: 'Grüße', text: mail.text }]);
  expect(mail.text).toContain('steht-im-log');
  expect(await waiting()).toEqual([]);
});

test('a level that keeps the log short leaves the links in that let somebody in, and them alone', async () => {
  const find = async (level: string) => {
    const written: string[] = [];
    const mailer = createMailer(
      { smtpUrl: null, mailFrom: 'a@example.org', baseUrl: 'https://zw.example.org' },
      createLog(level, { write: (line) => void written.push(line) }),
    );
    expect(await mailer.send('1', { ...MAIL, betreff: 'Link', zugangslink: true })).toBe(false);
    expect(await mailer.send('2', MAIL)).toBe(false);
    return written.map((line) => JSON.parse(line).betreff);
  };
  expect(await find('info')).toEqual(['Link', MAIL.betreff]);
  for (const level of ['warn', 'error', 'fatal']) expect(await find(level)).toEqual(['Link']);
  expect(await find('silent')).toEqual([]);
});

test('a mail is looked at when it is too late, however long the pause would be', async () => {
  await queue(MAIL, 100);
  await pool.query('UPDATE auftraege SET versuche = 40');
  refusal = 'nein';
  const until = Date.parse((await pool.query('SELECT verfaellt_am FROM postausgang')).rows[0].verfaellt_am);
  expect(await sendDue()).toBe(0);
  expect(await waiting()).toMatchObject([{ versuche: 41 }]);
  expect(Date.parse((await waiting())[0]?.faellig_am ?? '')).toBe(until);
});

test('a mail that was taken and is still there is sent again as the same one; one that is gone is not', async () => {
  await queue();
  const [mail] = (await pool.query('SELECT * FROM postausgang')).rows;
  const job = (await pool.query('SELECT * FROM auftraege')).rows[0];
  // Dies after the server has taken it, before it is removed: the claim lapses.
  await sendDue();
  await pool.query(
    'INSERT INTO postausgang (mandant_id, post_id, inhalt, erstellt_am, verfaellt_am) VALUES ($1, $2, $3, $4, $5)',
    [mail.mandant_id, mail.post_id, mail.inhalt, mail.erstellt_am, mail.verfaellt_am],
  );
  const putBack = () =>
    pool.query(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, versuche)
       VALUES ($1, $2, $3, $4, $5, 1)`,
      [job.mandant_id, job.auftrag_id, job.job, job.fassung, job.nutzlast],
    );
  await putBack();
  expect(await sendDue()).toBe(1);
  expect(new Set(taken.map(({ mail }) => mail.messageId)).size).toBe(1);
  expect(taken).toHaveLength(2);
  // Dies after the removal, before the job is done.
  await putBack();
  expect(await sendDue()).toBe(0);
  expect(taken).toHaveLength(2);
  expect(await waiting()).toEqual([]);
});

test('a mail and its job exist together: neither when the transaction is undone', async () => {
  const undone = createRequestDatabase(requests).forMandant(mandant, async (tx) => {
    await queueMail(tx, secrets, { art: 'betreiber', mail: MAIL, gueltig: 3_600 });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await waiting()).toEqual([]);
});

test('once started it sends what is put into the outbox, until it is stopped', async () => {
  await withSender(async (sender) => {
    sender.start();
    await queue();
    sender.wake('postausgang.versenden');
    await expect.poll(() => taken.length).toBe(1);
  });
  await queue();
  expect(await waiting()).toMatchObject([{ versuche: 0 }]);
});

test('a mail that can be stopped says so in its head, and where answers go', async () => {
  const klick = 'https://zw.example.org/v1/post/abmelden?token=t';
  const abbestellen = { text: 'Keine mehr', seite: 'https://zw.example.org/post?token=t', klick };
  await queue(
    toMail({
      an: 'a@example.org',
      betreff: 'Guten Tag',
      absaetze: ['Hallo.'],
      abbestellen,
      antwortAn: 'chef@firma.example',
    }),
  );
  await sendDue();
  const [mail] = taken.map((one) => one.mail);
  const head = new Map(mail?.headers.map(({ key, value }) => [key, value]));
  expect(head.get('list-unsubscribe')).toBe(`<${klick}>`);
  expect(head.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  // The sender stays the operator's.
  expect([mail?.from?.address, mail?.from?.name]).toEqual(['zaehlwerk@example.org', 'Zählwerk']);
  expect(mail?.replyTo?.map(({ address }) => address)).toEqual(['chef@firma.example']);
});
