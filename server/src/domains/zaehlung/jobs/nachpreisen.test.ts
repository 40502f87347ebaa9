import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPriceList,
  followPriceList,
  listeGewechselt,
  type PriceList,
  takeEdition,
  takePackaged,
} from '#domains/preise/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { editionWith } from '#test/price-lists.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker } from '../worker.ts';
import { nachListePreisenJob, nachpreisenJob } from './nachpreisen.ts';

let service: TestService;
let owner: OwnerDatabase;
const noPrices: PriceList = { edition: 'none', model: () => () => null };
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
        `SELECT sum(unbepreist)::int AS n FROM verbrauch_laufend_stunde v WHERE dimension = 0`,
      )
    )[0]?.n;
  expect(await nachpreisenJob({ owner, log: service.context.log }, noPrices).run()).toEqual({ bepreist: 0 });
  expect(await unpriced()).toBe(3);
  const { run } = nachpreisenJob({ owner, log: service.context.log }, createPriceList());
  expect(await run()).toEqual({ bepreist: 2 });
  expect(await unpriced()).toBe(1);
  expect(await run()).toEqual({ bepreist: 0 });
});

test('prices it as soon as a list that knows the model holds, by that list, and leaves what has a price', async () => {
  const { log } = service.context;
  const key = await createKey(service, await registerAccount(service));
  const send = async (modell: string) => {
    const sent = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${key.secret}` },
      payload: { ereignisse: [{ anbieter: 'openai', modell, eingabe_token: 1_000_000 }] },
    });
    expect(sent.statusCode).toBe(202);
  };
  await takePackaged(owner, new Date());
  await service.sql('DELETE FROM auftraege');
  const list = followPriceList({ db: owner, log });
  await list.start();
  await send('nagelneu-1');
  await send('gpt-5');
  await createCountingWorker({ db: owner, log, prices: list.prices, substituteRate: '0.5' }).drain();
  const jobs = [nachListePreisenJob({ owner, log }, list.prices)];
  const runner = createRunner({ jobs, db: owner, log, observe: () => undefined });
  const stand = new Date().toISOString().slice(0, 10);
  const bytes = await editionWith('nagelneu-1', 3);
  const taken = await takeEdition(
    owner,
    { bytes, herkunft: 'netz', stand, bestaetigt_am: new Date().toISOString() },
    new Date(),
  );
  const prices = async () =>
    (
      await service.sql<{ modell: string; usd: string; preis_quelle: string }>(
        `SELECT modell, trim_scale(kosten_usd)::text AS usd, preis_quelle FROM ereignisse
         WHERE modell IN ('nagelneu-1', 'gpt-5') ORDER BY modell DESC`,
      )
    ).map((row) => [row.modell, row.usd, row.preis_quelle]);
  expect(await runner.runDue()).toBe(1);
  expect(await prices()).toEqual([
    ['nagelneu-1', '3', `${taken.edition.name} openai/nagelneu-1`],
    ['gpt-5', '1.25', expect.stringMatching(/^genai-prices \d+\.\d+\.\d+ openai\/gpt-5$/)],
  ]);
  expect(await service.sql(`SELECT FROM auftraege WHERE job = '${listeGewechselt.id}'`)).toEqual([]);
  await runner.stop();
  await list.stop();
});
