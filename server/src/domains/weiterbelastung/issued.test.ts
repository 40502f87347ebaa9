/** What was issued of a closed month is what everybody gets from then on, whatever would be made today. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRunner } from '#jobs/runner.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { readRecords } from '#test/formats/extf/read.ts';
import { ownerOf } from '#test/jobs.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { pagesOf } from '#test/read-pdf.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { unzipBytes } from '#test/unzip.ts';
import { abrechnungVersendenJob } from './jobs/abrechnung-versenden.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let account: Account;
let make: TestService['context']['documents']['make'];
beforeAll(async () => {
  service = await startService({ SMTP_URL: 'smtp://127.0.0.1:1' });
  owner = ownerOf(service);
  ({ make } = service.context.documents);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  service.clock.set('2026-12-05T10:30:00Z');
  account = await registerAccount(service);
  for (const referenz of ['K-1', 'K-2'])
    await ask('POST', '/endkunden', {
      referenz,
      name: `Firma ${referenz}`,
      email: `${referenz}@eins.example`,
    });
  await call({ endkunde_ref: 'K-1' }, { endkunde_ref: 'K-2' });
});
afterEach(() => {
  service.context.documents.make = make;
});

const raw = (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { cookie: account.cookie },
    ...(payload ? { payload } : {}),
  });
async function ask(...args: Parameters<typeof raw>) {
  const answer = await raw(...args);
  expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(300);
  return answer;
}
async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}
const close = () => ask('POST', '/abrechnung/abschliessen', { monat: '2026-10' });

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const single = async (referenz = 'K-1', monat = '2026-10') =>
  sha256((await ask('GET', `/endkunden/${referenz}/abrechnung.pdf?monat=${monat}`)).rawPayload);
async function zipped() {
  const files = await unzipBytes((await ask('GET', '/export/abrechnungen.zip?monat=2026-10')).rawPayload);
  const of = (referenz: string) => sha256(files.get(`abrechnung-2026-10-${referenz}.pdf`) as Buffer);
  return { 'K-1': of('K-1'), 'K-2': of('K-2') };
}
const order = (referenz = 'K-1') =>
  ask('POST', '/abrechnung/versenden', { monat: '2026-10', referenz, erneut: true });
async function work(): Promise<void> {
  const jobs = [abrechnungVersendenJob(service.context)];
  const runner = createRunner({ jobs, db: owner, log: service.context.log, observe: () => undefined });
  await runner.runDue();
  await runner.stop();
}
async function lastMail() {
  const mail = (await service.mails()).at(-1);
  return sha256(Buffer.from(mail?.anhaenge?.[0]?.inhalt ?? '', 'base64'));
}
async function mailed() {
  await order();
  await work();
  return lastMail();
}

/** As if a later release set the same figures otherwise. */
const dressOtherwise = (name: string) =>
  service.sql(
    `UPDATE abrechnungsmonate SET absender = json_build_object('name', $2::text, 'farbe', null, 'fusszeile', null) WHERE mandant_id = $1`,
    [account.mandantId, name],
  );
const documents = () =>
  service.sql<{ monat: string; referenz: string; sha256: string; bytes: string }>(
    `SELECT to_char(monat, 'YYYY-MM') AS monat, referenz, sha256, encode(sha256(pdf), 'hex') AS bytes
     FROM abrechnung_dokumente WHERE mandant_id = $1 ORDER BY monat, referenz`,
    [account.mandantId],
  );
const audited = async () =>
  (
    await service.sql<{ sha256: string }>(
      `SELECT nachher ->> 'sha256' AS sha256 FROM pruefprotokoll WHERE mandant_id = $1
         AND aktion = 'weiterbelastung.ausgegeben' AND nachher ->> 'format' = 'pdf' ORDER BY eintrag_id`,
      [account.mandantId],
    )
  ).map((row) => row.sha256);

test.each([
  ['a download', single],
  ['a mail', mailed],
  ['the archive', async () => (await zipped())['K-1']],
] as const)('what was first issued by %s is what every later one gives', async (_, issue) => {
  await close();
  const first = await issue();
  await dressOtherwise('Ganz anders GmbH');
  expect([await single(), await mailed(), (await zipped())['K-1']]).toEqual([first, first, first]);
  expect(new Set(await audited())).toEqual(new Set([first]));
  const kept = (await documents()).find(({ referenz }) => referenz === 'K-1');
  expect(kept).toEqual({ monat: '2026-10', referenz: 'K-1', sha256: first, bytes: first });
  // What would be made today is another one, which is why it is kept.
  await service.sql('DELETE FROM abrechnung_dokumente WHERE mandant_id = $1', [account.mandantId]);
  expect(await single()).not.toBe(first);
});

test('nothing of an open month is kept, and what a later month corrects has a document of its own', async () => {
  const open = await single();
  await zipped();
  expect(await documents()).toEqual([]);
  await close();
  const closed = await single();
  expect(closed).not.toBe(open);
  await call({ endkunde_ref: 'K-1' });
  await ask('POST', '/abrechnung/abschliessen', { monat: '2026-11' });
  const november = await single('K-1', '2026-11');
  expect(await single()).toBe(closed);
  expect((await documents()).map((row) => [row.monat, row.referenz, row.sha256])).toEqual([
    ['2026-10', 'K-1', closed],
    ['2026-11', 'K-1', november],
  ]);
});

test('of two that are made at once the first that is kept is what both get', async () => {
  await close();
  const together = Promise.withResolvers<void>();
  let made = 0;
  service.context.documents.make = async () => {
    made += 1;
    const bytes = Buffer.from(`%PDF-${made}`);
    if (made === 2) together.resolve();
    await together.promise;
    return bytes;
  };
  await order();
  const [a] = await Promise.all([single(), work()]);
  expect(made).toBe(2);
  expect(await lastMail()).toBe(a);
  expect(await audited()).toEqual([a, a]);
  expect((await documents()).map((row) => row.sha256)).toEqual([a]);
  expect(await mailed()).toBe(a);
  expect(made).toBe(2);
});

test('what could not be kept has not left', async () => {
  await close();
  await service.sql(`
    CREATE FUNCTION voll() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER voll BEFORE INSERT ON abrechnung_dokumente EXECUTE FUNCTION voll()`);
  try {
    expect(
      (await raw('GET', '/endkunden/K-1/abrechnung.pdf?monat=2026-10')).statusCode,
    ).toBeGreaterThanOrEqual(500);
    await order();
    const before = (await service.mails()).length;
    await work();
    expect((await service.mails()).length).toBe(before);
  } finally {
    await service.sql('DROP TRIGGER voll ON abrechnung_dokumente; DROP FUNCTION voll()');
  }
  expect([await audited(), await documents()]).toEqual([[], []]);
  expect(await audited()).toEqual([]);
  expect(await single()).toBe((await documents())[0]?.sha256);
});

test('a document larger than any is neither kept nor given out', async () => {
  await close();
  service.context.documents.make = async () => Buffer.alloc(16 * 1024 * 1024 + 1);
  expect((await raw('GET', '/endkunden/K-1/abrechnung.pdf?monat=2026-10')).statusCode).toBe(500);
  const files = await unzipBytes((await ask('GET', '/export/abrechnungen.zip?monat=2026-10')).rawPayload);
  expect([...files.keys()]).toEqual(['abrechnungen-2026-10.csv']);
  expect(await documents()).toEqual([]);
});

test('requests can neither change nor remove what was issued', async () => {
  await close();
  await single();
  const { db } = service.context;
  for (const statement of [
    'UPDATE abrechnung_dokumente SET sha256 = sha256',
    'DELETE FROM abrechnung_dokumente',
  ])
    await expect(
      db.forMandant(account.mandantId as MandantId, (tx) =>
        sql`${sql.raw(statement)} WHERE mandant_id = ${tx.mandant}`.execute(tx),
      ),
    ).rejects.toThrow('permission denied');
});

test('the number of a document is the one of the booking batch, wherever it stands', async () => {
  await ask('PUT', '/mandant/buchhaltung', {
    beraternummer: 29098,
    mandantennummer: 55003,
    kontenrahmen: '03',
    sammelkonto: '10000',
    erloeskonto: '8400',
    steuersatz_prozent: '19',
  });
  await call({ endkunde_ref: 'K-1', token: 100_000_000 });
  await close();
  const batch = await ask('GET', '/export/weiterbelastung?monat=2026-10&format=ledger');
  const booked = readRecords(batch.rawPayload)
    .records.slice(2)
    .map(({ fields }) => fields[10]?.text);
  expect(booked).toContain('202610-K-1');

  const statement = (await ask('GET', '/endkunden/K-1/abrechnung?monat=2026-10')).json();
  expect(statement.zeile.belegnummer).toBe('202610-K-1');
  const pdf = (await ask('GET', '/endkunden/K-1/abrechnung.pdf?monat=2026-10')).rawPayload;
  const [page = []] = await pagesOf(new Uint8Array(pdf));
  expect(page.map(({ text }) => text).join('|')).toContain('Belegnummer: 202610-K-1');
  expect((await ask('GET', '/export/weiterbelastung?monat=2026-10')).body).toContain(';202610-K-1');
  const zip = await unzipBytes((await ask('GET', '/export/abrechnungen.zip?monat=2026-10')).rawPayload);
  expect(`${zip.get('abrechnungen-2026-10.csv')}`).toContain(';Firma K-1;202610-K-1;');
  await order();
  await work();
  expect((await service.mails()).at(-1)?.text).toContain('Belegnummer: 202610-K-1');
});
