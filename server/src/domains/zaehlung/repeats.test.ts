import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { GRAINS, type Grain } from '#domains/verbrauch/index.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { expectDays } from '#test/day-totals.ts';
import { ownerOf } from '#test/jobs.ts';
import { expectPieces, readCrossedSums } from '#test/pieces.ts';
import { Exact } from '#test/reference-cost.ts';
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
import { setRepeats } from './repeats.ts';
import { createCountingWorker } from './worker.ts';

let service: TestService;
let db: ReturnType<typeof ownerOf>;
let account: Account;
let key: string;
let lauf: string;
/** Ids of the calls, in their order. */
let ids: string[];

beforeAll(async () => {
  service = await startService();
  db = ownerOf(service);
});
afterAll(async () => {
  await db.close();
  await service.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
  key = (await createKey(service, account)).secret;
  lauf = randomUUID();
  ids = Array.from({ length: 6 }, () => randomUUID());
});

const count = (prices = createPriceList()) =>
  createCountingWorker({ db, log: service.context.log, prices, substituteRate: '0.5' }).drain();

/** A run of calls at 0.075 EUR, the last but one ended like this; and a call outside it. */
async function send(begin = new Date(Date.now() - 600_000).toISOString(), status = 'fehler'): Promise<void> {
  const call = {
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    agent: 'a/b',
    endkunde_ref: 'k',
    funktion_ref: 'f',
    eingabe_token: 1_000_000,
    ausgabe_token: 0,
  };
  const of = (ereignis_id: string, index: number) => ({
    ...call,
    ereignis_id,
    lauf_id: lauf,
    schritt_nr: index,
    zeitpunkt: new Date(Date.parse(begin) + 1_000 * index).toISOString(),
    status: index === 4 ? status : 'erfolgreich',
  });
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key}` },
    payload: { ereignisse: [...ids.map(of), call] },
  });
  expect(answer.statusCode).toBe(202);
}

const prove = (...places: number[]) =>
  db.transaction((client) =>
    setRepeats(
      client,
      account.mandantId,
      lauf,
      places.map((place) => ids[place] as string),
    ),
  );

/** Burnt money of the Mandant, of its runs and in pieces. */
async function burnt(): Promise<string[]> {
  const [row] = await service.sql<{ eur: string }>(
    'SELECT trim_scale(sum(verbranntes_geld_eur))::text AS eur FROM laeufe WHERE mandant_id = $1',
    [account.mandantId],
  );
  const crossed = Object.entries(await readCrossedSums(service.sql));
  const own = crossed.filter(([key]) => key.includes(account.mandantId)).map(([, figures]) => figures);
  const sum = own.reduce((all, figures) => all.plus(figures.verbranntes_geld_eur ?? 0), new Exact(0));
  return [row?.eur ?? '', sum.toFixed()];
}

async function expectSumsOfEvents(): Promise<void> {
  const calls = await readCalls(service.sql);
  for (const grain of Object.keys(GRAINS) as Grain[])
    expect(await readSums(service.sql, grain), grain).toEqual(sumsOf(calls, grain));
  expect(await readRates(service.sql)).toEqual(ratesOf(calls));
  await expectPieces(service, calls);
  await expectDays(service.sql, calls);
  expect(await readKeySums(service.sql)).toEqual(keySumsOf(calls));
  expect(await readSourceSums(service.sql)).toEqual(sourceSumsOf(calls));
}

it('makes repeats burnt money in every sum, each once, those that failed not again', async () => {
  await send();
  await count();
  expect(await burnt()).toEqual(Array(2).fill('0.075'));
  expect(await prove(2, 3, 4, 5)).toBe(4);
  expect(await burnt()).toEqual(Array(2).fill('0.3'));
  await expectSumsOfEvents();
  expect(await prove(2, 3, 4, 5)).toBe(0);
  expect(await burnt()).toEqual(Array(2).fill('0.3'));
});

it('burns nothing of what somebody ended, which is no failure; it stays so when it is priced later', async () => {
  await send(undefined, 'abgebrochen');
  await count({ edition: 'none', model: () => () => null });
  await applyLatePrices({ owner: db, log: service.context.log }, createPriceList());
  expect(await burnt()).toEqual(Array(2).fill('0'));
  expect(await service.sql('SELECT fehler::int, aufrufe::int, status FROM laeufe')).toContainEqual({
    fehler: 0,
    aufrufe: 6,
    status: 'erfolgreich',
  });
  await expectSumsOfEvents();
});

it('leaves what somebody ended before it was told apart as it was counted', async () => {
  await send(undefined, 'abgebrochen');
  await service.sql(`UPDATE eingang SET empfangen_am = '2026-11-27T05:59:59Z' WHERE mandant_id = $1`, [
    account.mandantId,
  ]);
  await count();
  expect(await burnt()).toEqual(Array(2).fill('0.075'));
  await prove(4);
  await prove();
  expect(await burnt()).toEqual(Array(2).fill('0.075'));
  await expectSumsOfEvents();
});

it('takes back what is no repeat after all', async () => {
  await send();
  await count();
  await prove(2, 3, 4, 5);
  expect(await prove(3)).toBe(3);
  expect(await burnt()).toEqual(Array(2).fill('0.15'));
  await prove();
  expect(await burnt()).toEqual(Array(2).fill('0.075'));
  await expectSumsOfEvents();
});

it('burns the cost of a repeat whose price comes later, and where it does not', async () => {
  await send();
  await count({ edition: 'none', model: () => () => null });
  await prove(2, 3, 4, 5);
  expect(await burnt()).toEqual(Array(2).fill('0'));
  await prove(3, 4);
  await applyLatePrices({ owner: db, log: service.context.log }, createPriceList());
  expect(await burnt()).toEqual(Array(2).fill('0.15'));
  await expectSumsOfEvents();
});

it('reaches sums of two dimensions that were asked before', async () => {
  await send('2026-10-24T23:50:00Z');
  await count();
  const burntByModel = async () => {
    const answer = await service.app.inject({
      url: '/v1/api/verbrauch?gruppe=modell&agent=a/b&von=2026-10-20&bis=2026-10-30',
      headers: { authorization: `Bearer ${key}` },
    });
    return answer.json().zeilen;
  };
  expect(await burntByModel()).toMatchObject([{ verbranntes_geld_eur: '0.075' }]);
  await prove(2, 3, 4, 5);
  expect(await burntByModel()).toMatchObject([{ verbranntes_geld_eur: '0.3' }]);
});

it('leaves what is remembered of the run as it is, and marks what changed', async () => {
  await send();
  await count();
  const before = await service.sql('SELECT aufrufe, fassung FROM laeufe WHERE lauf_id = $1', [lauf]);
  await prove(2);
  expect(await service.sql('SELECT aufrufe, fassung FROM laeufe WHERE lauf_id = $1', [lauf])).toEqual(before);
  const marks = await service.sql('SELECT laeufe FROM zaehlmarken WHERE mandant_id = $1 ORDER BY nummer', [
    account.mandantId,
  ]);
  expect(marks.map(({ laeufe }) => laeufe)).toEqual([[lauf], []]);
});

it('touches neither another run nor another Mandant', async () => {
  await send();
  await count();
  const other = await registerAccount(service);
  expect(
    await db.transaction((client) => setRepeats(client, other.mandantId, lauf, [ids[2] as string])),
  ).toBe(0);
  expect(await burnt()).toEqual(Array(2).fill('0.075'));
});
