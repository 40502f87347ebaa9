/** Thirty days after a cancellation nothing of the Mandant is left, whatever happens on the way; the others keep everything. */

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { loeschenJob, nachpreisenJob, removeMandant } from '#test/behind-doors.ts';
import { cloneDatabase, onCluster, type TestDatabase } from '#test/database.ts';
import { isWhole } from '#test/depth.ts';
import { dyingAfter, Killed, pausingAt, pausingBeforeTransaction } from '#test/interrupted-database.ts';
import { startService, type TestService } from '#test/service.ts';
import { tablesWith } from '#test/tables-with.ts';
import { createTenants, type Tenant } from '#test/tenants.ts';
import { until } from '#test/until.ts';

/** What may name a Mandant that is gone. */
const MAY_NAME_IT = ['loeschbelege', 'betreiberprotokoll', 'migrationen'];

let service: TestService;
let db: OwnerDatabase;
let ours: Tenant;
let theirs: Tenant;
let tables: string[];

type Tenants = Awaited<ReturnType<typeof createTenants>>;
/** Filled once, and copied for each test. Of a cluster nothing is copied that anybody was connected to: there each test fills its own. */
let filled: { database: TestDatabase; tenants: Tenants } | undefined;
beforeAll(async () => {
  if (onCluster()) return;
  const database = await cloneDatabase();
  const filling = await startService({}, undefined, { ...database, drop: async () => undefined });
  filled = { database, tenants: await createTenants(filling) };
  await filling.stop();
});
afterAll(() => filled?.database.drop());

beforeEach(async () => {
  service = await startService(
    {},
    undefined,
    filled && (await cloneDatabase(filled.database.connection.database)),
  );
  const options = { connection: service.connection, max: 6, statementTimeout: 30_000, name: 'removal' };
  db = createOwnerDatabase(createPool(options, service.context.log));
  ({ ours, theirs } = filled?.tenants ?? (await createTenants(service)));
  const rows = await service.sql<{ name: string }>(
    `SELECT attrelid::regclass::text AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
     WHERE attname = 'mandant_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  tables = rows.map(({ name }) => name);
});
afterEach(async () => {
  await db?.close();
  await service?.stop();
});

const cancelledAgo = ({ account }: Tenant, interval = '30 days 1 second') =>
  service.sql(
    `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = now() - $2::interval WHERE mandant_id = $1`,
    [account.mandantId, interval],
  );

/** Rows of a Mandant, by table; tables without any are left out. */
async function rowsOf({ account }: Tenant): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of tables) {
    const [row] = await service.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} WHERE mandant_id = $1`,
      [account.mandantId],
    );
    if (row?.n) counts[name] = row.n;
  }
  return counts;
}

/** All that is stored of a Mandant, to compare. */
async function contentOf({ account }: Tenant): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const name of tables)
    content[name] = await service.sql(
      `SELECT t::text AS row FROM ${name} t WHERE mandant_id = $1 ORDER BY 1`,
      [account.mandantId],
    );
  return content;
}

const receipt = async ({ account }: Tenant) => {
  const [row] = await service.sql<{ beendet_am: string | null; zeilen: Record<string, number> }>(
    'SELECT beendet_am, zeilen FROM loeschbelege WHERE mandant = $1',
    [account.mandantId],
  );
  return row;
};

async function expectGone(tenant: Tenant): Promise<void> {
  expect(await rowsOf(tenant)).toEqual({});
  const named = await tablesWith(service, tenant.account.mandantId);
  expect(named.filter((name) => !MAY_NAME_IT.includes(name))).toEqual([]);
}

const remove = (on = db, slice?: number) => removeMandant(on, ours.account.mandantId, slice);

test('every table is filled, or these tests would prove nothing', async () => {
  for (const tenant of [ours, theirs]) expect(Object.keys(await rowsOf(tenant))).toEqual(tables);
  expect(tables.length).toBeGreaterThan(20);
  expect(await tablesWith(service, ours.account.mandantId)).toEqual(expect.arrayContaining(tables));
});

describe('the removal', () => {
  test('leaves nothing of the Mandant anywhere, and everything of the other', async () => {
    const [before, others] = [await rowsOf(ours), await contentOf(theirs)];
    await cancelledAgo(ours);
    expect(await loeschenJob({ owner: db, log: service.context.log }).run()).toEqual({ geloescht: 1 });
    await expectGone(ours);
    expect(await tablesWith(service, ours.account.email)).toEqual([]);
    expect(await contentOf(theirs)).toEqual(others);
    expect(await receipt(ours)).toEqual({ beendet_am: expect.any(String), zeilen: before });
    const [{ json } = { json: '' }] = await service.sql<{ json: string }>(
      'SELECT zeilen::text AS json FROM loeschbelege',
    );
    expect(json).not.toMatch(/wir|example/);
  });

  test('waits for the end of the thirtieth day, and for a cancellation', async () => {
    // More before the end than this test may take.
    await cancelledAgo(theirs, '29 days 23:55');
    expect(await loeschenJob({ owner: db, log: service.context.log }).run()).toEqual({ geloescht: 0 });
    for (const tenant of [ours, theirs]) {
      expect(await removeMandant(db, tenant.account.mandantId)).toBe(false);
      expect(Object.keys(await rowsOf(tenant))).toEqual(tables);
    }
    expect(await service.sql('SELECT FROM loeschbelege')).toEqual([]);
  });

  test('takes what is large in slices, over all months', async () => {
    await service.sql(
      `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, agent, projekt, status, geschaetzt, quelle, kurs_usd_eur)
       SELECT $1, gen_random_uuid(), now() - n * interval '9 days', now(), 'a', 'p', 'erfolgreich', false, 'api', 1
       FROM generate_series(1, 60) AS n`,
      [ours.account.mandantId],
    );
    const before = await rowsOf(ours);
    await cancelledAgo(ours);
    const deleted: number[] = [];
    const watched: OwnerDatabase = {
      ...db,
      transaction: (work) =>
        db.transaction(async (client) => {
          const result = await work(client);
          if (typeof result === 'number') deleted.push(result);
          return result;
        }),
    };
    await remove(watched, 7);
    expect(Math.max(...deleted)).toBe(7);
    expect(deleted.filter((count) => count === 7).length).toBeGreaterThanOrEqual(8);
    await expectGone(ours);
    expect((await receipt(ours))?.zeilen).toEqual(before);
  });

  test('of one that fails does not keep the others', async () => {
    await service.sql(`CREATE FUNCTION stoerung() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'injected'; END $$`);
    await service.sql(`CREATE TRIGGER stoerung BEFORE DELETE ON agenten FOR EACH ROW
      WHEN (old.mandant_id = '${ours.account.mandantId}') EXECUTE FUNCTION stoerung()`);
    for (const tenant of [ours, theirs]) await cancelledAgo(tenant);
    const run = () => loeschenJob({ owner: db, log: service.context.log }).run();
    await expect(run()).rejects.toThrow('failed for 1 of 2 Mandanten');
    await expectGone(theirs);
    expect((await receipt(ours))?.beendet_am).toBeNull();
    await service.sql('DROP TRIGGER stoerung ON agenten');
    expect(await run()).toEqual({ geloescht: 1 });
    await expectGone(ours);
  });

  test('is done once, also by two at a time', async () => {
    const before = await rowsOf(ours);
    await cancelledAgo(ours);
    await Promise.all([remove(db, 2), remove(db, 2), remove(db, 2)]);
    await expectGone(ours);
    const done = await receipt(ours);
    expect(done?.zeilen).toEqual(before);
    expect(await remove()).toBe(false);
    expect(await receipt(ours)).toEqual(done);
  });
});

const EVERY = isWhole ? 1 : 11;

test.each(['before', 'after'] as const)(
  'killed %s the commit of any step, it goes on where it was, and the receipt is right',
  async (when) => {
    const [before, others] = [await rowsOf(ours), await contentOf(theirs)];
    await cancelledAgo(ours);
    let kills = 0;
    // Of the steps, a few in every push.
    for (let done = false; !done; kills += done ? 0 : EVERY) {
      done = await remove(dyingAfter(db, kills, when), 2).then(
        () => true,
        (error) => {
          expect(error).toBeInstanceOf(Killed);
          return false;
        },
      );
      const so = await receipt(ours);
      const left = await rowsOf(ours);
      for (const name of tables) expect((so?.zeilen[name] ?? 0) + (left[name] ?? 0), name).toBe(before[name]);
      // Nobody hears of the last commit, but it counts.
      if (Object.keys(left).length > 0) expect(so?.beendet_am ?? null).toBeNull();
    }
    expect(kills).toBeGreaterThanOrEqual(tables.length);
    await expectGone(ours);
    expect(await receipt(ours)).toEqual({ beendet_am: expect.any(String), zeilen: before });
    expect(await contentOf(theirs)).toEqual(others);
  },
);

describe('what is written meanwhile', () => {
  const noPrices: PriceList = { edition: 'none', model: () => () => null };
  const worker = (on: OwnerDatabase, prices: PriceList = createPriceList()) =>
    createCountingWorker({ db: on, log: service.context.log, prices, substituteRate: '1' });

  /** One that is stopped by somebody's lock. On a cluster it waits on the node that has the Mandant, where only a number names it. */
  const isWaiting = () =>
    until('the removal to wait', async () => {
      const rows = await service.sql(
        onCluster()
          ? `SELECT FROM citus_stat_activity WHERE wait_event_type = 'Lock' AND global_pid IN (
               SELECT global_pid FROM citus_stat_activity WHERE application_name = 'zaehlwerk-removal')`
          : `SELECT FROM pg_stat_activity WHERE application_name = 'zaehlwerk-removal' AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });

  test('by counting that is under way goes, too', async () => {
    await cancelledAgo(ours);
    // The events are written, and what they sum up to is about to be.
    const pause = pausingAt(db, (text) => text.includes('UPDATE zaehlstaende'));
    const counting = worker(pause.db).drain();
    await pause.reached;
    const removal = remove();
    await isWaiting();
    pause.release();
    await counting;
    await removal;
    await expectGone(ours);
  });

  test('by counting that read its batch long before finds nobody', async () => {
    await cancelledAgo(ours);
    const pause = pausingBeforeTransaction(db);
    const counting = worker(pause.db).drain();
    await pause.reached;
    await remove();
    pause.release();
    await counting;
    await expectGone(ours);
  });

  test('by late prices that are being written goes, too', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${ours.key.secret}` },
      payload: {
        ereignisse: [{ anbieter: 'openai', modell: 'gpt-4o-mini', eingabe_token: 5, lauf_id: randomUUID() }],
      },
    });
    expect(answer.statusCode).toBe(202);
    await worker(db, noPrices).drain();
    await cancelledAgo(ours);
    const pause = pausingAt(db, (text) => text.includes('UPDATE ereignisse'));
    const pricing = nachpreisenJob({ owner: pause.db, log: service.context.log }, createPriceList()).run();
    await pause.reached;
    const removal = remove();
    await isWaiting();
    pause.release();
    expect(await pricing).toEqual({ bepreist: 1 });
    await removal;
    await expectGone(ours);
  });

  test('by the holder of the Mandant goes, too; a later one finds nobody', async () => {
    const mandant = mandantId(ours.account.mandantId);
    const write = (wait: Promise<void>, locked: () => void) =>
      service.context.db.forMandant(mandant, async (tx) => {
        const { rows } = await sql`SELECT 1 FROM mandanten FOR NO KEY UPDATE`.execute(tx);
        if (rows.length === 0) return false;
        const objekt = { art: 'mandant', id: mandant };
        await recordChange(tx, mandant, new Date(), { akteur: SYSTEM, aktion: 'test', objekt });
        locked();
        await wait;
        return true;
      });
    await cancelledAgo(ours);
    // All slices are done; what comes now only the last step can find.
    const pause = pausingAt(db, (text) => text.includes('FOR UPDATE') && text.includes('FROM mandanten'));
    const removal = removeMandant(pause.db, mandant);
    await pause.reached;
    const gate = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const writing = write(gate.promise, locked.resolve);
    await locked.promise;
    pause.release();
    await isWaiting();
    const late = write(Promise.resolve(), () => undefined);
    // Else it might come between the end of the one and the lock of the other.
    await until('the late one to wait behind the removal', async () => {
      const waiting = await service.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length === 2;
    });
    gate.resolve();
    expect(await writing).toBe(true);
    await removal;
    expect(await late).toBe(false);
    await expectGone(ours);
  });
});
