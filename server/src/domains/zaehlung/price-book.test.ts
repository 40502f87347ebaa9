/** Calls of Mandanten with a price book, as they are counted and priced late. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RunMemory } from '#domains/laeufe/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createRunner } from '#jobs/runner.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { countStretch } from './count-stretch.ts';
import { InboxReader, WHOLE } from './inbox-reader.ts';
import { nachPreisbuchPreisenJob } from './jobs/nachpreisen.ts';
import { RememberedChoices } from './kept-values.ts';
import { applyLatePrices } from './late-prices.ts';
import { Merkmale } from './merkmale.ts';
import { START } from './stretch.ts';
import { createCountingWorker } from './worker.ts';

let service: TestService;
let db: OwnerDatabase;
let account: Account;
let headers: Record<string, string>;
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
  headers = { authorization: `Bearer ${(await createKey(service, account)).secret}` };
});

const list = createPriceList();
const CALL = {
  agent: 'a',
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1_000_000,
  ausgabe_token: 0,
};

async function setBook(book: object, fassung: number, who = account): Promise<void> {
  const answer = await service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/preise',
    headers: { cookie: who.cookie },
    payload: { fassung, ...book },
  });
  expect([answer.statusCode, answer.json().fassung]).toEqual([200, fassung + 1]);
}
async function send(...calls: object[]): Promise<void> {
  const ereignisse = calls.map((call) => ({ ereignis_id: randomUUID(), ...CALL, ...call }));
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers,
    payload: { ereignisse },
  });
  expect(answer.statusCode).toBe(202);
}
const worker = () =>
  createCountingWorker({ db, log: service.context.log, prices: list, substituteRate: '0.5' });
const costs = (who = account) =>
  service.sql(
    `SELECT trim_scale(kosten_usd)::text AS usd, preis_quelle AS quelle FROM ereignisse
     WHERE mandant_id = $1 ORDER BY zeitpunkt, kosten_usd`,
    [who.mandantId],
  );

const own = (modell: string, eingabe: number) => ({ preise: [{ modell, saetze: { eingabe, ausgabe: 0 } }] });

test('are priced by it from the moment it is set, those of others are not', async () => {
  await send({});
  await worker().drain();
  await setBook(own('gpt-4o-mini', 2), 0);
  await send({ zeitpunkt: '2026-11-01T00:00:00Z' });
  await worker().drain();
  expect(await costs()).toEqual([
    { usd: '2', quelle: 'preisbuch 1 gpt-4o-mini' },
    { usd: '0.15', quelle: expect.stringContaining('openai/gpt-4o-mini') },
  ]);
  const other = await registerAccount(service);
  const theirs = { authorization: `Bearer ${(await createKey(service, other)).secret}` };
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: theirs,
    payload: { ereignisse: [CALL] },
  });
  await worker().drain();
  expect(await costs(other)).toMatchObject([{ usd: '0.15' }]);
});

test('a stretch that was priced by the edition before is not counted: it is read and priced anew', async () => {
  await send({});
  const reader = new InboxReader(db, list, { usdEur: '0.5', tag: null }, new RememberedChoices());
  const stretch = await reader.next(account.mandantId, START, [], WHOLE);
  if (!stretch) throw new Error('nothing waits');
  await setBook(own('gpt-4o-mini', 2), 0);
  await expect(
    countStretch(
      db,
      { merkmale: new Merkmale(), runs: new RunMemory(2 ** 20), kept: new RememberedChoices() },
      stretch,
    ),
  ).rejects.toThrow('the inbox has changed');
  expect(await costs()).toEqual([]);
  await worker().drain();
  expect(await costs()).toEqual([{ usd: '2', quelle: 'preisbuch 1 gpt-4o-mini' }]);
});

test('without a price get it as soon as the book has one, whatever else has none', async () => {
  const unknown = { anbieter: 'eigener-server', modell: 'llama-privat' };
  await send({ ...unknown, lauf_id: randomUUID() }, { ...unknown, modell: 'anderes' });
  await worker().drain();
  expect(await costs()).toMatchObject([{ usd: null }, { usd: null }]);
  await setBook(own('llama-*', 3), 0);
  const jobs = [nachPreisbuchPreisenJob({ owner: db }, list)];
  const { log } = service.context;
  const runner = createRunner({ jobs, db, log, observe: () => undefined });
  await runner.runDue();
  await runner.stop();
  expect(await costs()).toMatchObject([{ usd: '3', quelle: 'preisbuch 1 llama-*' }, { usd: null }]);
  const answer = await service.app.inject({ url: '/v1/api/verbrauch', headers });
  expect(answer.json().summe).toMatchObject({ kosten_usd: '3', unbepreist: 1 });
  expect(await applyLatePrices({ owner: db, log: service.context.log }, list)).toBe(0);
});

test('an own price that begins at noon of UTC, at midnight of the Mandant, prices late calls from then on', async () => {
  await service.sql(`UPDATE mandanten SET zeitzone = 'Pacific/Auckland' WHERE mandant_id = $1`, [
    account.mandantId,
  ]);
  const unknown = { anbieter: 'eigener-server', modell: 'privat' };
  await send(
    { ...unknown, zeitpunkt: '2026-07-01T11:59:59Z' },
    { ...unknown, zeitpunkt: '2026-07-01T12:00:00Z' },
  );
  await worker().drain();
  const [price] = own('privat', 1).preise;
  await setBook({ preise: [{ ...price, gilt_ab: '2026-07-02' }] }, 0);
  await applyLatePrices({ owner: db, log: service.context.log }, list);
  expect(await costs()).toMatchObject([{ usd: null }, { usd: '1' }]);
});

describe('what a call reports as its cost', () => {
  const reported = { zusatz: { gemeldete_kosten_usd: '0.0123' } };

  test('is kept, and is its cost where the Mandant says so', async () => {
    await send(reported);
    await worker().drain();
    await setBook({ gemeldete_kosten: true }, 0);
    await send(
      { ...reported, zeitpunkt: '2026-11-01T00:00:00Z' },
      { zeitpunkt: '2026-11-01T00:00:01Z', zusatz: { gemeldete_kosten_usd: 1e-9 } },
      {
        zeitpunkt: '2026-11-01T00:00:02Z',
        eingabe_token: null,
        ausgabe_token: null,
        modell: 'nie gehört',
        ...reported,
      },
      { zeitpunkt: '2026-11-01T00:00:03Z', zusatz: { preisstufe: 'warp', ...reported.zusatz } },
      { zeitpunkt: '2026-11-01T00:00:04Z', zusatz: { preisstufe: 'default' } },
    );
    await worker().drain();
    expect(await costs()).toEqual([
      { usd: '0.0123', quelle: 'gemeldet' },
      { usd: '0.000000001', quelle: 'gemeldet' },
      { usd: '0.0123', quelle: 'gemeldet' },
      { usd: '0.0123', quelle: 'gemeldet' },
      { usd: '0.15', quelle: expect.stringContaining('genai-prices') },
      { usd: '0.15', quelle: expect.stringContaining('genai-prices') },
    ]);
    const [row] = await service.sql(
      'SELECT count(*) FILTER (WHERE teilbepreist)::int AS teil FROM ereignisse WHERE mandant_id = $1',
      [account.mandantId],
    );
    expect(row).toEqual({ teil: 0 });
  });

  test('prices late what was unknown before', async () => {
    await send({
      ...reported,
      modell: 'nie gehört',
      anbieter: 'niemand',
      eingabe_token: null,
      ausgabe_token: null,
    });
    await worker().drain();
    expect(await costs()).toEqual([{ usd: null, quelle: null }]);
    await setBook({ gemeldete_kosten: true }, 0);
    expect(await applyLatePrices({ owner: db, log: service.context.log }, list)).toBe(1);
    expect(await costs()).toEqual([{ usd: '0.0123', quelle: 'gemeldet' }]);
  });
});
