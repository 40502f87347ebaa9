/** Whoever was counted without pieces has them made of its events, beside counting; whatever happens meanwhile, none is there twice. */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DIMENSION_NAMES, FIGURE_NAMES } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import { EVENT_FIGURES, GRAINS, type Grain } from '#domains/verbrauch/index.ts';
import { readMigrations } from '#platform/database/migrate.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { batches } from '#test/arbitrary-events.ts';
import { expectDays } from '#test/day-totals.ts';
import { writeFormerSums } from '#test/former-sums.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { dyingAt, pausingAt } from '#test/interrupted-database.ts';
import { ownerOf } from '#test/jobs.ts';
import { crossedSumsOf, expectPieces, leaveOutOfPieces, readCrossedSums, unpackPiece } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import { readCalls, readKeptValues, readSums, sumsOf } from '#test/sums-by-dimension.ts';
import { keepValues } from '../keep-values.ts';
import { createCountingWorker } from '../worker.ts';
import { stueckeNachholenJob } from './stuecke-nachholen.ts';

const NOW = '2027-01-05T12:00:00.000Z';

let service: TestService;
let owner: OwnerDatabase;
let account: Account;
let secret: string;
beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  await service.sql(
    'TRUNCATE ereignisse, ereignis_kennungen, verbrauch_stuecke, verbrauch_tagesstand, verbrauch_laufend_minute, verbrauch_laufend_stunde, verbrauch_gefuehrt, zaehlstaende, merkmale',
  );
  await service.sql('UPDATE aufbewahrung SET ereignisse_ab = NULL');
  account = await registerAccount(service);
  ({ secret } = await createKey(service, account));
});

const log = () => service.context.log;
const drain = () =>
  createCountingWorker({ db: owner, log: log(), prices: createPriceList(), substituteRate: '0.86' }).drain();
async function count(ereignisse: object[], key = secret): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  await drain();
}
const call = (zeitpunkt: string, agent = 'a') => ({
  ...{ zeitpunkt, agent, modell: 'gpt-4o-mini', anbieter: 'openai' },
  ...{ eingabe_token: 1_000, ausgabe_token: 7, latenz_ms: 20 },
});
const DAYS = [
  '2026-12-03T11:00:00Z',
  '2026-12-31T22:59:59.999Z',
  '2026-12-31T23:00:00Z',
  '2027-01-05T11:59:00Z',
];

const run = (db: OwnerDatabase = owner) => stueckeNachholenJob({ owner: db, log: log() }).run();
const expected = async () => crossedSumsOf(await readCalls(service.sql));
const open = () => service.sql('SELECT mandant_id FROM zaehlstaende WHERE stuecke_bis <> marken');

test(
  'what is made anew is what counting left, of calls of every kind',
  async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (sent) => {
        for (const ereignisse of sent) await count(ereignisse);
        await expectPieces(service, await readCalls(service.sql));
        await expectDays(service.sql, await readCalls(service.sql));
      }),
      { numRuns: fuzzRuns(20) },
    );
  },
  fuzzTime(),
);

test('counts that add up to more than a number holds are exact, as counted and made anew', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const thinking = { anbieter: 'google', modell: 'gemini-2.5-pro', eingabe_token: most };
  await count([
    { ...call(NOW), ...thinking, ausgabe_token: most - 1, denk_token: 3_901 },
    { ...call(NOW), ...thinking, ausgabe_token: most, denk_token: most },
  ]);
  const calls = await readCalls(service.sql);
  expect(new Set(calls.map(({ row }) => BigInt(row.ausgabe_gesamt ?? 0)))).toEqual(
    new Set([BigInt(most) + 3_900n, 2n * BigInt(most)]),
  );
  await expectPieces(service, calls);
});

test('nothing is made where nothing lacks; counting goes on with pieces once all are there', async () => {
  await count(DAYS.map((zeitpunkt) => call(zeitpunkt)));
  const before = await service.sql('SELECT marke FROM verbrauch_stuecke');
  expect(await run()).toEqual({ mandanten: 0 });
  expect(await service.sql('SELECT marke FROM verbrauch_stuecke')).toEqual(before);
  await leaveOutOfPieces(service.sql);
  await count([call(NOW, 'b')]);
  expect(await service.sql('SELECT marke FROM verbrauch_stuecke')).toEqual(before);
  expect(await run()).toEqual({ mandanten: 1 });
  await count([call(NOW, 'c')]);
  expect(await readCrossedSums(service.sql)).toEqual(await expected());
  expect(await open()).toEqual([]);
  const [row] = await service.sql(
    'SELECT count(*)::int AS n, count(faellig_am)::int AS due, count(*) FILTER (WHERE nummer > 0)::int AS counted FROM verbrauch_stuecke',
  );
  // A piece for each local day, and that of the last call.
  expect(row).toEqual({ n: 5, due: 5, counted: 1 });
  expect(await service.sql('SELECT FROM verbrauch_tagesstand WHERE stuecke_stand IS NOT NULL')).toEqual([]);
});

test('what is counted of a day while its pieces are made is in them', async () => {
  await count(DAYS.map((zeitpunkt) => call(zeitpunkt)));
  for (const [number, at] of [
    'DECLARE',
    'FETCH',
    'CLOSE',
    'UPDATE verbrauch_tagesstand SET stuecke_stand = $3',
  ].entries()) {
    await leaveOutOfPieces(service.sql);
    const pause = pausingAt(owner, (sql) => sql.startsWith(at));
    const making = run(pause.db);
    await pause.reached;
    await count([call(NOW, `neu ${number}`), call(DAYS[0] as string, `alt ${number}`)]);
    pause.release();
    expect(await making).toEqual({ mandanten: 1 });
    expect(await readCrossedSums(service.sql)).toEqual(await expected());
    const calls = await readCalls(service.sql);
    await expectDays(service.sql, calls);
    for (const grain of Object.keys(GRAINS) as Grain[])
      expect(await readSums(service.sql, grain), grain).toEqual(sumsOf(calls, grain));
  }
});

test('days and running sums to which a release that counted added nothing add up afterwards, whatever is counted meanwhile', async () => {
  await count(DAYS.map((zeitpunkt) => call(zeitpunkt)));
  for (const at of [
    'UPDATE verbrauch_tagesstand SET stuecke_stand',
    'UPDATE verbrauch_stuecke SET faellig_am',
  ]) {
    await leaveOutOfPieces(service.sql);
    await service.sql(
      'UPDATE verbrauch_tagesstand SET aufrufe = aufrufe - 1, unbepreist = 7, kosten_eur = 0',
    );
    await service.sql('DELETE FROM verbrauch_laufend_minute');
    await service.sql('UPDATE verbrauch_laufend_stunde SET aufrufe = aufrufe + 1, kosten_eur = 0');
    const pause = pausingAt(owner, (sql) => sql.startsWith(at));
    const making = run(pause.db);
    await pause.reached;
    const counting = count([call(NOW, at), call(DAYS[0] as string, at)]);
    pause.release();
    expect(await making).toEqual({ mandanten: 1 });
    await counting;
    const calls = await readCalls(service.sql);
    await expectDays(service.sql, calls);
    for (const grain of Object.keys(GRAINS) as Grain[])
      expect(await readSums(service.sql, grain), grain).toEqual(sumsOf(calls, grain));
  }
});

test('the days of a Mandant with all pieces are added up by the migration that gives them room', async () => {
  await count(DAYS.map((zeitpunkt) => call(zeitpunkt)));
  await count([call(NOW, 'allein')]);
  // As a release had them that kept sums by the day.
  await service.sql('TRUNCATE verbrauch_einzeln');
  await service.sql(
    `INSERT INTO verbrauch_tag (mandant_id, dimension, tag, merkmal_id, ${FIGURE_NAMES.join(', ')})
     SELECT e.mandant_id, 0, (e.zeitpunkt AT TIME ZONE m.zeitzone)::date, 0, ${EVENT_FIGURES}
     FROM ereignisse e JOIN mandanten m USING (mandant_id) GROUP BY 1, 3`,
  );
  await service.sql(
    'UPDATE verbrauch_tagesstand SET aufrufe = 0, unbepreist = 0, aufgeteilt = 0, kosten_eur = 0',
  );
  const { sql } = readMigrations().find(({ number }) => number === 134) as { sql: string };
  await service.sql(sql.slice(sql.indexOf('UPDATE'), sql.lastIndexOf('ALTER TABLE')));
  await expectDays(service.sql, await readCalls(service.sql));
});

test('while the last of it is made nobody counts the Mandant, and all others are counted', async () => {
  await count(DAYS.map((zeitpunkt) => call(zeitpunkt)));
  const other = await createKey(service, await registerAccount(service));
  await leaveOutOfPieces(service.sql);
  const pause = pausingAt(owner, (sql) => sql.startsWith('UPDATE zaehlstaende SET stuecke_bis = marken'));
  const making = run(pause.db);
  await pause.reached;
  await count([call(NOW, 'other')], other.secret);
  const counting = count([call(NOW, 'waits')]);
  await delay(500);
  expect((await readCalls(service.sql)).map(({ row }) => row.agent)).not.toContain('waits');
  pause.release();
  await Promise.all([making, counting]);
  expect((await readCalls(service.sql)).map(({ row }) => row.agent)).toContain('waits');
  expect(await readCrossedSums(service.sql)).toEqual(await expected());
});

/** Has the job die at every `step`th of its statements, each time of all that there is to make, until it gets through. */
async function dieEverywhere(step: number, check: () => Promise<void>): Promise<void> {
  for (let statement = 0; statement < 400; statement += step) {
    await leaveOutOfPieces(service.sql);
    const isDead = await run(dyingAt(owner, statement)).then(
      () => false,
      () => true,
    );
    await run();
    expect(await open()).toEqual([]);
    await check();
    if (!isDead) return;
  }
  throw new Error('it never gets through');
}

test('who dies anywhere leaves it to the next', async () => {
  await count(DAYS.map((zeitpunkt) => call(zeitpunkt)));
  await dieEverywhere(1, async () => expect(await readCrossedSums(service.sql)).toEqual(await expected()));
}, 120_000);

test('two at once make them once', async () => {
  await count(DAYS.map((zeitpunkt) => call(zeitpunkt)));
  await leaveOutOfPieces(service.sql);
  await Promise.all([run(), run()]);
  await run();
  expect(await open()).toEqual([]);
  expect(await readCrossedSums(service.sql)).toEqual(await expected());
});

// ── days whose events are gone ──────────────────────────────────────────────────────────────────────────────

const MONTH = '2027-01-01T00:00:00Z';
/** Events before the month go; a local day that has crossed its beginning has one left. */
async function removeEvents(): Promise<void> {
  await service.sql('UPDATE aufbewahrung SET ereignisse_ab = $1', [MONTH]);
  await service.sql('DELETE FROM ereignisse WHERE zeitpunkt < $1', [MONTH]);
}
const CROSSING = [...DAYS, '2027-01-01T00:30:00Z'].map((zeitpunkt) => call(zeitpunkt));
/** Counts them as a release does that leaves sums of them, too. */
async function countWithSums(): Promise<void> {
  await count(CROSSING);
  await writeFormerSums(service, account.mandantId);
  await service.sql('UPDATE verbrauch_tagesstand SET gelistet = NULL');
}
const GONE = ['2026-12-03', '2026-12-31', '2027-01-01'];

/** Calls in the pieces, by day and what they tell apart. */
async function callsInPieces(): Promise<Record<string, number>> {
  const pieces = await service.sql<{ tag: string; dimensionen: string; daten: Buffer }>(
    `SELECT tag_von::text AS tag, coalesce(array_to_string(dimensionen, ','), 'calls') AS dimensionen, daten
     FROM verbrauch_stuecke ORDER BY 1, 2`,
  );
  const sums: Record<string, number> = {};
  for (const { tag, dimensionen, daten } of pieces)
    for (const calls of unpackPiece(daten).columns.get('aufrufe') ?? [])
      sums[`${tag} ${dimensionen}`] = (sums[`${tag} ${dimensionen}`] ?? 0) + Number(calls);
  return sums;
}
const KINDS = ['', ...DIMENSION_NAMES.map((_, index) => `${index + 1}`)];
const madeOfSums = {
  ...Object.fromEntries(
    GONE.flatMap((tag) => KINDS.map((kind) => [`${tag} ${kind}`, tag === '2027-01-01' ? 2 : 1])),
  ),
  '2027-01-05 calls': 1,
};

test('days whose events are gone, wholly or in part, have pieces of their sums, all others of their events', async () => {
  await countWithSums();
  await removeEvents();
  await leaveOutOfPieces(service.sql);
  expect(await run()).toEqual({ mandanten: 1 });
  expect(await open()).toEqual([]);
  expect(await callsInPieces()).toEqual(madeOfSums);
  expect(
    await service.sql('SELECT tag::text, stuecke_dimensionen AS n FROM verbrauch_tagesstand ORDER BY tag'),
  ).toEqual([...GONE.map((tag) => ({ tag, n: 1 })), { tag: '2027-01-05', n: null }]);
});

test('what a former release gave up is made; whoever is counted meanwhile has pieces again', async () => {
  await countWithSums();
  await removeEvents();
  await service.sql('UPDATE zaehlstaende SET stuecke_bis = -1');
  await count([call(NOW, 'b')]);
  expect(await run()).toEqual({ mandanten: 1 });
  await count([call(NOW, 'c')]);
  expect(await callsInPieces()).toEqual({ ...madeOfSums, '2027-01-05 calls': 3 });
  expect(await open()).toEqual([]);
});

test('who dies anywhere while sums are read leaves it to the next', async () => {
  await countWithSums();
  await removeEvents();
  await dieEverywhere(7, async () => expect(await callsInPieces()).toEqual(madeOfSums));
}, 120_000);

test('events that go after pieces were made of them, and before these are all, leave none of a part', async () => {
  await countWithSums();
  await leaveOutOfPieces(service.sql);
  const pause = pausingAt(owner, (sql) => sql.includes('FOR UPDATE'));
  const making = run(pause.db);
  await pause.reached;
  expect((await callsInPieces())['2026-12-03 calls']).toBe(1);
  await removeEvents();
  pause.release();
  expect(await making).toEqual({ mandanten: 1 });
  expect(await callsInPieces()).toEqual(madeOfSums);
});

test('values that are asked for have sums of days whose events are gone, too, as far back as all calls have some', async () => {
  await countWithSums();
  const calls = await readCalls(service.sql);
  const since = '2026-12-31T22:00:00Z';
  await service.sql('UPDATE zaehlstaende SET stunden_ab = $1', [since]);
  await removeEvents();
  await leaveOutOfPieces(service.sql);
  expect(await run()).toEqual({ mandanten: 1 });
  await keepValues(owner, account.mandantId, [
    { dimension: 'modell', text: 'gpt-4o-mini' },
    { dimension: 'endkunde', text: '' },
  ]);
  const kept = await readKeptValues(service.sql);
  expect(kept).toHaveLength(2);
  const later = calls.filter(({ row }) => row.zeitpunkt >= since);
  expect(later).toHaveLength(4);
  expect(await readSums(service.sql, 'stunde')).toEqual(sumsOf(later, 'stunde', kept));
});
