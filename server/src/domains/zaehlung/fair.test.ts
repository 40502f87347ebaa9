/** However much others have, who comes with little or with much is soon counted: bounds of turns and of their work, not of time. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker } from './index.ts';

const BUSY = 6;
const BATCHES = 5;
const EVENTS = 600;

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 8, statementTimeout: 60_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

/** New values in every dimension: each changes rows of its own in every sum. */
const awkward = () => ({
  agent: `${randomUUID()}/x`,
  anbieter: randomUUID(),
  modell: randomUUID(),
  endkunde_ref: randomUUID(),
  funktion_ref: randomUUID(),
  benutzer_ref: randomUUID(),
  lauf_id: randomUUID(),
});

async function newSender() {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const send = async (count: number) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse: Array.from({ length: count }, awkward) },
    });
    expect(answer.statusCode, answer.body).toBe(202);
  };
  return { mandant: account.mandantId, send };
}

/** What was counted in one transaction of which Mandant, in order. */
interface Step {
  mandant: string;
  events: number;
}

/** Counts what waits; after the first transaction `newcomer` is called. Resolves with the transactions behind it. */
async function stepsAfter(newcomer: () => Promise<void>): Promise<Step[]> {
  const counted = async () =>
    new Map(
      (
        await service.sql<{ mandant_id: string; n: number }>(
          'SELECT mandant_id, ereignisse_gesamt::int AS n FROM zaehlstaende',
        )
      ).map(({ mandant_id, n }) => [mandant_id, n]),
    );
  const steps: Step[] = [];
  let before = new Map<string, number>();
  let begun = false;
  // What commits while another looks is seen by one of them only.
  let looking: Promise<void> = Promise.resolve();
  const look = () => {
    looking = looking.then(async () => {
      const after = await counted();
      for (const [mandant, n] of after)
        if (n !== (before.get(mandant) ?? 0)) steps.push({ mandant, events: n - (before.get(mandant) ?? 0) });
      before = after;
      if (begun) return;
      begun = true;
      await newcomer();
      steps.length = 0;
    });
    return looking;
  };
  const db: OwnerDatabase = {
    ...owner,
    async repeatable(work) {
      const result = await owner.repeatable(work);
      await look();
      return result;
    },
  };
  before = await counted();
  await createCountingWorker({
    db,
    log: service.context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  }).drain();
  return steps;
}

test.each([
  ['little', 10],
  ['much', 700],
])(
  'a seventh that comes with %s is counted before the others have had two turns each',
  { timeout: 300_000 },
  async (_what, count) => {
    const busy = await Promise.all(Array.from({ length: BUSY }, newSender));
    for (let batch = 0; batch < BATCHES; batch += 1) for (const each of busy) await each.send(EVENTS);
    const seventh = await newSender();
    const steps = await stepsAfter(() => seventh.send(count));
    const place = steps.findIndex(({ mandant }) => mandant === seventh.mandant);
    expect(place).toBeGreaterThanOrEqual(0);
    // One with little has a turn of its own at once. One with much waits for those who have not had one yet, and those under way.
    expect(place).toBeLessThanOrEqual(count === 10 ? 3 : BUSY + 2);
    // With eight for an event, itself and seven sums, the work of a turn ends with the third batch.
    for (const { mandant, events } of steps.slice(0, place))
      if (mandant !== seventh.mandant) expect(events).toBeLessThanOrEqual(3 * EVENTS);
    const [left] = await service.sql('SELECT count(*)::int AS n FROM eingang');
    expect(left).toEqual({ n: 0 });
  },
);

test('one alone is counted in long stretches', async () => {
  const { send } = await newSender();
  for (let batch = 0; batch < BATCHES; batch += 1) await send(EVENTS);
  const steps = await stepsAfter(async () => undefined);
  expect(steps).toEqual([]);
});
