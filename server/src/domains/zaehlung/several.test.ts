/** What waits of many Mandanten is counted together, and yet as if each were alone. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { onCluster } from '#test/database.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker } from './index.ts';

const MANDANTEN = 6;

let service: TestService;
let db: OwnerDatabase;
let transactions = 0;
/** What each of them has counted. */
let counted: { result?: { events: number } }[] = [];
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 8, statementTimeout: 30_000, name: 'test' };
  const owner = createOwnerDatabase(createPool(options, service.context.log));
  db = {
    ...owner,
    repeatable: async (work) => {
      transactions += 1;
      const result = await owner.repeatable(work);
      counted.push(result as (typeof counted)[number]);
      return result;
    },
  };
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

const senders = () =>
  Promise.all(
    Array.from({ length: MANDANTEN }, async () => {
      const account = await registerAccount(service);
      const { secret } = await createKey(service, account);
      const send = async (ereignisse: object[]) => {
        const answer = await service.app.inject({
          method: 'POST',
          url: '/v1/ereignisse',
          headers: { authorization: `Bearer ${secret}` },
          payload: { ereignisse },
        });
        expect(answer.statusCode).toBe(202);
      };
      return { mandantId: account.mandantId, send };
    }),
  );

const drain = () =>
  createCountingWorker({
    db,
    log: service.context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  }).drain();

/** What there is of a Mandant: events, the total of the day sums, agents by name, batches set aside. */
async function found(mandantId: string) {
  const [row] = await service.sql(
    `SELECT (SELECT count(*) FROM ereignisse WHERE mandant_id = $1)::int AS events,
       (SELECT sum(aufrufe) FROM verbrauch_laufend_stunde v WHERE mandant_id = $1 AND dimension = 0)::int AS calls,
       (SELECT string_agg(v.aufrufe || ' ' || m.text, ', ' ORDER BY m.text) FROM verbrauch_laufend_stunde v
         JOIN merkmale m USING (mandant_id, merkmal_id) WHERE v.mandant_id = $1 AND v.dimension = 1) AS agents,
       (SELECT count(*) FROM eingang_unzaehlbar WHERE mandant_id = $1)::int AS aside`,
    [mandantId],
  );
  return row;
}

test('many small inboxes take one transaction; nobody gets anything of a neighbour', async () => {
  const all = await senders();
  // The same ids with every Mandant: an event is known by its id within one of them only.
  const ids = [randomUUID(), randomUUID()];
  for (const [index, { send }] of all.entries()) {
    await send([{ agent: `a${index}`, ereignis_id: ids[0] }]);
    await send(ids.map((ereignis_id) => ({ agent: `a${index}`, ereignis_id })));
  }
  transactions = 0;
  await drain();
  // A cluster counts each where it lies.
  expect(transactions).toBe(onCluster() ? MANDANTEN : 1);
  for (const [index, { mandantId }] of all.entries())
    expect(await found(mandantId)).toEqual({ events: 2, calls: 2, agents: `2 a${index}`, aside: 0 });
});

test('what was counted before is left out, of each its own', async () => {
  const all = await senders();
  const known = randomUUID();
  for (const { send } of all.slice(0, 3)) await send([{ agent: 'a', ereignis_id: known }]);
  await drain();
  for (const { send } of all)
    await send([
      { agent: 'a', ereignis_id: known },
      { agent: 'b', ereignis_id: randomUUID() },
    ]);
  await drain();
  for (const { mandantId } of all)
    expect(await found(mandantId)).toEqual({ events: 2, calls: 2, agents: '1 a, 1 b', aside: 0 });
});

test('one that fails is counted alone and set aside; its neighbours are counted', async () => {
  const all = await senders();
  for (const [index, { send }] of all.entries()) await send([{ agent: index === 2 ? 'bruch' : 'gut' }]);
  await service.sql(
    `CREATE FUNCTION bruch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.agent = 'bruch' THEN RAISE EXCEPTION 'injected'; END IF; RETURN NEW; END $$`,
  );
  await service.sql('CREATE TRIGGER bruch BEFORE INSERT ON ereignisse FOR EACH ROW EXECUTE FUNCTION bruch()');
  try {
    await drain();
  } finally {
    await service.sql('DROP FUNCTION bruch CASCADE');
  }
  for (const [index, { mandantId }] of all.entries())
    expect(await found(mandantId)).toMatchObject(
      index === 2 ? { events: 0, aside: 1 } : { events: 1, calls: 1, agents: '1 gut', aside: 0 },
    );
});

test('one whose lock another worker holds waits; its neighbours are counted', async () => {
  const all = await senders();
  for (const { send } of all) await send([{ agent: 'a' }]);
  await drain();
  for (const { send } of all) await send([{ agent: 'a' }]);
  const held = all[3]?.mandantId as string;
  counted = [];
  await db.transaction(async (client) => {
    // As counting does: locked and changed.
    await client.query('UPDATE zaehlstaende SET marken = marken WHERE mandant_id = $1', [held]);
    const worker = createCountingWorker({
      db,
      log: service.context.log,
      prices: createPriceList(),
      substituteRate: '0.86',
    });
    worker.start();
    await expect
      .poll(async () => {
        const rows = await service.sql<{ mandant_id: string }>('SELECT DISTINCT mandant_id FROM eingang');
        return rows.map((row) => row.mandant_id);
      })
      .toEqual([held]);
    await worker.stop();
    const events = counted.map(({ result }) => result?.events ?? 0).filter((each) => each > 0);
    expect(events).toEqual(onCluster() ? Array.from({ length: MANDANTEN - 1 }, () => 1) : [MANDANTEN - 1]);
  });
  await drain();
  for (const { mandantId } of all) expect(await found(mandantId)).toMatchObject({ events: 2, calls: 2 });
});
