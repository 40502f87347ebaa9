/**
 * What was counted when sums were kept by every combination of values has today's sums after the upgrade, by every dimension
 * and period, to the last digit; and what is counted then is added to them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool, migrate } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { createKey, openSession } from '#test/account.ts';
import { createDatabase } from '#test/database.ts';
import { createRandom } from '#test/random.ts';
import { startService, type TestService } from '#test/service.ts';
import {
  type CountedCall,
  ratesOf,
  readCalls,
  readRates,
  readRuns,
  readSums,
  runsOf,
  sumsOf,
  valuesOf,
} from '#test/sums-by-dimension.ts';
import { countAll } from '#test/tenants.ts';
import { divideTokens } from './divide-tokens.ts';

/** The last migration before sums by single dimension. */
const BEFORE = 4;
const log = createLog('fatal');
const random = createRandom(20_241_027);

// ── what the service of then left ───────────────────────────────────────────────────────────────────────────

/** Zones and instants about which their calendar does something: clocks change, a day, a week and a year begin. */
const EDGES = {
  'Europe/Berlin': ['2024-03-31T01:00:00Z', '2024-10-27T01:00:00Z', '2024-12-31T23:00:00Z'],
  'America/St_Johns': ['2024-03-10T05:30:00Z', '2024-11-03T04:30:00Z'],
  'Asia/Kathmandu': ['2024-10-27T18:15:00Z'],
  'Africa/Cairo': ['2024-04-25T22:00:00Z', '2024-10-31T21:00:00Z'],
};
const MINUTE = 60_000;
const HUGE = Number.MAX_SAFE_INTEGER;
const RUNS = Array.from({ length: 6 }, () => random.uuid());
const EVENTS = 400;

interface Mandant {
  mandantId: string;
  benutzerId: string;
  zeitzone: keyof typeof EDGES;
}
const mandanten = (Object.keys(EDGES) as (keyof typeof EDGES)[]).map(
  (zeitzone): Mandant => ({ mandantId: random.uuid(), benutzerId: random.uuid(), zeitzone }),
);
/** Has sent something, of which nothing was counted. */
const quiet: Mandant = { mandantId: random.uuid(), benutzerId: random.uuid(), zeitzone: 'Europe/Berlin' };

function instant(zeitzone: Mandant['zeitzone']): string {
  const near = random.below(2) === 0 ? 90 : 3 * 24 * 60;
  const minutes = random.below(2 * near) - near;
  const ms = Date.parse(random.pick(EDGES[zeitzone])) + minutes * MINUTE;
  const micros = random.pick(['000000', '000001', '999999', '059123']);
  return `${new Date(ms).toISOString().slice(0, 17)}${String(random.below(60)).padStart(2, '0')}.${micros}Z`;
}

const count = () =>
  random.pick([null, 0, random.below(5_000), random.below(200_000), HUGE - random.below(3)]);
const milliseconds = () => random.pick([null, 0, 15, 16, 22, 23, random.below(10_000), 4_194_304, HUGE]);
const usd = () =>
  random.pick([
    null,
    '0',
    `${random.below(40)}.${random.below(2 ** 31)}`,
    `0.${'0'.repeat(20)}${random.below(9_999)}`,
  ]);

/** A call as a sender tells of it, then as now. */
const call = (zeitzone: Mandant['zeitzone']) => ({
  ereignis_id: random.uuid(),
  zeitpunkt: instant(zeitzone),
  agent: random.pick(['a', 'A', 'team/b', 'unbekannt', 'ä😀']),
  endkunde_ref: random.pick([null, '', 'a', 'kunde 1', 'Kunde 1', `${'😀'.repeat(100)}${random.below(5)}`]),
  anbieter: random.pick([null, '', 'openai', 'anthropic']),
  modell: random.pick([null, '', 'gpt-4o-mini', 'GPT-4o-mini', 'eigenes']),
  funktion_ref: random.pick([null, null, 'suche']),
  benutzer_ref: random.pick([null, '', `u${random.below(90)}`]),
  lauf_id: random.pick([null, null, ...RUNS]),
  schritt_nr: random.pick([null, random.below(90)]),
  eingabe_token: count(),
  ausgabe_token: count(),
  cache_lese_token: count(),
  cache_schreib_token: count(),
  denk_token: count(),
  latenz_ms: milliseconds(),
  erste_zeichen_ms: milliseconds(),
  status: random.pick(['erfolgreich', 'erfolgreich', 'fehler', 'abgebrochen', '']),
  geschaetzt: random.below(4) === 0,
});

/** An event as it was counted then. */
const event = (zeitzone: Mandant['zeitzone']) => ({
  ...call(zeitzone),
  projekt: random.pick(['standard', 'team', 'a']),
  quelle: 'ingest',
  eingabe_ohne_cache: count(),
  ausgabe_gesamt: count(),
  kosten_usd: usd(),
  kurs_usd_eur: random.pick(['0.86', '0.8511362669', '1']),
});

const ACCOUNT = `WITH mandant AS (INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'Muster', 'frei', $3))
  INSERT INTO benutzer (mandant_id, benutzer_id, email, passwort_hash, rolle)
  VALUES ($1, $2, $2::uuid || '@example.org', 'x', 'inhaber')`;
const NEW = `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, agent, projekt, endkunde_ref, anbieter,
    modell, funktion_ref, benutzer_ref, lauf_id, schritt_nr, eingabe_token, ausgabe_token, cache_lese_token,
    cache_schreib_token, denk_token, latenz_ms, erste_zeichen_ms, status, geschaetzt, quelle, kosten_usd, kurs_usd_eur,
    eingabe_ohne_cache, ausgabe_gesamt)
  SELECT $1, ereignis_id, zeitpunkt, zeitpunkt, agent, projekt, endkunde_ref, anbieter,
    modell, funktion_ref, benutzer_ref, lauf_id, schritt_nr, eingabe_token, ausgabe_token, cache_lese_token,
    cache_schreib_token, denk_token, latenz_ms, erste_zeichen_ms, status, geschaetzt, quelle, kosten_usd, kurs_usd_eur,
    eingabe_ohne_cache, ausgabe_gesamt
  FROM jsonb_populate_recordset(NULL::ereignisse, $2)`;

const FIGURES = `count(*), count(*) FILTER (WHERE status <> 'erfolgreich'), count(*) FILTER (WHERE kosten_usd IS NULL)`;
const TOKENS = [
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
].map((name) => `coalesce(sum(${name}), 0)`);
const MONEY = `sum(kosten_usd), sum(kosten_eur)`;
const BURNT = `coalesce(sum(kosten_eur) FILTER (WHERE status <> 'erfolgreich'), 0)`;
const SUMS = `${FIGURES}, count(*) FILTER (WHERE geschaetzt), ${TOKENS.join(', ')}, ${MONEY},
  sum(kosten_eur) FILTER (WHERE geschaetzt), ${BURNT} FROM ereignisse JOIN (SELECT mandant_id, zeitzone FROM mandanten) AS m USING (mandant_id)`;
const VALUES = `agent, projekt, coalesce(endkunde_ref, ''), coalesce(anbieter, ''), coalesce(modell, '')`;
const OF_THEN = [
  'INSERT INTO ereignis_kennungen SELECT mandant_id, ereignis_id FROM ereignisse',
  `INSERT INTO verbrauch_stunde SELECT mandant_id, date_trunc('hour', zeitpunkt, zeitzone), ${VALUES}, kurs_usd_eur, ${SUMS}
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
  `INSERT INTO verbrauch_tag SELECT mandant_id, (zeitpunkt AT TIME ZONE zeitzone)::date, ${VALUES}, ${SUMS}
   GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  `INSERT INTO laeufe SELECT mandant_id, lauf_id, min(agent), min(projekt), max(endkunde_ref), max(status), min(zeitpunkt),
     max(zeitpunkt), NULL, ${FIGURES}, ${TOKENS.slice(0, 3).join(', ')}, ${MONEY}, ${BURNT}
   FROM ereignisse WHERE lauf_id IS NOT NULL GROUP BY 1, 2`,
  `INSERT INTO zaehlstaende SELECT mandant_id, count(*), min(empfangen_am), max(empfangen_am), min(zeitpunkt), max(zeitpunkt)
   FROM ereignisse GROUP BY 1`,
  'INSERT INTO agenten (mandant_id, schluessel, name, projekt) SELECT mandant_id, agent, agent, min(projekt) FROM ereignisse GROUP BY 1, 2',
  'INSERT INTO projekte (mandant_id, schluessel, name) SELECT DISTINCT mandant_id, projekt, projekt FROM ereignisse',
  `INSERT INTO endkunden (mandant_id, referenz) SELECT DISTINCT mandant_id, endkunde_ref FROM ereignisse WHERE endkunde_ref <> ''`,
];

async function leave(db: OwnerDatabase): Promise<void> {
  // The other month of each change is among those that are older than any partition.
  await db.query(`SELECT zw_monate_anlegen('2024-10-01', '2024-11-01')`);
  for (const { mandantId, benutzerId, zeitzone } of [...mandanten, quiet])
    await db.query(ACCOUNT, [mandantId, benutzerId, zeitzone]);
  for (const { mandantId, zeitzone } of mandanten) {
    // Every Mandant names runs of its own.
    const mine = new Map(RUNS.map((run) => [run, random.uuid()]));
    const events = Array.from({ length: EVENTS }, () => event(zeitzone));
    const rows = events.map((each) => ({ ...each, lauf_id: mine.get(each.lauf_id ?? '') ?? null }));
    await db.query(NEW, [mandantId, JSON.stringify(rows)]);
  }
  // Two of the rates were the bank's: hours have both.
  await db.query(
    `INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ('2000-01-03', 1, 'ezb'), ('2000-01-04', 0.8511362669, 'ezb')`,
  );
  for (const statement of OF_THEN) await db.query(statement);
  await db.query('INSERT INTO zaehlstaende (mandant_id) VALUES ($1)', [quiet.mandantId]);
}

// ── the upgrade ─────────────────────────────────────────────────────────────────────────────────────────────

let service: TestService;

async function inService<T>(work: (owner: OwnerDatabase) => Promise<T>): Promise<T> {
  const options = { connection: service.connection, max: 2, statementTimeout: 60_000, name: 'test' };
  const owner = createOwnerDatabase(createPool(options, log));
  return work(owner).finally(() => owner.close());
}

beforeAll(async () => {
  const database = await createDatabase();
  await migrate(database.connection, log, BEFORE);
  const options = { connection: database.connection, max: 1, statementTimeout: 60_000, name: 'test' };
  const db = createOwnerDatabase(createPool(options, log));
  await leave(db).finally(() => db.close());
  await migrate(database.connection, log);
  service = await startService({}, log, database);
  await inService((owner) => divideTokens({ owner, log }));
});
afterAll(() => service?.stop());

const readMerkmale = () =>
  service.sql<{ mandant_id: string; merkmal_id: number; dimension: number; text: string }>(
    'SELECT * FROM merkmale ORDER BY mandant_id, merkmal_id',
  );

/** Sums of long periods, rates and runs are those of the calls; numbers of values are given without a gap, once for each value. */
async function expectSumsOf(calls: CountedCall[]): Promise<void> {
  for (const grain of ['stunde', 'tag', 'woche'] as const)
    expect(await readSums(service.sql, grain), grain).toEqual(sumsOf(calls, grain));
  expect(await readRates(service.sql)).toEqual(ratesOf(calls));
  expect(await readRuns(service.sql)).toEqual(runsOf(calls));
  const rows = await readMerkmale();
  const stands = await service.sql<{ mandant_id: string; merkmale_anzahl: number; marked: boolean }>(
    'SELECT mandant_id, merkmale_anzahl, merkmale_marke IS NOT NULL AS marked FROM zaehlstaende',
  );
  expect(stands).toHaveLength(mandanten.length + 1);
  for (const { mandant_id: mandant, merkmale_anzahl: given, marked } of stands) {
    const mine = rows.filter((row) => row.mandant_id === mandant);
    expect(mine.map((row) => row.merkmal_id)).toEqual(Array.from({ length: given }, (_, n) => n + 1));
    const named = calls.filter(({ row }) => row.mandant_id === mandant).flatMap(valuesOf);
    const distinct = new Set(named.filter(([dimension]) => dimension > 0).map((value) => value.join(' ')));
    expect(mine.map((row) => `${row.dimension} ${row.text}`).toSorted()).toEqual([...distinct].toSorted());
    expect(marked).toBe(given > 0);
  }
}

/** How often each day was changed, as far as it waits for its pairs: all do after the upgrade. */
const readDays = async () => {
  const rows = await service.sql<{ tag: string; geaendert: number }>(
    `SELECT mandant_id || ' ' || tag AS tag, geaendert FROM verbrauch_tagesstand WHERE verdichtet IS NULL`,
  );
  return Object.fromEntries(rows.map(({ tag, geaendert }) => [tag, geaendert]));
};
const daysOf = (calls: CountedCall[]) => new Set(calls.map(({ row, tag }) => `${row.mandant_id} ${tag}`));

describe('what was counted before', () => {
  test('has its sums, by every value of every dimension', async () => {
    const calls = await readCalls(service.sql);
    expect(calls).toHaveLength(mandanten.length * EVENTS);
    for (const { row } of calls) expect(row.ersatzkurs).toBe(String(row.kurs_usd_eur === '0.86'));
    await expectSumsOf(calls);
    expect(new Set(Object.keys(await readDays()))).toEqual(daysOf(calls));
  });

  test('has none by the minute: these begin with what is counted next', async () => {
    expect(await readSums(service.sql, 'minute')).toEqual({});
  });
});

const SENT = 60;

/** Sends calls of now and of the days of before, some of a run that began then, and one that was counted then. */
async function sendMore(mandant: Mandant, before: CountedCall[]): Promise<void> {
  const cookie = await openSession(service, mandant);
  const { secret } = await createKey(service, { ...mandant, cookie, email: '' });
  const mine = before.filter(({ row }) => row.mandant_id === mandant.mandantId);
  const lauf_id = mine.find(({ row }) => row.lauf_id !== null)?.row.lauf_id ?? null;
  const calls = Array.from({ length: SENT }, (_, index) => {
    const sent = { ...call(mandant.zeitzone), lauf_id: index % 3 === 0 ? lauf_id : null };
    if (index % 5 === 0) sent.modell = 'gpt-4o';
    if (index % 4 === 0) sent.zeitpunkt = new Date(Date.now() - index * MINUTE).toISOString();
    return sent;
  });
  const known = mine.slice(0, 1).map(({ row }) => ({ ereignis_id: row.ereignis_id }));
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: [...calls, ...known] },
  });
  expect(answer.statusCode, answer.body).toBe(202);
}

describe('what is counted after', () => {
  let before: CountedCall[];
  let values: Awaited<ReturnType<typeof readMerkmale>>;
  let days: Awaited<ReturnType<typeof readDays>>;
  beforeAll(async () => {
    before = await readCalls(service.sql);
    values = await readMerkmale();
    days = await readDays();
    for (const mandant of [...mandanten, quiet]) await sendMore(mandant, before);
    await countAll(service);
  });

  test('is added to the sums, once', async () => {
    const calls = await readCalls(service.sql);
    expect(calls).toHaveLength(before.length + (mandanten.length + 1) * SENT);
    await expectSumsOf(calls);
  });

  test('leaves values the numbers they have', async () => {
    expect(await readMerkmale()).toEqual(expect.arrayContaining(values));
  });

  test('changes its days, and no others', async () => {
    const known = new Set(before.map(({ row }) => row.ereignis_id));
    const fresh = (await readCalls(service.sql)).filter(({ row }) => !known.has(row.ereignis_id ?? ''));
    const expected = { ...days };
    for (const day of daysOf(fresh)) expected[day] = (expected[day] ?? 0) + 1;
    expect(await readDays()).toEqual(expected);
    const recent = fresh.filter(({ row }) => Date.parse(row.zeitpunkt) > Date.now() - 24 * 60 * MINUTE);
    expect(recent.length).toBeGreaterThan(0);
    expect(await readSums(service.sql, 'minute')).toEqual(sumsOf(recent, 'minute'));
  });
});
