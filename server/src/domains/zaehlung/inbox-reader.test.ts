/** How much is read at once is bounded by what becomes of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { InboxReader } from './inbox-reader.ts';
import { RememberedChoices } from './kept-values.ts';
import { START } from './stretch.ts';
import { createCountingWorker } from './worker.ts';

const MEBIBYTE = 2 ** 20;
const BATCHES = 5;
const EVENTS = 20;
/** The same for all events of a batch: it stands there once. */
const zusatz = { text: 'x'.repeat(200_000) };

let service: TestService;
let db: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 4, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

test('batches that are small and become large rows are counted in several stretches', async () => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const ereignisse = Array.from({ length: EVENTS }, () => ({ ereignis_id: randomUUID(), zusatz }));
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode).toBe(202);
  }
  const reader = new InboxReader(
    db,
    createPriceList(),
    { usdEur: '0.86', tag: null },
    new RememberedChoices(),
  );
  const { mandantId } = account;
  const sizes: number[] = [];
  let after = START;
  for (let stretch = await reader.next(mandantId, after, []); stretch; ) {
    expect(stretch.eventData.length).toBeLessThan(17 * MEBIBYTE);
    const [part] = stretch.parts;
    expect(stretch.lastId).toBe(part?.eingangIds.at(-1));
    sizes.push(part?.eingangIds.length ?? 0);
    after = stretch.lastId;
    stretch = await reader.next(mandantId, after, []);
  }
  expect(sizes).toEqual([4, 1]);

  const worker = createCountingWorker({
    db,
    log: service.context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  });
  await worker.drain();
  const rows = await service.sql('SELECT count(*)::int AS events FROM ereignisse WHERE mandant_id = $1', [
    mandantId,
  ]);
  expect(rows).toEqual([{ events: BATCHES * EVENTS }]);
});
