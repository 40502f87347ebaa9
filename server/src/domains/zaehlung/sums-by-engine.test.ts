/** What the engine answers of what was counted is what the events add up to by SQL, to the last digit. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIMENSION_NAMES, type DimensionName } from '#contracts';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { wholeHours } from '#kernel/zeitraum.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { batches, EDGES } from '#test/arbitrary-events.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { startService, type TestService } from '#test/service.ts';
import {
  askAllPages,
  askEngine,
  type EngineQuestion,
  eventsAddedUp,
  startEngine,
  type TestEngine,
} from '#test/sums-by-engine.ts';
import { createCountingWorker } from './index.ts';
import { applyLatePrices } from './late-prices.ts';

const ZONE = 'Europe/Berlin';
const NOW = '2027-01-05T12:00:00.000Z';
const NO_PRICES: PriceList = { edition: 'none', model: () => () => null };

let service: TestService;
let db: OwnerDatabase;
let own: TestEngine;

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  const { log } = service.context;
  const options = { connection: service.connection, max: 4, statementTimeout: 60_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, log));
  own = startEngine();
});
afterAll(async () => {
  await own?.stop();
  await db?.close();
  await service?.stop();
});

/** Sends the batches: every other one is counted without prices at first, which come late. */
async function countAll(sent: object[][]): Promise<Account> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  for (const [index, ereignisse] of sent.entries()) {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    const prices = index % 2 === 0 ? createPriceList() : NO_PRICES;
    await createCountingWorker({ db, log: service.context.log, prices, substituteRate: '0.86' }).drain();
    if (index % 3 === 1) await applyLatePrices({ owner: db, log: service.context.log }, createPriceList());
  }
  return account;
}

const anyWindow = fc
  .tuple(fc.constantFrom(...EDGES), fc.constantFrom(...EDGES), fc.nat(47), fc.nat(70))
  .map(([from, to, before, after]) => {
    const [first, last] = [from, to].sort() as [string, string];
    const at = (text: string) => Temporal.Instant.from(text).toZonedDateTimeISO(ZONE);
    return wholeHours({
      von: at(first).subtract({ hours: before }),
      bis: at(last).add({ hours: after + 1 }),
    });
  });

const anyGroupings = fc.uniqueArray(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...DIMENSION_NAMES) },
    fc.constantFrom('tag', 'stunde', 'minute'),
  ),
  { minLength: 0, maxLength: 3 },
) as fc.Arbitrary<EngineQuestion['by'][number][]>;

const anyQuestion = fc.record({
  window: anyWindow,
  by: anyGroupings,
  /** Of which dimensions some values are picked, by how many. */
  filtered: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...DIMENSION_NAMES), fc.integer({ min: 1, max: 3 }), fc.nat()),
    {
      selector: ([name]) => name,
      maxLength: 2,
    },
  ),
  order: fc.constantFrom('cost', 'time'),
  limit: fc.integer({ min: 1, max: 7 }),
}) as fc.Arbitrary<
  Omit<EngineQuestion, 'where'> & { filtered: [DimensionName, number, number][]; limit: number }
>;

/** Values that there are. */
async function valuesOf(mandant: string): Promise<Map<number, string[]>> {
  const rows = await service.sql<{ dimension: number; text: string }>(
    'SELECT dimension, text FROM merkmale WHERE mandant_id = $1 ORDER BY merkmal_id',
    [mandant],
  );
  return new Map(
    [...Map.groupBy(rows, ({ dimension }) => dimension)].map(([number, of]) => [
      number,
      of.map(({ text }) => text),
    ]),
  );
}

test('any filters and groupings, page by page, are what the events add up to', {
  timeout: fuzzTime(),
}, async () => {
  const questions = fc.array(anyQuestion, { minLength: 20, maxLength: 30 });
  const property = fc.asyncProperty(batches, questions, async (sent, asked) => {
    const { mandantId: mandant } = await countAll(sent);
    const values = await valuesOf(mandant);
    for (const { filtered, limit, ...question } of asked) {
      const where = filtered.map(([dimension, count, first]) => {
        const of = values.get(DIMENSION_NAMES.indexOf(dimension) + 1) ?? [''];
        return {
          dimension,
          values: Array.from({ length: count }, (_, index) => of[(first + index) % of.length] as string),
        };
      });
      const whole = { ...question, where };
      const shown = JSON.stringify(whole);
      const expected = await eventsAddedUp(service, mandant, whole);
      const answer = await askEngine(service, own.engine, mandant, whole);
      expect(answer, shown).toEqual({ ...expected, rest: null, naechster: null });
      expect(await askAllPages(service, own.engine, mandant, { ...whole, limit }), shown).toEqual(
        expected.zeilen,
      );
    }
  });
  await fc.assert(property, { numRuns: fuzzRuns(3), endOnFailure: true });
});

test('a call with more tokens than a double holds is counted to the last one', async () => {
  const most = {
    eingabe_token: Number.MAX_SAFE_INTEGER,
    ausgabe_token: Number.MAX_SAFE_INTEGER,
    denk_token: 200_010,
  };
  const more = { zusatz: { ausgabe_umfasst_denken: false }, zeitpunkt: '2026-10-25T12:00:00Z', agent: 'a' };
  const { mandantId: mandant } = await countAll([
    [{ anbieter: 'openai', modell: 'gpt-4o-mini', ...most, ...more }],
  ]);
  const von = Temporal.ZonedDateTime.from(`2026-10-25T00:00[${ZONE}]`);
  const question: EngineQuestion = { window: { von, bis: von.add({ days: 1 }) }, by: ['agent'] };
  const answer = await askEngine(service, own.engine, mandant, question);
  expect(answer.summe.ausgabe_gesamt).toBe('9007199254941001');
  expect(answer).toMatchObject(await eventsAddedUp(service, mandant, question));
});
