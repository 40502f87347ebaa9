/** The statements of a month as one archive, at the door. */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { pagesOf } from '#test/read-pdf.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { until } from '#test/until.ts';
import { unzipBytes } from '#test/unzip.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
});

const ask = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  payload?: object,
  user: Account | null = account,
) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { 'accept-language': 'de', ...(user ? { cookie: user.cookie } : {}) },
    ...(payload ? { payload } : {}),
  });
const zip = (query = '?monat=2026-10', user: Account | null = account) =>
  ask('GET', `/export/abrechnungen.zip${query}`, undefined, user);
const close = () => ask('POST', '/abrechnung/abschliessen', { monat: '2026-10' });

/** At 1 EUR for a USD. */
async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}

const textOf = async (bytes: Uint8Array) =>
  (await pagesOf(new Uint8Array(bytes)))
    .flat()
    .map(({ text }) => text)
    .join(' ');
const listOf = (files: Map<string, Buffer>): Record<string, string>[] =>
  parse(files.get('abrechnungen-2026-10.csv') as Buffer, { bom: true, delimiter: ';', columns: true });
const entries = () =>
  service.sql<{ nachher: Record<string, unknown> }>(
    `SELECT nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'weiterbelastung.ausgegeben' ORDER BY eintrag_id`,
    [account.mandantId],
  );

test('one document for each end customer, whatever their references, and amounts that make the month', async () => {
  await ask('POST', '/endkunden', { referenz: 'K-1', name: 'Müller & Söhne', aufschlag_prozent: '12.5' });
  const references = ['K-1', 'k-1', '../../x', '株式会社', '会社', '=1+1'];
  await call(...references.map((endkunde_ref, index) => ({ endkunde_ref, token: (index + 1) * 7_000_000 })));
  const open = await unzipBytes((await zip()).rawPayload);
  expect((await close()).json()).toMatchObject({ betrag_eur: '22.18' });
  const answer = await zip();
  expect(answer.headers['content-disposition']).toBe('attachment; filename="abrechnungen-2026-10.zip"');
  expect(answer.headers['content-type']).toBe('application/zip');
  const files = await unzipBytes(answer.rawPayload);
  expect([...files.keys()]).toEqual([...open.keys()]);
  expect(files.size).toBe(7);
  expect(new Set([...files.keys()].map((name) => name.toLowerCase())).size).toBe(7);
  for (const name of files.keys()) expect(name).toMatch(/^abrechnung(en)?-2026-10[A-Za-z0-9._~-]*$/);
  const listed = listOf(files);
  let sum = new Decimal(0);
  for (const { Datei, 'Betrag netto EUR': netto } of listed) {
    const text = await textOf(files.get(Datei as string) as Buffer);
    expect(text).toContain(`${netto} €`);
    sum = sum.plus((netto as string).replace(',', '.'));
  }
  expect(sum.toFixed(2)).toBe('22.18');
  const own = listed.find(({ Referenz }) => Referenz === 'K-1');
  expect(own?.Endkunde).toBe('Müller & Söhne');
  expect(await textOf(files.get(own?.Datei as string) as Buffer)).toContain('Müller & Söhne');
  expect(listed.map(({ Referenz }) => Referenz)).toEqual([
    '../../x',
    `'=1+1`,
    'K-1',
    'k-1',
    '会社',
    '株式会社',
  ]);
  // A later month's corrections do not change it.
  await call({ endkunde_ref: 'K-1' });
  expect([...(await unzipBytes((await zip()).rawPayload))]).toEqual([...files]);
});

test('the audit log has the SHA-256 of what was sent', async () => {
  await call({ endkunde_ref: 'K-1' }, { endkunde_ref: 'K-2' });
  const { rawPayload } = await zip();
  const sha256 = createHash('sha256').update(rawPayload).digest('hex');
  expect((await entries()).map(({ nachher }) => nachher)).toEqual([
    { format: 'zip', status: 'offen', abrechnungen: 2, fehlend: 0, sha256 },
  ]);
});

test('a statement that does not add up is left out and named; the others go', async () => {
  await call({ endkunde_ref: 'K-1' }, { endkunde_ref: 'K-2' });
  await close();
  await service.sql(
    `UPDATE abrechnungszeilen SET posten = jsonb_set(posten::jsonb, '{agenten}', '[]')
     WHERE mandant_id = $1 AND referenz = 'K-1'`,
    [account.mandantId],
  );
  const files = await unzipBytes((await zip()).rawPayload);
  expect([...files.keys()]).toEqual(['abrechnung-2026-10-K-2.pdf', 'abrechnungen-2026-10.csv']);
  expect(listOf(files)).toMatchObject([
    { Datei: '', Referenz: 'K-1', Hinweis: expect.stringContaining('fehlt') },
    { Datei: 'abrechnung-2026-10-K-2.pdf', Hinweis: '' },
  ]);
  expect((await entries())[0]?.nachher).toMatchObject({ abrechnungen: 1, fehlend: 1 });
});

test('a month without calls has only the list, and nobody sees what is of others', async () => {
  await call({ endkunde_ref: 'geheim' });
  account = await registerAccount(service);
  const files = await unzipBytes((await zip()).rawPayload);
  expect([...files.keys()]).toEqual(['abrechnungen-2026-10.csv']);
  expect(listOf(files)).toEqual([]);
});

test('it is for those who keep the books or administer, of months that can be', async () => {
  const statuses = await statusByRole(service, account, (user) => zip('', user));
  expect(statuses).toEqual(admitting(ACCOUNTANTS, 200));
  expect((await zip('', null)).statusCode).toBe(401);
  for (const query of ['?monat=2026-12', '?monat=2026-13', '?monat='])
    expect((await zip(query)).statusCode, query).toBe(422);
});

test('a receiver that goes away ends the work, which is then in no log; two are not made at once', async () => {
  await call(...Array.from({ length: 60 }, (_, index) => ({ endkunde_ref: `K-${index}` })));
  const { server } = service.app;
  if (!server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.address() as AddressInfo;
  const abort = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/cockpit/export/abrechnungen.zip?monat=2026-10`, {
    headers: { cookie: account.cookie },
    signal: abort.signal,
  });
  expect(answer.status).toBe(200);
  expect((await zip()).json().code).toBe('export_laeuft');
  const { documents } = service.context;
  const make = documents.make;
  let made = 0;
  documents.make = (...args) => {
    made += 1;
    return make(...args);
  };
  try {
    abort.abort();
    await until('its place', async () => service.context.spools.used === 0);
    const snapshots = () =>
      service.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
    await until('the end of its snapshot', async () => (await snapshots()).length === 0);
    expect(made).toBeLessThan(50);
  } finally {
    documents.make = make;
  }
  expect(await entries()).toEqual([]);
});
