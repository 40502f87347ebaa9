/** Questions of all kinds to the engine, and what is counted before they are asked. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { DIMENSION_NAMES, type DimensionName } from '#contracts';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { applyLatePrices } from '#domains/zaehlung/late-prices.ts';
import { wholeHours } from '#kernel/zeitraum.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from './account.ts';
import { EDGES } from './arbitrary-events.ts';
import type { TestService } from './service.ts';
import type { EngineQuestion } from './sums-by-engine.ts';

const ZONE = 'Europe/Berlin';
const NO_PRICES: PriceList = { edition: 'none', model: () => () => null };

/** Sends the batches: every other one is counted without prices at first, which come late. */
export async function countAll(service: TestService, db: OwnerDatabase, sent: object[][]): Promise<Account> {
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

/** Of a Mandant in Berlin, about its local hours around `EDGES`. */
export const anyQuestion = fc.record({
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

/** Values that there are, by the number of their dimension. */
export async function valuesOf(service: TestService, mandant: string): Promise<Map<number, string[]>> {
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

/** Filters by values that there are. */
export const filtersOf = (
  filtered: readonly (readonly [DimensionName, number, number])[],
  values: Map<number, string[]>,
) =>
  filtered.map(([dimension, count, first]) => {
    const of = values.get(DIMENSION_NAMES.indexOf(dimension) + 1) ?? [''];
    return {
      dimension,
      values: Array.from({ length: count }, (_, index) => of[(first + index) % of.length] as string),
    };
  });
