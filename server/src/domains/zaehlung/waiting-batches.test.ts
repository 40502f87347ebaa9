/** Batches wait while the service is upgraded: those of before are counted like those of today. */
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { BODIES, type Body, RECEIVED, RUN } from '#test/waiting/bodies.ts';

interface Sent {
  zeitpunkt?: string | null;
  ereignis_id?: string | null;
  lauf_id?: string | null;
  eingabe_token?: number | null;
  werkzeugaufrufe?: number | null;
}
const idOf = (event: object) => (event as Sent).ereignis_id ?? null;
const ALL = BODIES.flatMap(({ ereignisse }) => ereignisse);
const IDS = ALL.map(idOf).filter((id) => id !== null);
/** Of equal ids the first. */
const DISTINCT = ALL.filter((event, index) => {
  const id = idOf(event);
  return id === null || ALL.findIndex((other) => idOf(other) === id) === index;
}) as Sent[];

let service: TestService;
beforeAll(async () => {
  service = await startService();
  service.clock.set(RECEIVED);
});
afterAll(() => service?.stop());

/** First number of the form they wait in. */
const FORM = 2;

/** What the inbox kept of a batch, and what it was before it was compressed. */
function fileOf({ name }: Body): { daten: Buffer; packed: Buffer } {
  const daten = readFileSync(new URL(`../../../../test/waiting/${name}.bin`, import.meta.url));
  return { daten, packed: daten[0] === FORM ? daten : zstdDecompressSync(daten) };
}

/** Batches of one millisecond are counted in any order, and a run is of the agent that called first. */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await setImmediate();
}

async function leaveBody({ mandantId }: Account, body: Body): Promise<void> {
  const { daten, packed } = fileOf(body);
  await nextMillisecond();
  await service.sql(
    `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten)
     VALUES ($1, $2, $3, gen_random_uuid(), $4, $5, $6)`,
    [mandantId, randomUUIDv7(), RECEIVED, body.ereignisse.length, packed.length, daten],
  );
}

/** Leaves the batches. */
const leave = async (account: Account) => {
  for (const body of BODIES) await leaveBody(account, body);
};

const isBefore1970 = (event: object) => ((event as Sent).zeitpunkt ?? '1970') < '1970';

/** Sends the batches; the one with an event that was accepted then and is refused today is left as it waited. */
const send = async (account: Account) => {
  const { secret } = await createKey(service, account);
  for (const body of BODIES) {
    await nextMillisecond();
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse: body.ereignisse },
    });
    const refused = body.ereignisse.some(isBefore1970);
    expect(answer.statusCode, answer.body).toBe(refused ? 422 : 202);
    if (refused) await leaveBody(account, body);
  }
};

const TABLES = {
  ereignisse: 'schritt_nr, ereignis_id',
  verbrauch_laufend_stunde: 'stunde, dimension, merkmal_id',
  verbrauch_tagesstand: 'tag',
  merkmale: 'merkmal_id',
  laeufe: 'lauf_id',
  zaehlstaende: 'ereignisse_gesamt',
  agenten: 'schluessel',
  projekte: 'schluessel',
  endkunden: 'referenz',
};
/** Made anew for each account. */
const ASSIGNED =
  '{mandant_id,schluessel_id,agent_id,projekt_id,endkunde_id,erstellt_am,angelegt_am,merkmale_marke,geaendert,geaendert_am}';

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
  // The number of a value is that of its turn, which is another one where batches were counted apart.
  const textOf = new Map(
    (tables.merkmale ?? []).map((row) => [row.merkmal_id, `${row.dimension} ${row.text}`]),
  );
  for (const [table, rows] of Object.entries(tables)) {
    if (!rows.some((row) => 'merkmal_id' in row)) continue;
    const named = rows.map((row) => ({ ...row, merkmal_id: textOf.get(row.merkmal_id) ?? null }));
    tables[table] = named.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  const events = tables.ereignisse ?? [];
  expect(new Set(events.map((row) => row.ereignis_id)).size).toBe(events.length);
  for (const row of events) if (!IDS.includes(String(row.ereignis_id))) row.ereignis_id = 'assigned';
  const order = (row: Row) => `${row.ereignis_id} ${row.schritt_nr}`;
  tables.ereignisse = events.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  return tables;
}

const leftOf = ({ mandantId }: Account) =>
  service.sql(
    `SELECT 'waits' AS grund FROM eingang WHERE mandant_id = $1
     UNION ALL SELECT grund FROM eingang_unzaehlbar WHERE mandant_id = $1`,
    [mandantId],
  );

async function countAfter(...steps: ((account: Account) => Promise<void>)[]) {
  const account = await registerAccount(service);
  for (const step of steps) await step(account);
  await countAll(service);
  expect(await leftOf(account)).toEqual([]);
  return countedFor(account);
}

const sum = (rows: Row[] | undefined, column: string) =>
  (rows ?? []).reduce((total, row) => total + Number(row[column] ?? 0), 0);

describe('batches that wait', () => {
  let counted: Record<string, Row[]>;
  beforeAll(async () => {
    counted = await countAfter(leave);
  });
  const step = (number: number) => counted.ereignisse?.find((row) => row.schritt_nr === number);

  test('are of the form that describes itself, and of both ways into it', () => {
    for (const body of BODIES) expect(fileOf(body).packed[0]).toBe(FORM);
    expect(new Set(BODIES.map(({ way }) => way))).toEqual(new Set(['fast', 'fallback']));
  });

  test('are counted once, with every sum', () => {
    const { ereignisse, laeufe, zaehlstaende } = counted;
    expect(ereignisse).toHaveLength(DISTINCT.length);
    expect(zaehlstaende).toMatchObject([{ ereignisse_gesamt: DISTINCT.length }]);
    const eingabe = DISTINCT.reduce((total, event) => total + (event.eingabe_token ?? 0), 0);
    expect(sum(ereignisse, 'eingabe_token')).toBe(eingabe);
    expect(sum(counted.verbrauch_tagesstand, 'aufrufe')).toBe(DISTINCT.length);
    const ofRun = DISTINCT.filter(({ lauf_id }) => lauf_id === RUN);
    expect(laeufe?.find((row) => row.lauf_id === RUN)).toMatchObject({ aufrufe: ofRun.length });
    expect(sum(laeufe, 'aufrufe')).toBe(DISTINCT.filter(({ lauf_id }) => lauf_id).length);
    expect(sum(ereignisse, 'werkzeugaufrufe')).toBe(
      DISTINCT.reduce((total, event) => total + (event.werkzeugaufrufe ?? 0), 0),
    );
  });

  test('have every field as it was sent', () => {
    expect(counted.ereignisse?.find((row) => row.ereignis_id === IDS[0])).toMatchObject({
      ...ALL[0],
      zeitpunkt: '2026-11-19T23:30:00.000001+00:00',
      empfangen_am: '2026-11-20T10:00:00.123+00:00',
      prompt_fingerabdruck: '\\x0123456789abcdef',
      werkzeug_fingerabdruck: '\\xfedcba9876543210',
      projekt: 'eigenes',
      eingabe_ohne_cache: 1_000,
      ausgabe_gesamt: 200,
    });
    expect(counted.ereignisse?.find((row) => row.fehlercode === 'zu "viel"\n')).toMatchObject({
      lauf_id: RUN,
      schritt_nr: 2,
    });
  });

  test('have nothing where nothing was sent, and the defaults where they belong', () => {
    const unsaid = {
      ereignis_id: 'assigned',
      zeitpunkt: '2026-11-20T10:00:00.123+00:00',
      agent: 'unbekannt',
      projekt: 'standard',
      status: 'erfolgreich',
      quelle: 'ingest',
      geschaetzt: false,
      anbieter: null,
      lauf_id: null,
      eltern_span: null,
      prompt_fingerabdruck: null,
      werkzeug_fingerabdruck: null,
      endkunde_ref: null,
      zusatz: null,
      eingabe_token: null,
      latenz_ms: null,
    };
    const events = counted.ereignisse?.filter((row) => row.ereignis_id === 'assigned') ?? [];
    const unsaidStep = (number: number) => events.find((row) => row.schritt_nr === number);
    expect(unsaidStep(8)).toMatchObject({
      ...unsaid,
      cache_lese_token: 0,
      cache_schreib_token: 0,
      denk_token: 0,
      werkzeugaufrufe: 0,
    });
    expect(unsaidStep(9)).toMatchObject({
      ...unsaid,
      cache_lese_token: null,
      cache_schreib_token: null,
      denk_token: null,
      werkzeugaufrufe: null,
    });
    expect(unsaidStep(10)).toMatchObject({ agent: 'unbekannt', endkunde_ref: null, status: '', zusatz: {} });
    expect(unsaidStep(7)).toMatchObject({ lauf_id: RUN, status: '', quelle: '' });
    expect(unsaidStep(4)).toMatchObject({ ausgabe_token: Number.MAX_SAFE_INTEGER });
    expect(step(11)).toBeDefined();
  });

  test('are counted as if they came today', async () => {
    expect(await countAfter(send)).toEqual(counted);
  });

  test('are counted once when they come again today', async () => {
    const { ereignisse, zaehlstaende } = await countAfter(leave, send);
    // One batch is left again as it waited, with the ids it was given then.
    const sent = BODIES.filter(({ ereignisse }) => !ereignisse.some(isBefore1970));
    const unnamed = sent.flatMap((body) => body.ereignisse).filter((event) => idOf(event) === null).length;
    expect(ereignisse).toHaveLength(DISTINCT.length + unnamed);
    expect(zaehlstaende).toMatchObject([{ ereignisse_gesamt: DISTINCT.length + unnamed }]);
  });
});
