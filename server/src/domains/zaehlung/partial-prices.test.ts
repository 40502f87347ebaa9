/** Calls of which only a part has a price: marked, counted, and never among what is measured. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { GRAINS, type Grain } from '#domains/verbrauch/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { expectDays } from '#test/day-totals.ts';
import { expectPieces } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import {
  keySumsOf,
  readCalls,
  readKeySums,
  readSourceSums,
  readSums,
  sourceSumsOf,
  sumsOf,
} from '#test/sums-by-dimension.ts';
import { applyLatePrices } from './late-prices.ts';
import { createCountingWorker } from './worker.ts';

let service: TestService;
let db: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 4, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await db.close();
  await service.stop();
});

const LAUF = randomUUID();
const CALL = { anbieter: 'openai', modell: 'gpt-5', agent: 'a', eingabe_token: 1_000, ausgabe_token: 500 };
const CALLS = [
  { ...CALL, lauf_id: LAUF, zusatz: { preisstufe: 'warp' } },
  { ...CALL, lauf_id: LAUF, zusatz: { preisstufe: 'batch' } },
  { ...CALL, zusatz: { codeausfuehrungen: 1 }, geschaetzt: true },
  CALL,
  { ...CALL, modell: 'whisper-1', eingabe_token: null, ausgabe_token: null, zusatz: { sekunden: '60' } },
];

interface Sent {
  account: Account;
  /** A question as its key may ask it. */
  ask(path: string): Promise<{ summe: object; lauf: object; ereignisse: object[] }>;
}

async function sendAndCount(prices: PriceList): Promise<Sent> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const headers = { authorization: `Bearer ${secret}` };
  const ereignisse = CALLS.map((call, schritt_nr) => ({ ...call, schritt_nr }));
  const sent = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers,
    payload: { ereignisse },
  });
  expect(sent.statusCode, sent.body).toBe(202);
  const { log } = service.context;
  await createCountingWorker({ db, log, prices, substituteRate: '0.5' }).drain();
  return {
    account,
    ask: async (path) => (await service.app.inject({ url: path, headers })).json(),
  };
}

const EVENTS = `SELECT teilbepreist, trim_scale(kosten_usd)::text AS usd, preis_quelle AS quelle
  FROM ereignisse WHERE mandant_id = $1 ORDER BY schritt_nr`;

async function expectMarked({ account, ask }: Sent): Promise<void> {
  const events = await service.sql<{ quelle: string }>(EVENTS, [account.mandantId]);
  expect(events).toMatchObject([
    { teilbepreist: true, usd: '0.00625' },
    { teilbepreist: false, usd: '0.003125' },
    { teilbepreist: true, usd: '0.00625' },
    { teilbepreist: false, usd: '0.00625' },
    { teilbepreist: false, usd: '0.006' },
  ]);
  expect(events[1]?.quelle).toMatch(/^genai-prices .* openai\/gpt-5 \+ zaehlwerk .* batch$/);
  const { summe } = await ask('/v1/api/verbrauch?gruppe=agent');
  // Each cost is worth half in EUR; measured is what is neither estimated nor priced in part.
  expect(summe).toMatchObject({
    aufrufe: 5,
    unbepreist: 0,
    teilbepreist: 2,
    geschaetzt: 1,
    kosten_usd: '0.027875',
    kosten_eur: '0.0139375',
    gemessen_eur: '0.0076875',
    geschaetzt_eur: '0.00625',
  });
  const { lauf, ereignisse } = await ask(`/v1/laeufe/${LAUF}`);
  expect(lauf).toMatchObject({ aufrufe: 2, unbepreist: 0, teilbepreist: 1, kosten_usd: '0.009375' });
  expect(ereignisse).toMatchObject([{ teilbepreist: true }, { teilbepreist: false }]);
}

async function expectSumsOfEvents(): Promise<void> {
  const calls = await readCalls(service.sql);
  for (const grain of Object.keys(GRAINS) as Grain[])
    expect(await readSums(service.sql, grain), grain).toEqual(sumsOf(calls, grain));
  await expectPieces(service, calls);
  await expectDays(service.sql, calls);
  expect(await readKeySums(service.sql)).toEqual(keySumsOf(calls));
  expect(await readSourceSums(service.sql)).toEqual(sourceSumsOf(calls));
}

describe('a call with something that no rate covers', () => {
  test('is marked, and counted as such in every sum and in its run', async () => {
    await expectMarked(await sendAndCount(createPriceList()));
    await expectSumsOfEvents();
  });

  test('is so, too, when its price becomes known later', async () => {
    const sent = await sendAndCount({ edition: 'none', model: () => () => null });
    const { summe } = await sent.ask('/v1/api/verbrauch?gruppe=agent');
    expect(summe).toMatchObject({ unbepreist: 5, teilbepreist: 0, kosten_eur: null });
    expect(await applyLatePrices({ owner: db, log: service.context.log }, createPriceList())).toBe(5);
    await expectMarked(sent);
    await expectSumsOfEvents();
  });
});
