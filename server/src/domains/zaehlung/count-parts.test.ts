/** A bad event does not take its batch along: it is set aside, the rest is counted, and nothing is lost or doubled on the way. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitingEvents } from '#domains/ereignisse/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker } from './index.ts';

const OPERATIONS = new URL('../../../../docs/operations.md', import.meta.url);
/** Tokens with which the database refuses an event, and those with which it refuses all that comes with it. */
const BAD = 666;

let service: TestService;
let owner: OwnerDatabase;
/** Called within each counting transaction, behind everything else, and after its end. */
let watch = { inside: async () => undefined as unknown, after: async () => undefined as unknown };
let transactions = 0;
let db: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 8, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
  db = {
    ...owner,
    async repeatable(work) {
      transactions += 1;
      try {
        return await owner.repeatable(async (client) => {
          const result = await work(client);
          await watch.inside();
          return result;
        });
      } finally {
        await watch.after();
      }
    },
  };
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const refuseBad = () =>
  service.sql(`ALTER TABLE ereignisse ADD CONSTRAINT schlecht CHECK (eingabe_token <> ${BAD}) NOT VALID`);
const mend = () => service.sql('ALTER TABLE ereignisse DROP CONSTRAINT IF EXISTS schlecht');
beforeEach(async () => {
  transactions = 0;
  await service.sql('TRUNCATE eingang, eingang_unzaehlbar');
  await refuseBad();
});
afterEach(async () => {
  watch = { inside: async () => undefined, after: async () => undefined };
  await mend();
});

interface Event {
  ereignis_id: string;
  eingabe_token: number;
  [name: string]: unknown;
}
const event = (eingabe_token = 1, more: object = {}): Event => ({
  ereignis_id: randomUUID(),
  lauf_id: randomUUID(),
  agent: 'a',
  eingabe_token,
  ...more,
});
const good = (count: number) => Array.from({ length: count }, () => event());

async function newSender() {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const send = async (ereignisse: object[]): Promise<string> => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    return answer.json().eingang_id;
  };
  return { mandant: account.mandantId, send };
}

const drain = () =>
  createCountingWorker({
    db,
    log: service.context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  }).drain();

/** Events of a Mandant by where they are. */
async function whereabouts(mandant: string) {
  const [row] = await service.sql<Record<'waiting' | 'aside' | 'events' | 'calls' | 'runs', number>>(
    `SELECT (SELECT coalesce(sum(anzahl), 0) FROM eingang WHERE mandant_id = $1)::int AS waiting,
       (SELECT coalesce(sum(anzahl), 0) FROM eingang_unzaehlbar WHERE mandant_id = $1)::int AS aside,
       (SELECT count(*) FROM ereignisse WHERE mandant_id = $1)::int AS events,
       (SELECT coalesce(sum(aufrufe), 0) FROM verbrauch_laufend_stunde v WHERE mandant_id = $1 AND dimension = 0)::int AS calls,
       (SELECT coalesce(sum(aufrufe), 0) FROM laeufe WHERE mandant_id = $1)::int AS runs`,
    [mandant],
  );
  if (!row) throw new Error('no answer');
  return row;
}
const where = (events: number, aside: number, waiting = 0) => ({
  waiting,
  aside,
  events,
  calls: events,
  runs: events,
});

interface AsideRow {
  eingang_id: string;
  empfangen_am: string;
  anzahl: number;
  umfang: number;
  daten: Buffer;
  grund: string;
}
const asideOf = (mandant: string) =>
  service.sql<AsideRow>('SELECT * FROM eingang_unzaehlbar WHERE mandant_id = $1 ORDER BY eingang_id', [
    mandant,
  ]);

/** Puts a batch back as the handbook says. */
async function putBack(mandant: string, eingang: string): Promise<void> {
  const [statement] = /WITH zurueck[^;]*;/.exec(readFileSync(OPERATIONS, 'utf8')) ?? [];
  if (!statement) throw new Error('the handbook says nothing');
  await service.sql(statement.replace('<mandant_id>', mandant).replace('<eingang_id>', eingang));
}

test('of 500 events the two bad ones are set aside as they were sent; at every moment all are somewhere, once', async () => {
  const { mandant, send } = await newSender();
  const bad = [event(BAD, { zusatz: { a: 'ü' }, cache_lese_token: null, agent: 'b' }), event(BAD)];
  const sent = good(500);
  sent.splice(77, 1, bad[0] as Event);
  sent.splice(301, 1, bad[1] as Event);
  const eingang = await send(sent);
  watch.after = async () => {
    const { waiting, aside, events, calls } = await whereabouts(mandant);
    expect([waiting + aside + events, calls]).toEqual([500, events]);
  };
  await drain();
  expect(await whereabouts(mandant)).toEqual(where(498, 2));
  // Nine halvings for each of the two, the first of them in common.
  expect(transactions).toBeLessThanOrEqual(2 * 2 * 9 + 3);
  const [row, another] = await asideOf(mandant);
  expect([row?.eingang_id, row?.anzahl, another]).toEqual([eingang, 2, undefined]);
  expect(row?.grund).toMatch(/schlecht.* \(2 of 500 events\)$/);
  const kept = [...waitingEvents(row as AsideRow)];
  // What is null is left out here.
  expect(kept).toMatchObject(bad.map(({ cache_lese_token: _null, ...rest }) => rest));

  await drain();
  expect(await whereabouts(mandant)).toEqual(where(498, 2));
  await mend();
  await putBack(mandant, eingang);
  await drain();
  expect(await whereabouts(mandant)).toEqual(where(500, 0));
  const rows = await service.sql(
    `SELECT agent, cache_lese_token, zusatz FROM ereignisse WHERE mandant_id = $1 AND eingabe_token = ${BAD} ORDER BY agent`,
    [mandant],
  );
  expect(rows).toEqual([
    { agent: 'a', cache_lese_token: 0, zusatz: null },
    { agent: 'b', cache_lese_token: null, zusatz: { a: 'ü' } },
  ]);
});

test('what is put back while it is still bad is set aside again', async () => {
  const { mandant, send } = await newSender();
  const eingang = await send([event(BAD), ...good(3)]);
  await drain();
  await putBack(mandant, eingang);
  await drain();
  expect(await whereabouts(mandant)).toEqual(where(3, 1));
  expect((await asideOf(mandant)).map(({ eingang_id }) => eingang_id)).toEqual([eingang]);
});

test('a bad event among 400 batches is found by halves, and nothing else is touched', async () => {
  const { mandant, send } = await newSender();
  for (let batch = 0; batch < 200; batch += 1) await send(good(2));
  const eingang = await send([event(), event(BAD)]);
  for (let batch = 0; batch < 199; batch += 1) await send(good(2));
  transactions = 0;
  await drain();
  expect(await whereabouts(mandant)).toEqual(where(799, 1));
  expect((await asideOf(mandant)).map(({ eingang_id }) => eingang_id)).toEqual([eingang]);
  expect(transactions).toBeLessThanOrEqual(2 * 9 + 6);
});

test('repeats of a bad event are set aside with the first, not counted in its place', async () => {
  const { mandant, send } = await newSender();
  const bad = event(BAD);
  await send([event(), bad, { ...bad, eingabe_token: 1 }, event(), { ...bad, eingabe_token: 2 }]);
  await drain();
  expect(await whereabouts(mandant)).toEqual(where(2, 1));
});

test('events that were counted before are no fault, and are not counted again', async () => {
  const { mandant, send } = await newSender();
  const known = good(20);
  await send(known);
  await drain();
  await send([...known.slice(5), event(BAD), ...good(10)]);
  await drain();
  // Of 46 that were accepted 15 had been counted before.
  expect(await whereabouts(mandant)).toEqual(where(30, 1));
});

test('where nothing can be counted the batches are set aside whole, after a bounded number of trials', async () => {
  const { mandant, send } = await newSender();
  const ids = [await send(good(1_000)), await send(good(300)), await send(good(2))];
  await service.sql('ALTER TABLE merkmale RENAME TO anders');
  try {
    await drain();
  } finally {
    await service.sql('ALTER TABLE anders RENAME TO merkmale');
  }
  expect(await whereabouts(mandant)).toMatchObject({ waiting: 0, aside: 1_302, events: 0 });
  const rows = await asideOf(mandant);
  expect(rows.map(({ eingang_id, anzahl }) => [eingang_id, anzahl])).toEqual([
    [ids[0], 1_000],
    [ids[1], 300],
    [ids[2], 2],
  ]);
  expect(transactions).toBeLessThanOrEqual(45);
  for (const id of ids) await putBack(mandant, id);
  await drain();
  expect(await whereabouts(mandant)).toEqual(where(1_302, 0));
});

test('a crash at any point leaves everything in the inbox or everything done', async () => {
  const { mandant, send } = await newSender();
  await send([...good(5), event(BAD), ...good(6)]);
  const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' });
  for (let at = 1; ; at += 1) {
    let left = at;
    watch.inside = async () => {
      left -= 1;
      if (left === 0) throw lost;
    };
    const crashed = await drain().then(
      () => false,
      () => true,
    );
    if (!crashed) break;
    expect(await whereabouts(mandant)).toEqual(where(0, 0, 12));
    expect(at).toBeLessThan(20);
  }
  expect(await whereabouts(mandant)).toEqual(where(11, 1));
});

test('two workers at once find the same, once', async () => {
  const { mandant, send } = await newSender();
  for (let batch = 0; batch < 4; batch += 1) await send([...good(20), event(BAD), ...good(20)]);
  const workers = [1, 2].map(() =>
    createCountingWorker({ db, log: service.context.log, prices: createPriceList(), substituteRate: '0.86' }),
  );
  for (const worker of workers) worker.start();
  await expect.poll(async () => (await whereabouts(mandant)).waiting).toBe(0);
  for (const worker of workers) await worker.stop();
  expect(await whereabouts(mandant)).toEqual(where(160, 4));
});
