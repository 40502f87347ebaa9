/** What changed between two windows, beside what the calls themselves add up to. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { scaledFrom, textOf } from '#kernel/money.ts';
import type { Window } from '#kernel/zeitraum.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { addEvents, type Call } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { changes } from './changes.ts';
import { engineOf } from './engine/engine-of.ts';

const MOST = 2;
const ZONE = 'Europe/Berlin';
const _NOW = Temporal.Instant.from('2026-11-16T08:00:00Z');
const week = (monday: string, weeks = 1): Window => ({
  von: Temporal.PlainDate.from(monday).toZonedDateTime(ZONE),
  bis: Temporal.PlainDate.from(monday).add({ weeks }).toZonedDateTime(ZONE),
});
const WINDOW = week('2026-11-09');
const BEFORE = week('2026-11-02');
const EARLIER = week('2026-10-12', 4);

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const call: fc.Arbitrary<Call> = fc.record({
  agent: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  projekt: fc.constant('standard'),
  endkunde: fc.constant(null),
  anbieter: fc.constant('openai'),
  modell: fc.constant('gpt-5'),
  funktion: fc.constant(null),
  benutzer: fc.constant(null),
  ms: fc.integer({ min: Date.parse('2026-10-01T00:00:00Z'), max: Date.parse('2026-11-16T06:00:00Z') }),
  failed: fc.boolean(),
  geschaetzt: fc.boolean(),
  eingabe_token: fc.constant(1),
  usd: fc.option(fc.bigInt({ min: 0n, max: 10n ** 16n }), { nil: null, freq: 3 }),
});

const isIn = ({ von, bis }: Window, { ms }: Call) =>
  ms >= von.epochMilliseconds && ms < bis.epochMilliseconds;

/** 0 without a call, null where none has a price; of 10^-12 EUR. */
function costOf(calls: Call[]): bigint | null {
  const known = calls.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  return calls.length > 0 && known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0n);
}

interface Expected {
  key: string;
  now: bigint | null;
  before: bigint | null;
  difference: bigint | null;
  isNew: boolean;
}

function expectedOf(calls: Call[]): Expected[] {
  return [...new Set(calls.map(({ agent }) => agent as string))]
    .map((key) => {
      const own = calls.filter(({ agent }) => agent === key);
      const within = (window: Window) => own.filter((each) => isIn(window, each));
      const [now, before] = [costOf(within(WINDOW)), costOf(within(BEFORE))];
      const called = within(WINDOW).length > 0;
      return {
        key,
        now,
        before,
        difference: now === null || before === null ? null : now - before,
        isNew: called && within(EARLIER).length === 0,
        seen: called || within(BEFORE).length > 0,
      };
    })
    .filter(({ seen }) => seen);
}

const textOrNull = (amount: bigint | null) => (amount === null ? null : textOf(amount, 12));
const read = (account: Account) =>
  service.context.db.forMandant(mandantId(account.mandantId), (tx) =>
    changes(engineOf(service.context), tx, {
      ...{ window: WINDOW, before: BEFORE, earlier: EARLIER, by: 'agent', most: MOST },
    }),
  );

test('every amount is exact, and those that are told are those that changed most', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), async (calls) => {
      const account = await registerAccount(service);
      await addEvents(service, account.mandantId, calls);
      const all = expectedOf(calls);
      const told = await read(account);
      for (const row of told) {
        const expected = all.find(({ key }) => key === row.schluessel);
        expect(row).toMatchObject({
          kosten_eur: textOrNull(expected?.now ?? null),
          vorher_eur: textOrNull(expected?.before ?? null),
          differenz_eur: textOrNull(expected?.difference ?? null),
          neu_anzahl: all.filter(({ isNew }) => isNew).length,
        });
        if (row.neu !== null) expect(expected?.isNew).toBe(true);
      }
      const placed = (place: 'gestiegen' | 'gesunken') =>
        told
          .filter((row) => (row[place] ?? MOST + 1) <= MOST)
          .sort((a, b) => Number(a[place]) - Number(b[place]))
          .map(({ differenz_eur }) => scaledFrom(differenz_eur as string, 12));
      const differences = all.flatMap(({ difference }) => (difference === null ? [] : [difference]));
      const descending = differences.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
      expect(placed('gestiegen')).toEqual(descending.filter((each) => each > 0n).slice(0, MOST));
      expect(placed('gesunken')).toEqual(
        descending
          .filter((each) => each < 0n)
          .reverse()
          .slice(0, MOST),
      );
      const costs = all.filter(({ isNew }) => isNew).map(({ now }) => now ?? -1n);
      const newest = told
        .filter(({ neu }) => neu !== null)
        .sort((a, b) => Number(a.neu) - Number(b.neu))
        .map(({ kosten_eur }) => (kosten_eur === null ? -1n : scaledFrom(kosten_eur, 12)));
      expect(newest).toEqual(costs.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)).slice(0, MOST));
    }),
    { numRuns: 25 },
  );
});

test('another Mandant changes nothing', async () => {
  expect(await read(await registerAccount(service))).toEqual([]);
});
