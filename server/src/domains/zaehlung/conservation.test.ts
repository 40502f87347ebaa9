/**
 * Conservation: whatever is sent, every grouping of every window adds up to the events, to the last digit. The truth is
 * worked out from the events as they were sent, with decimals and calendar of its own.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { DIMENSION_NAMES } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { batches, EDGES, RUNS } from '#test/arbitrary-events.ts';
import {
  type Answer,
  checkGrouping,
  checkRuns,
  keyed,
  read,
  type Sender,
  type Window,
} from '#test/conservation.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import {
  distinct,
  type Gruppe,
  KEYS,
  rowsOf,
  sumOf,
  type Truth,
  VALUES,
  type World,
} from '#test/reference-sums.ts';
import { startService, type TestService } from '#test/service.ts';
import { keySumsOf, readCalls, readKeySums, readSourceSums, sourceSumsOf } from '#test/sums-by-dimension.ts';
import { createCountingWorker } from './index.ts';
import type { CountingWorker } from './worker.ts';

const ZONE = 'Europe/Berlin';
const NOW = '2027-01-05T12:00:00.000Z';
const SUBSTITUTE = '0.86';
/** Reference rates with gaps, EUR for one USD. */
const RATES: [day: string, rate: string][] = [
  ['2026-01-30', '0.8390127002'],
  ['2026-03-27', '0.9'],
  ['2026-10-23', '0.8612971144'],
  ['2026-12-31', '0.8511362669'],
];

const WORLD: World = {
  receivedAt: NOW,
  zone: ZONE,
  rateOf: (day) => RATES.findLast(([from]) => from <= day)?.[1] ?? SUBSTITUTE,
  isSubstitute: (day) => RATES.every(([from]) => from > day),
};

let service: TestService;
let db: OwnerDatabase;
let worker: CountingWorker;

beforeAll(async () => {
  service = await startService({ USD_EUR_RATE: SUBSTITUTE });
  service.clock.set(NOW);
  for (const [day, rate] of RATES)
    await service.sql(`INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ($1, $2, 'ezb')`, [day, rate]);
  const { log } = service.context;
  const options = { connection: service.connection, max: 4, statementTimeout: 60_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, log));
  worker = createCountingWorker({ db, log, prices: createPriceList(), substituteRate: SUBSTITUTE });
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

// ── what is answered ────────────────────────────────────────────────────────────────────────────────────────

/** The second secret is that of another key, by which every other batch comes. */
type TwoKeys = Sender & { second: string };

async function addSender(): Promise<TwoKeys> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const { secret: second } = await createKey(service, account);
  return { service, account, secret, second };
}

/** Sends the batches; the worker counts them, after some batches at once and after others later. */
async function sendAndCount(sender: TwoKeys, sent: Ereignis[][]): Promise<void> {
  for (const [index, ereignisse] of sent.entries()) {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${index % 2 === 0 ? sender.secret : sender.second}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    if (index % 2 === 1) await worker.drain();
  }
  await worker.drain();
}

const HOUR = 3_600_000;
const midnight = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime(ZONE).epochMilliseconds;

/** Any stretch of the time line, widened to whole hours; or whole local days. */
const window: fc.Arbitrary<Window> = fc
  .tuple(
    fc.constantFrom(...EDGES),
    fc.constantFrom(...EDGES),
    fc.integer({ min: -50, max: 50 }),
    fc.boolean(),
  )
  .map(([from, to, minutes, byDay]) => {
    const [low, high] = [Date.parse(from), Date.parse(to)].sort((a, b) => a - b) as [number, number];
    const [von, bis] = [low + minutes * 60_000, high + 3 * HOUR];
    if (!byDay) {
      const query = `von=${new Date(von).toISOString()}&bis=${new Date(bis).toISOString()}`;
      return { query, von: Math.floor(von / HOUR) * HOUR, bis: Math.ceil(bis / HOUR) * HOUR };
    }
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const [first, last] = [day(von), day(bis + 24 * HOUR)];
    return { query: `von=${first}&bis=${last}`, von: midnight(first), bis: midnight(last) };
  });

const GROUPINGS = Object.keys(KEYS) as Gruppe[];

async function checkDays(sender: Sender, events: Truth[]): Promise<void> {
  for (const [day, group] of Map.groupBy(events, KEYS.tag)) {
    const answer = await read<Answer>(sender, `/v1/uebersicht/tag?datum=${day}`);
    const rows = rowsOf(group, (call) => `${call.projekt}|${VALUES.endkunde(call)}`);
    expect(keyed(answer.zeilen, (row) => `${row.projekt}|${row.endkunde ?? ''}`)).toEqual(rows);
    expect(answer.summe).toEqual(sumOf(group));
  }
}

/** What keys and sources have is what their calls add up to. */
async function checkKeys({ account: { mandantId } }: Sender): Promise<void> {
  const calls = (await readCalls(service.sql)).filter(({ row }) => row.mandant_id === mandantId);
  const ofThem = Object.entries(await readKeySums(service.sql)).filter(([key]) => key.includes(mandantId));
  expect(Object.fromEntries(ofThem)).toEqual(keySumsOf(calls));
  const sources = Object.entries(await readSourceSums(service.sql)).filter(([key]) =>
    key.includes(mandantId),
  );
  expect(Object.fromEntries(sources)).toEqual(sourceSumsOf(calls));
}

const LONG = { timeout: fuzzTime() };

const leftInInbox = () =>
  service.sql(`SELECT 'waits' AS grund FROM eingang UNION ALL SELECT grund FROM eingang_unzaehlbar`);

const FILTERED = DIMENSION_NAMES.flatMap((dimension) => GROUPINGS.map((gruppe) => ({ dimension, gruppe })));
const enough = batches.filter((sent) => sent.flat().length >= 20);
const windows = (count: number) => fc.array(window, { minLength: 1, maxLength: count });

describe('conservation', () => {
  test(
    'every grouping of the calls with one value adds up to them, also when some come late',
    LONG,
    async () => {
      const all = [enough, batches, windows(3), fc.nat()] as const;
      const property = fc.asyncProperty(...all, async (early, late, windows, pick) => {
        const sender = await addSender();
        await sendAndCount(sender, early);
        await sendAndCount(sender, late);
        const events = distinct([...early, ...late], WORLD);
        for (const [index, { dimension, gruppe }] of FILTERED.entries()) {
          const value = VALUES[dimension](events[(pick + index) % events.length] as Truth);
          const each = windows[index % windows.length] as Window;
          await checkGrouping(sender, events, each, gruppe, { dimension, value });
        }
      });
      await fc.assert(property, { numRuns: fuzzRuns(1), endOnFailure: true });
    },
  );

  test('every grouping of every window, every day and every run add up to the events', LONG, async () => {
    const property = fc.asyncProperty(batches, windows(2), async (sent, windows) => {
      const sender = await addSender();
      await sendAndCount(sender, sent);
      expect(await leftInInbox()).toEqual([]);
      const events = distinct(sent, WORLD);
      for (const each of windows)
        for (const gruppe of GROUPINGS) await checkGrouping(sender, events, each, gruppe);
      await checkDays(sender, events);
      await checkRuns(sender, events, RUNS);
      await checkKeys(sender);
    });
    await fc.assert(property, { numRuns: fuzzRuns(8) });
  });

  test('the day on which the clock goes back has 25 hours, two of them called 02', async () => {
    const hours = Array.from(
      { length: 25 },
      (_, hour) => new Date(Date.parse('2026-10-24T22:30:00Z') + hour * HOUR),
    );
    const sent = hours.map((at, index) => ({ zeitpunkt: at.toISOString(), eingabe_token: 2 ** index }));
    const sender = await addSender();
    await sendAndCount(sender, [sent]);
    const { zeilen } = await read<Answer>(
      sender,
      '/v1/api/verbrauch?gruppe=stunde&von=2026-10-25&bis=2026-10-26',
    );
    expect(zeilen.map((row) => row.eingabe_token)).toEqual(hours.map((_, index) => String(2 ** index)));
    expect(zeilen.slice(1, 5).map((row) => row.schluessel)).toEqual([
      '2026-10-25T01:00:00+02:00',
      '2026-10-25T02:00:00+02:00',
      '2026-10-25T02:00:00+01:00',
      '2026-10-25T03:00:00+01:00',
    ]);
    const days = await read<Answer>(sender, '/v1/api/verbrauch?gruppe=tag&von=2026-10-24&bis=2026-10-27');
    expect(days.zeilen.map((row) => [row.schluessel, row.aufrufe])).toEqual([['2026-10-25', '25']]);
  });

  test('the day on which the clock goes forward has 23 hours and none called 02', async () => {
    const hours = Array.from(
      { length: 23 },
      (_, hour) => new Date(Date.parse('2026-03-28T23:00:00Z') + hour * HOUR),
    );
    const sender = await addSender();
    await sendAndCount(sender, [hours.map((at) => ({ zeitpunkt: at.toISOString() }))]);
    const { zeilen } = await read<Answer>(
      sender,
      '/v1/api/verbrauch?gruppe=stunde&von=2026-03-29&bis=2026-03-30',
    );
    expect(zeilen.map((row) => row.aufrufe)).toEqual(hours.map(() => '1'));
    expect(zeilen.slice(1, 3).map((row) => row.schluessel)).toEqual([
      '2026-03-29T01:00:00+01:00',
      '2026-03-29T03:00:00+02:00',
    ]);
  });
});
