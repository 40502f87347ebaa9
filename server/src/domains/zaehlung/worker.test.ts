/** Nothing accepted disappears: it is counted, still waits, or is kept with the reason why it cannot be counted. */

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { createCountingWorker } from './index.ts';
import type { CountingWorker } from './worker.ts';

let service: TestService;
let db: OwnerDatabase;

const createWorker = (): CountingWorker =>
  createCountingWorker({ db, log: service.context.log, prices: createPriceList(), substituteRate: '0.86' });

interface Sender {
  mandantId: string;
  send(agents: string[]): Promise<void>;
}

async function createSender(): Promise<Sender> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  return {
    mandantId: account.mandantId,
    async send(agents) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/ereignisse',
        headers: { authorization: `Bearer ${secret}` },
        payload: {
          ereignisse: agents.map((agent) => ({
            agent,
            ereignis_id: randomUUID(),
            lauf_id: randomUUID(),
            eingabe_token: agent === 'bruch' ? 666 : 1,
          })),
        },
      });
      expect(answer.statusCode).toBe(202);
    },
  };
}

beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 12, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

/** Events of the Mandant by where they are. */
async function whereabouts({ mandantId }: Sender) {
  const [row] = await service.sql(
    `SELECT (SELECT coalesce(sum(anzahl), 0) FROM eingang WHERE mandant_id = $1)::int AS waiting,
       (SELECT coalesce(sum(anzahl), 0) FROM eingang_unzaehlbar WHERE mandant_id = $1)::int AS aside,
       (SELECT count(*) FROM ereignisse WHERE mandant_id = $1)::int AS events,
       (SELECT count(*) FROM ereignis_kennungen WHERE mandant_id = $1)::int AS ids,
       (SELECT coalesce(sum(aufrufe), 0) FROM verbrauch_laufend_stunde v WHERE mandant_id = $1 AND dimension = 0)::int AS hours,
       (SELECT coalesce(sum(aufrufe), 0) FROM verbrauch_tagesstand WHERE mandant_id = $1)::int AS days,
       (SELECT coalesce(sum(aufrufe), 0) FROM laeufe WHERE mandant_id = $1)::int AS runs`,
    [mandantId],
  );
  return row;
}
const counted = (events: number, rest: { waiting?: number; aside?: number } = {}) => ({
  waiting: 0,
  aside: 0,
  events,
  ids: events,
  hours: events,
  days: events,
  runs: events,
  ...rest,
});

/** The agent `bruch` in a table: sums know it by its tokens. */
const BROKEN: Record<string, string> = {
  ereignisse: "NEW.agent = 'bruch'",
  laeufe: "NEW.agent = 'bruch'",
  verbrauch_laufend_minute: 'NEW.dimension = 1 AND NEW.token = 666',
  verbrauch_laufend_stunde: 'NEW.dimension = 1 AND NEW.token = 666',
};

/** Makes the database refuse rows of the agent `bruch` in a table, with the given SQLSTATE. */
const breakTable = (table: string, sqlstate: string) =>
  service.sql(
    `CREATE FUNCTION bruch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF ${BROKEN[table]} THEN
         RAISE EXCEPTION 'injected' USING ERRCODE = '${sqlstate}'; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER bruch BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION bruch()`,
  );
const repair = () => service.sql('DROP FUNCTION IF EXISTS bruch CASCADE');

let sender: Sender;
beforeEach(async () => {
  sender = await createSender();
});
afterEach(repair);

const TABLES = Object.keys(BROKEN);

describe('a fault of an event', () => {
  test.each(TABLES)('in %s sets the event at fault aside, with the reason, and no other', async (table) => {
    await sender.send(['gut', 'gut']);
    await sender.send(['gut', 'bruch', 'gut']);
    await sender.send(['gut']);
    await breakTable(table, '22003');
    await createWorker().drain();
    expect(await whereabouts(sender)).toEqual(counted(5, { aside: 1 }));
    const kept = await service.sql('SELECT grund, anzahl FROM eingang_unzaehlbar WHERE mandant_id = $1', [
      sender.mandantId,
    ]);
    expect(kept).toEqual([{ grund: 'error: injected (1 of 3 events)', anzahl: 1 }]);
  });

  test('that cannot even be read sets it aside, too', async () => {
    await sender.send(['gut']);
    await sender.send(['gut', 'gut']);
    await service.sql(`UPDATE eingang SET daten = 'unsinn' WHERE mandant_id = $1 AND anzahl = 1`, [
      sender.mandantId,
    ]);
    await createWorker().drain();
    expect(await whereabouts(sender)).toEqual(counted(2, { aside: 1 }));
  });

  test('holds up nobody else', async () => {
    const other = await createSender();
    await sender.send(['bruch']);
    await other.send(['gut']);
    await breakTable('ereignisse', '54000');
    await createWorker().drain();
    expect(await whereabouts(other)).toEqual(counted(1));
    expect(await whereabouts(sender)).toEqual(counted(0, { aside: 1 }));
  });
});

describe('trouble of the database', () => {
  test.each([
    ['disk full', '53100'],
    ['out of memory', '53200'],
    ['too many connections', '53300'],
    ['a limit of the configuration', '53400'],
    ['an operator', '57014'],
    ['a shutdown', '57P01'],
    ['an error of the disk', '58030'],
    ['a deadlock', '40P01'],
    ['a lock not to be had', '55P03'],
    ['a read-only standby', '25006'],
    ['a lost connection', '08006'],
  ])(
    '(%s) is waited out: everything is still there, and counted once it is over',
    async (_what, sqlstate) => {
      await sender.send(['gut']);
      await sender.send(['bruch', 'gut']);
      // What is copied, and what is inserted: a cluster tells the cause of a failure in two ways.
      await breakTable('ereignisse', sqlstate);
      await expect(createWorker().drain()).rejects.toMatchObject({ code: sqlstate });
      await repair();
      await breakTable('verbrauch_laufend_stunde', sqlstate);
      await expect(createWorker().drain()).rejects.toMatchObject({ code: sqlstate });
      expect(await whereabouts(sender)).toEqual(counted(0, { waiting: 3 }));
      await repair();
      await createWorker().drain();
      expect(await whereabouts(sender)).toEqual(counted(3));
    },
  );
});

test('several workers at once count everything exactly once', async () => {
  const senders = [sender, await createSender(), await createSender()];
  for (let batch = 0; batch < 15; batch += 1) for (const each of senders) await each.send(['a', 'b', 'c']);
  const workers = [createWorker(), createWorker(), createWorker()];
  for (const worker of workers) worker.start();
  const left = () => service.sql('SELECT FROM eingang');
  await until('the inbox to be empty', async () => (await left()).length === 0);
  for (const worker of workers) await worker.stop();
  for (const each of senders) expect(await whereabouts(each)).toEqual(counted(45));
});

test('a stretch longer than a transaction takes is counted in several, repeats across them once', async () => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const ids = Array.from({ length: 4_000 }, () => randomUUID());
  for (const from of [0, 2_000, 1_000, 0]) {
    const ereignisse = ids.slice(from, from + 2_000).map((ereignis_id) => ({ ereignis_id, lauf_id: ids[0] }));
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode).toBe(202);
  }
  await createWorker().drain();
  expect(await whereabouts({ mandantId: account.mandantId, send: sender.send })).toEqual(counted(4_000));
});
