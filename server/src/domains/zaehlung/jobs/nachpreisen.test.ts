import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { completeSums } from '#domains/verbrauch/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker } from '../worker.ts';
import { nachpreisenJob } from './nachpreisen.ts';

let service: TestService;
let owner: OwnerDatabase;
const noPrices: PriceList = { model: () => () => null };
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 3, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

test('prices what was counted while its model had no price, of all Mandanten, once', async () => {
  for (const modell of ['gpt-4o-mini', 'gpt-4o-mini', 'eigenes-modell']) {
    const key = await createKey(service, await registerAccount(service));
    const sent = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${key.secret}` },
      payload: { ereignisse: [{ anbieter: 'openai', modell, eingabe_token: 1_000_000 }] },
    });
    expect(sent.statusCode).toBe(202);
  }
  const { log } = service.context;
  await createCountingWorker({ db: owner, log, prices: noPrices, substituteRate: '0.5' }).drain();
  const unpriced = async () =>
    (
      await service.sql<{ n: number }>(
        `SELECT sum(unbepreist)::int AS n FROM ${completeSums('tag')} v WHERE dimension = 0`,
      )
    )[0]?.n;
  expect(await nachpreisenJob({ owner, log: service.context.log }, noPrices).run()).toEqual({ bepreist: 0 });
  expect(await unpriced()).toBe(3);
  const { run } = nachpreisenJob({ owner, log: service.context.log }, createPriceList());
  expect(await run()).toEqual({ bepreist: 2 });
  expect(await unpriced()).toBe(1);
  expect(await run()).toEqual({ bepreist: 0 });
});
