/** Values in an export: exact in JSON, in German form in CSV. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { giveEndedEngine } from '#test/ending-engine.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { unzip } from '#test/unzip.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

async function filesOf({ cookie }: Account, query = ''): Promise<Map<string, string>> {
  const answer = await service.app.inject({ url: `/v1/cockpit/export.zip${query}`, headers: { cookie } });
  expect(answer.statusCode).toBe(200);
  return unzip(answer.rawPayload);
}

/** Events of an account of its own, as counting would have put them. */
async function addEvents(account: Account, events: Record<string, unknown>[]): Promise<void> {
  await service.sql(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, agent, projekt, modell, status, fehlercode,
       geschaetzt, quelle, eingabe_token, kosten_usd, kurs_usd_eur, zusatz)
     SELECT $1, gen_random_uuid(), zeitpunkt, zeitpunkt, coalesce(agent, 'a'), 'standard', modell, 'erfolgreich', fehlercode,
       false, 'ingest', eingabe_token, kosten_usd, 0.8612345678, zusatz
     FROM jsonb_to_recordset($2::jsonb) AS e(zeitpunkt timestamptz, agent text, modell text, fehlercode text,
       eingabe_token bigint, kosten_usd numeric, zusatz json)`,
    [account.mandantId, JSON.stringify(events)],
  );
}

test('are exact in JSON: amounts as text, counts as numbers, instants to the microsecond', async () => {
  const account = await registerAccount(service);
  await addEvents(account, [
    {
      zeitpunkt: '2026-11-20T10:00:00.123456Z',
      agent: '=HYPERLINK("x")',
      eingabe_token: '9007199254740993',
      kosten_usd: '0.000000000000000000000001',
      fehlercode: 'a\u2028b\n"c"',
    },
  ]);
  const text = (await filesOf(account)).get('json/ereignisse.json') as string;
  expect(JSON.parse(text)).toMatchObject([
    {
      zeitpunkt: '2026-11-20T10:00:00.123456+00:00',
      agent: '=HYPERLINK("x")',
      kosten_usd: '0.000000000000000000000001',
      kosten_eur: '0.0000000000000000000000008612345678',
      kurs_usd_eur: '0.8612345678',
      fehlercode: 'a\u2028b\n"c"',
      modell: null,
    },
  ]);
  expect(text).toContain('"eingabe_token":9007199254740993,');
  expect(text.trimEnd().split('\n')).toHaveLength(3);
});

test('of free data come back as they were sent, however long', async () => {
  const account = await registerAccount(service);
  const long = 'äöü🦊"\\'.repeat(40_000);
  await addEvents(account, [
    { zeitpunkt: '2026-11-20T10:00:00Z', zusatz: { long } },
    { zeitpunkt: '2026-11-20T10:00:01Z', zusatz: { nummer: 2 } },
  ]);
  const events = JSON.parse((await filesOf(account)).get('json/ereignisse.json') as string);
  expect(events.map(({ zusatz }: { zusatz: object }) => zusatz)).toEqual([{ long }, { nummer: 2 }]);
});

test('of consumption are there of each value, however many a day has', async () => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const send = async (ereignisse: object[]) => {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers,
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
  };
  // Two hours; half of the calls have no known price, so that many cost the same.
  const customers = Array.from({ length: 4_100 }, (_, index) => `kunde-${index}`);
  const calls = customers.map((endkunde_ref, index) => ({
    endkunde_ref,
    agent: 'a',
    zeitpunkt: index % 3 === 0 ? '2026-11-20T10:10:00Z' : '2026-11-20T11:10:00Z',
    ...(index % 2 === 0 ? { anbieter: 'openai', modell: 'gpt-4o' } : { modell: 'gibt-es-nicht' }),
    eingabe_token: 1_000 + (index % 7),
  }));
  for (let at = 0; at < calls.length; at += 1_000) await send(calls.slice(at, at + 1_000));
  await countAll(service);
  const files = await filesOf(account);
  const rowsOf = (name: string, dimension: string) =>
    (JSON.parse(files.get(`json/${name}.json`) as string) as Record<string, string | number>[]).filter(
      (row) => row.dimension === dimension,
    );
  for (const name of ['verbrauch_tag', 'verbrauch_stunde']) {
    const rows = rowsOf(name, 'endkunde');
    expect(rows.map(({ merkmal }) => merkmal).sort(), name).toEqual([...customers].sort());
    for (const figure of ['aufrufe', 'unbepreist', 'eingabe_token', 'token'])
      expect(
        rows.reduce((sum, row) => sum + Number(row[figure]), 0),
        figure,
      ).toBe(rowsOf(name, 'gesamt').reduce((sum, row) => sum + Number(row[figure]), 0));
  }
  expect(rowsOf('verbrauch_stunde', 'gesamt')).toMatchObject([
    { stunde: '2026-11-20T10:00:00+00:00', merkmal: '', aufrufe: 1_367 },
    { stunde: '2026-11-20T11:00:00+00:00', merkmal: '', aufrufe: 2_733 },
  ]);
});

test('are refused as a whole where the sums cannot be added up', async () => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const headers = { authorization: `Bearer ${secret}` };
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers,
    payload: { ereignisse: [{ agent: 'a' }] },
  });
  await countAll(service);
  const giveBack = await giveEndedEngine(service.context);
  const answer = await service.app.inject({
    url: '/v1/cockpit/export.zip',
    headers: { cookie: account.cookie },
  });
  giveBack();
  expect(answer.statusCode).toBe(503);
  const kept = await service.sql(
    `SELECT FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'daten.ausgegeben'`,
    [account.mandantId],
  );
  expect(kept).toEqual([]);
});

test('in CSV are of the last local days, in German form, and no formulas', async () => {
  service.clock.set('2026-11-20T12:00:00Z');
  const account = await registerAccount(service);
  await addEvents(account, [
    { zeitpunkt: '2026-11-18T22:59:59Z', agent: 'zu früh' },
    { zeitpunkt: '2026-11-18T23:00:00Z', agent: '-2+3', modell: 'a;b', kosten_usd: '1.5' },
    { zeitpunkt: '2026-11-20T11:59:59Z', agent: 'heute' },
  ]);
  const csv = (await filesOf(account, '?tage=2')).get('csv/ereignisse.csv') as string;
  service.clock.set(new Date().toISOString());
  const [head, ...rows] = csv.split('\r\n').filter((line) => line !== '');
  const columns = head?.split(';') ?? [];
  expect(csv.startsWith('\uFEFFtag;ereignis_id;zeitpunkt;')).toBe(true);
  expect(columns).not.toContain('zusatz');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^2026-11-19;[0-9a-f-]{36};2026-11-18T23:00:00Z;/);
  const cells = rows[0]?.match(/(?<=^|;)("[^"]*"|[^;]*)/g) ?? [];
  expect(cells).toHaveLength(columns.length);
  expect(Object.fromEntries(columns.map((name, index) => [name, cells[index]]))).toMatchObject({
    agent: "'-2+3",
    projekt: 'standard',
    endkunde_ref: '',
    anbieter: '',
    modell: '"a;b"',
    kosten_eur: '1,2918518517',
    kosten_usd: '1,5',
    kurs_usd_eur: '0,8612345678',
  });
  expect(rows[1]).toMatch(/^2026-11-20;/);
});
