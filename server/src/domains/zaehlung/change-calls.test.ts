/** Any change of any counted call: sums, pieces, keys, sources, rates and runs are what the events add up to, as they are by then. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rateFrom, type Usd } from '#kernel/money.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Account } from '#test/account.ts';
import { batches, RUNS } from '#test/arbitrary-events.ts';
import { countAnew, expectSumsAfterTakingBack, type SentCall } from '#test/counted-anew.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { ownerOf } from '#test/jobs.ts';
import { putTogether } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import { readCalls, readRuns, runsOf } from '#test/sums-by-dimension.ts';
import { type CallChange, changeCalls, lockCounting } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow } from './counted-row.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  // No call is of a time to come.
  service.clock.set('2027-01-05T12:00:00Z');
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const kurs = fc
  .record({
    text: fc.constantFrom('0.5', '0.86', '1.0001'),
    ersatz: fc.boolean(),
    ersatzTag: fc.constant(null),
  })
  .map((rate) => ({ ...rate, scaled: rateFrom(rate.text) }));
const price = fc
  .record({
    usd: fc.constantFrom(null, 0n, 1n, 123_456_789n * 10n ** 20n, 10n ** 40n) as fc.Arbitrary<Usd | null>,
    partial: fc.boolean(),
  })
  .map(({ usd, partial }) => ({
    usd,
    teilbepreist: usd !== null && partial,
    preisQuelle: usd === null ? null : 'genai-prices',
  }));
const now: fc.Arbitrary<CallChange['now']> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: price },
  { weight: 2, arbitrary: fc.record({ teilbepreist: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kurs }) },
  { weight: 2, arbitrary: fc.record({ wiederholung: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(price, fc.record({ kurs, wiederholung: fc.boolean() }))
      .map(([a, b]) => ({ ...a, ...b })),
  },
);

/** Changes what there is of the Mandant's calls, each as `pick` says; undefined: it stays. */
const change = ({ mandantId }: Account, pick: (index: number) => CallChange['now'] | undefined) =>
  owner.transaction(async (client) => {
    const stand = await lockCounting(client, mandantId);
    if (!stand) return;
    const { rows } = await client.query<CountedRow>(
      `SELECT ${COUNTED_ROW} FROM ereignisse WHERE mandant_id = $1 ORDER BY zeitpunkt, ereignis_id`,
      [mandantId],
    );
    const changes = rows.flatMap((row, index): CallChange[] => {
      const picked = pick(index);
      return picked === undefined ? [] : [{ row, now: picked }];
    });
    // In two goes of one transaction: the second begins where the first has ended.
    const middle = changes.length >> 1;
    await changeCalls(client, mandantId, stand, changes.slice(0, middle));
    await changeCalls(client, mandantId, stand, changes.slice(middle));
  });

test('leaves what the events are by then, whatever changes and goes', { timeout: fuzzTime() }, async () => {
  const sent = batches.map((each) => each.flat() as SentCall[]);
  const rounds = fc.array(fc.array(fc.option(now, { nil: undefined }), { minLength: 1, maxLength: 40 }), {
    minLength: 1,
    maxLength: 3,
  });
  const property = fc.asyncProperty(sent, rounds, async (calls, picks) => {
    // Runs of its own: the judge tells them apart by their ids alone.
    const runs = Object.fromEntries(RUNS.map((run) => [run, randomUUID()]));
    const own = calls.map((each) =>
      each.lauf_id ? { ...each, lauf_id: runs[each.lauf_id] as string } : each,
    );
    const account = await countAnew(service, owner, own);
    for (const picked of picks) await change(account, (index) => picked[index % picked.length]);
    await expectSumsAfterTakingBack(service);
    expect(await readRuns(service.sql)).toMatchObject(runsOf(await readCalls(service.sql)));
    expect(await service.sql('SELECT FROM laeufe WHERE aufrufe = 0')).toEqual([]);
  });
  await fc.assert(property, { numRuns: fuzzRuns(20) });
});

const call = (index: number): SentCall => ({
  ereignis_id: randomUUID(),
  zeitpunkt: `2026-06-30T10:00:0${index}Z`,
  ...{
    agent: 'a',
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    latenz_ms: 100,
    eingabe_token: 7,
    ausgabe_token: 3,
  },
});

test('one that changes often is one row of a piece still, once they are put together', async () => {
  const account = await countAnew(service, owner, [0, 1, 2].map(call));
  const priced = (usd: bigint) => ({ usd: usd as Usd, preisQuelle: 'genai-prices', teilbepreist: false });
  for (const usd of [1n, 2n, 3n]) await change(account, () => priced(usd));
  await change(account, (index) => ({ wiederholung: index === 1 }));
  await change(account, (index) => (index === 2 ? null : priced(4n)));
  await change(account, (index) => ({ teilbepreist: index === 0 }));
  const rows = async () =>
    (
      await service.sql<{ rows: number }>(
        'SELECT sum(anzahl)::int AS rows FROM verbrauch_stuecke WHERE mandant_id = $1',
        [account.mandantId],
      )
    )[0]?.rows;
  expect(await rows()).toBeGreaterThan(20);
  await putTogether(service, owner, 'roh');
  expect(await rows()).toBe(2);
  await expectSumsAfterTakingBack(service);
});

test('what changes nothing of what it adds leaves no mark', async () => {
  const account = await countAnew(service, owner, [
    { ...call(0), status: 'fehler' },
    { ...call(1), modell: 'x' },
  ]);
  const state = () =>
    service.sql(
      'SELECT z.marken, t.geaendert FROM zaehlstaende z JOIN verbrauch_tagesstand t USING (mandant_id) WHERE mandant_id = $1',
      [account.mandantId],
    );
  const before = await state();
  await change(account, () => ({ wiederholung: true }));
  expect(await state()).toEqual(before);
  expect(
    await service.sql('SELECT FROM ereignisse WHERE wiederholung AND mandant_id = $1', [account.mandantId]),
  ).toHaveLength(2);
});
