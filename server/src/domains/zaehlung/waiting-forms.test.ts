/** Batches wait packed; earlier versions left them as JSON. Whatever the form, the same is counted. */
import { randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

const NOW = '2026-11-20T10:00:00.123Z';
const RUN = randomUUID();
const IDS: string[] = [randomUUID(), randomUUID(), randomUUID()];
const PARENT = randomUUID();

/** Their steps tell them apart, in the order in which they are counted. */
const BATCHES = [
  [
    {
      ereignis_id: IDS[0],
      zeitpunkt: '2026-11-19T23:30:00.000001Z',
      anbieter: 'openai',
      modell: 'gpt-4o',
      agent: 'übersicht/🦊',
      lauf_id: RUN,
      schritt_nr: 1,
      eltern_span: PARENT,
      eingabe_token: 1_000,
      ausgabe_token: 200,
      cache_lese_token: 300,
      cache_schreib_token: 40,
      denk_token: 50,
      werkzeugaufrufe: 6,
      latenz_ms: 700,
      erste_zeichen_ms: 80,
      status: 'fehler',
      fehlercode: 'zu "viel"\n',
      geschaetzt: true,
      prompt_fingerabdruck: '0123456789ABCDEF',
      werkzeug_fingerabdruck: 'fedcba9876543210',
      endkunde_ref: 'müller',
      funktion_ref: 'suche',
      benutzer_ref: 'ich',
      quelle: 'proxy',
      zusatz: { projekt: 'eigenes', eingabe_umfasst_cache: false, tief: [{ a: null, ü: '€' }] },
    },
    { schritt_nr: 2, anbieter: 'anthropic', modell: 'claude-sonnet-4-5', eingabe_token: 5 },
    {
      ereignis_id: null,
      zeitpunkt: null,
      schritt_nr: 3,
      cache_lese_token: null,
      denk_token: null,
      werkzeugaufrufe: null,
      ausgabe_token: Number.MAX_SAFE_INTEGER,
      zusatz: null,
    },
    { ereignis_id: IDS[1], schritt_nr: 4, agent: '', anbieter: '', endkunde_ref: '', zusatz: {} },
    { ereignis_id: IDS[1], schritt_nr: 5 },
  ],
  [
    { ereignis_id: IDS[2], zeitpunkt: '2024-02-29T12:00:00.5Z', schritt_nr: 6, lauf_id: RUN },
    { ereignis_id: IDS[0], schritt_nr: 7 },
    { schritt_nr: 8, lauf_id: RUN, status: '' },
  ],
];

let service: TestService;
beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
});
afterAll(() => service?.stop());

/** With escapes in place of all that is not ASCII. */
const escaped = (json: string) =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function send(account: Account, toText: (batch: object) => string): Promise<void> {
  const { secret } = await createKey(service, account);
  for (const ereignisse of BATCHES) {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      payload: toText({ ereignisse }),
    });
    expect(answer.statusCode, answer.body).toBe(202);
  }
}

/** Leaves the batches as earlier versions did. */
async function leave(account: Account, toText: (batch: object) => string): Promise<void> {
  for (const [index, ereignisse] of BATCHES.entries()) {
    const json = Buffer.from(toText({ ereignisse }));
    const id = `01900000-0000-7000-8000-00000000000${index}`;
    await service.sql(
      `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten)
       VALUES ($1, $2, $3, gen_random_uuid(), $4, $5, $6)`,
      [account.mandantId, id, NOW, ereignisse.length, json.length, zstdCompressSync(json)],
    );
  }
}

const TABLES = {
  ereignisse: 'schritt_nr',
  verbrauch_stunde: 'stunde, agent, projekt, modell, endkunde_ref, anbieter',
  verbrauch_tag: 'tag, agent, projekt, modell, endkunde_ref, anbieter',
  laeufe: 'lauf_id',
  zaehlstaende: 'ereignisse_gesamt',
  agenten: 'schluessel',
  projekte: 'schluessel',
  endkunden: 'referenz',
};
/** Made anew for each account. */
const ASSIGNED = '{mandant_id,agent_id,projekt_id,endkunde_id,erstellt_am,angelegt_am}';

type Row = Record<string, unknown>;

/** All that is there of an account after counting, by table; ids that were not sent are gone. */
async function countedFor({ mandantId }: Account): Promise<Record<string, Row[]>> {
  const tables: Record<string, Row[]> = {};
  for (const [table, order] of Object.entries(TABLES)) {
    const rows = await service.sql<{ row: Row }>(
      `SELECT to_jsonb(t) - '${ASSIGNED}'::text[] AS row FROM ${table} t WHERE mandant_id = $1 ORDER BY ${order}`,
      [mandantId],
    );
    tables[table] = rows.map(({ row }) => row);
  }
  const events = tables.ereignisse ?? [];
  expect(new Set(events.map((row) => row.ereignis_id)).size).toBe(events.length);
  for (const row of events) if (!IDS.includes(String(row.ereignis_id))) delete row.ereignis_id;
  return tables;
}

const leftOf = ({ mandantId }: Account) =>
  service.sql(
    `SELECT 'waits' AS grund FROM eingang WHERE mandant_id = $1
     UNION ALL SELECT grund FROM eingang_unzaehlbar WHERE mandant_id = $1`,
    [mandantId],
  );

async function countSent(put: (account: Account) => Promise<void>): Promise<Record<string, Row[]>> {
  const account = await registerAccount(service);
  await put(account);
  await countAll(service);
  expect(await leftOf(account)).toEqual([]);
  return countedFor(account);
}

describe('what is counted', () => {
  let usual: Record<string, Row[]>;
  beforeAll(async () => {
    usual = await countSent((account) => send(account, JSON.stringify));
  });

  test('is every event once, as it was sent', () => {
    const { ereignisse = [], zaehlstaende, laeufe } = usual;
    expect(ereignisse.map((row) => [row.schritt_nr, row.ereignis_id, row.zeitpunkt])).toEqual([
      [1, IDS[0], '2026-11-19T23:30:00.000001+00:00'],
      [2, undefined, '2026-11-20T10:00:00.123+00:00'],
      [3, undefined, '2026-11-20T10:00:00.123+00:00'],
      [4, IDS[1], '2026-11-20T10:00:00.123+00:00'],
      [6, IDS[2], '2024-02-29T12:00:00.5+00:00'],
      [8, undefined, '2026-11-20T10:00:00.123+00:00'],
    ]);
    expect(ereignisse[0]).toMatchObject({
      ...BATCHES[0]?.[0],
      zeitpunkt: '2026-11-19T23:30:00.000001+00:00',
      empfangen_am: '2026-11-20T10:00:00.123+00:00',
      prompt_fingerabdruck: '\\x0123456789abcdef',
      werkzeug_fingerabdruck: '\\xfedcba9876543210',
      projekt: 'eigenes',
      eingabe_ohne_cache: 1_000,
    });
    expect(ereignisse[1]).toMatchObject({
      agent: 'unbekannt',
      status: 'erfolgreich',
      quelle: 'ingest',
      geschaetzt: false,
      eltern_span: null,
      prompt_fingerabdruck: null,
      zusatz: null,
      ausgabe_token: null,
      cache_lese_token: 0,
      werkzeugaufrufe: 0,
    });
    expect(ereignisse[2]).toMatchObject({ cache_lese_token: null, cache_schreib_token: 0, denk_token: null });
    expect(ereignisse[3]).toMatchObject({ agent: 'unbekannt', anbieter: '', endkunde_ref: null, zusatz: {} });
    for (const [table, rows] of Object.entries(usual)) expect(rows, table).not.toEqual([]);
    expect(zaehlstaende).toMatchObject([{ ereignisse_gesamt: 6 }]);
    expect(laeufe).toMatchObject([{ lauf_id: RUN, aufrufe: 3, letzter_schritt: 8, status: '' }]);
  });

  test.each<[string, (account: Account) => Promise<void>]>([
    ['sent with escapes', (account) => send(account, (batch) => escaped(JSON.stringify(batch)))],
    ['sent pretty-printed', (account) => send(account, (batch) => JSON.stringify(batch, null, 2))],
    ['left as JSON', (account) => leave(account, JSON.stringify)],
    ['left as JSON with escapes', (account) => leave(account, (batch) => escaped(JSON.stringify(batch)))],
    [
      'left as JSON with a byte-order mark, pretty-printed',
      (account) => leave(account, (batch) => `\ufeff${JSON.stringify(batch, null, '\t')}\n`),
    ],
  ])('is the same when %s', async (_what, put) => {
    expect(await countSent(put)).toEqual(usual);
  });
});

test('events that wait as JSON and come once more, packed, are counted once', async () => {
  const account = await registerAccount(service);
  await leave(account, JSON.stringify);
  await send(account, JSON.stringify);
  await countAll(service);
  expect(await leftOf(account)).toEqual([]);
  const { ereignisse = [] } = await countedFor(account);
  // Those without an id are others each time.
  const steps = ereignisse.map((row) => row.schritt_nr);
  expect(steps).toEqual([1, 2, 2, 3, 3, 4, 6, 8, 8]);
});
