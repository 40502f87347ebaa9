import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { GRAINS, type Grain } from '#domains/verbrauch/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { expectDays } from '#test/day-totals.ts';
import { expectPieces } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import {
  keySumsOf,
  ratesOf,
  readCalls,
  readKeySums,
  readRates,
  readSourceSums,
  readSums,
  sourceSumsOf,
  sumsOf,
} from '#test/sums-by-dimension.ts';
import { applyLatePrices } from './late-prices.ts';
import { createCountingWorker } from './worker.ts';

let service: TestService;
let db: OwnerDatabase;
const noPrices: PriceList = { edition: 'none', model: () => () => null };

beforeAll(async () => {
  service = await startService();
  const { log } = service.context;
  db = createOwnerDatabase(
    createPool({ connection: service.connection, max: 4, statementTimeout: 30_000, name: 'test' }, log),
  );
});
afterAll(async () => {
  await db.close();
  await service.stop();
});

const sums = (grain: Grain, mandant: string) =>
  service.sql(
    `SELECT trim_scale(sum(kosten_eur))::text AS eur, sum(unbepreist)::int AS unbepreist, sum(aufrufe)::int AS aufrufe
     FROM ${GRAINS[grain].table} WHERE mandant_id = $1 AND dimension = 0`,
    [mandant],
  );
const runSums = (mandant: string) =>
  service.sql(
    `SELECT trim_scale(sum(kosten_usd))::text AS usd, trim_scale(sum(kosten_eur))::text AS eur,
       sum(unbepreist)::int AS unbepreist, trim_scale(sum(verbranntes_geld_eur))::text AS verbrannt,
       sum(aufrufe)::int AS aufrufe FROM laeufe WHERE mandant_id = $1`,
    [mandant],
  );

it('prices earlier calls once their model has a price, everywhere alike, and only once', async () => {
  const account = await registerAccount(service);
  const key = await createKey(service, account);
  const lauf_id = randomUUID();
  const call = {
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    agent: 'a/b',
    endkunde_ref: 'k',
    funktion_ref: 'f',
    benutzer_ref: 'u',
    lauf_id,
    eingabe_token: 1_000_000,
    ausgabe_token: 0,
  };
  const sent = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: {
      ereignisse: [
        call,
        { ...call, status: 'fehler' },
        { ...call, modell: 'eigenes-modell' },
        { modell: 'gpt-4o-mini', anbieter: 'openai' },
      ],
    },
  });
  expect(sent.statusCode).toBe(202);
  const worker = createCountingWorker({
    db,
    log: service.context.log,
    prices: noPrices,
    substituteRate: '0.5',
  });
  await worker.drain();
  const mandant = account.mandantId;
  expect(await sums('stunde', mandant)).toEqual([{ eur: '0', unbepreist: 4, aufrufe: 4 }]);

  const edition = () => service.sql('SELECT fassung FROM laeufe WHERE lauf_id = $1', [lauf_id]);
  expect(await edition()).toEqual([{ fassung: 0 }]);
  expect(await applyLatePrices({ owner: db, log: service.context.log }, createPriceList())).toBe(2);
  expect(await edition()).toEqual([{ fassung: 1 }]);
  expect(await applyLatePrices({ owner: db, log: service.context.log }, createPriceList())).toBe(0);

  // Two calls of a million input tokens at 0.15 USD; the own model and the call without counts stay unpriced.
  const expected = [{ eur: '0.15', unbepreist: 2, aufrufe: 4 }];
  expect(await sums('stunde', mandant)).toEqual(expected);
  expect(await sums('minute', mandant)).toEqual(expected);
  const calls = await readCalls(service.sql);
  for (const grain of Object.keys(GRAINS) as Grain[])
    expect(await readSums(service.sql, grain), grain).toEqual(sumsOf(calls, grain));
  expect(await readRates(service.sql)).toEqual(ratesOf(calls));
  await expectPieces(service, calls);
  await expectDays(service.sql, calls);
  expect(await readKeySums(service.sql)).toEqual(keySumsOf(calls));
  expect(await readSourceSums(service.sql)).toEqual(sourceSumsOf(calls));
  expect(await runSums(mandant)).toEqual([
    { usd: '0.3', eur: '0.15', verbrannt: '0.075', unbepreist: 1, aufrufe: 3 },
  ]);
  const events = await service.sql(
    'SELECT trim_scale(kosten_usd)::text AS usd, trim_scale(kosten_eur)::text AS eur FROM ereignisse WHERE mandant_id = $1 AND kosten_usd IS NOT NULL',
    [mandant],
  );
  expect(events).toEqual([
    { usd: '0.15', eur: '0.075' },
    { usd: '0.15', eur: '0.075' },
  ]);
});

it('lets what waits be counted first', async () => {
  const account = await registerAccount(service);
  const key = await createKey(service, account);
  const send = (ereignisse: object[]) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${key.secret}` },
      payload: { ereignisse },
    });
  const workerWith = (prices: PriceList) =>
    createCountingWorker({ db, log: service.context.log, prices, substituteRate: '0.5' });
  const call = {
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    agent: 'a/b',
    eingabe_token: 1,
    ausgabe_token: 0,
  };
  const days = [1, 2, 3].map((day) => new Date(Date.now() - day * 86_400_000).toISOString());
  expect((await send(days.map((zeitpunkt) => ({ ...call, zeitpunkt })))).statusCode).toBe(202);
  await workerWith(noPrices).drain();
  expect((await send([{ ...call, agent: 'neu' }])).statusCode).toBe(202);

  const worker = workerWith(createPriceList());
  let isCounting = false;
  // Counting begins when the inbox is looked at.
  const query: OwnerDatabase['query'] = (text, values) => {
    if (!isCounting && String(text).includes('FROM eingang')) {
      isCounting = true;
      worker.start();
    }
    return db.query(text, values);
  };
  const owner = { ...db, query };
  expect(await applyLatePrices({ owner, log: service.context.log }, createPriceList())).toBe(3);
  await worker.stop();
  // Which transaction wrote an event last: the call that came later was counted before any other got its price.
  const written = await service.sql<{ agent: string }>(
    'SELECT agent FROM ereignisse WHERE mandant_id = $1 ORDER BY age(xmin) DESC LIMIT 1',
    [account.mandantId],
  );
  expect(written).toEqual([{ agent: 'neu' }]);
});
