/** Everything together: the ear, the clock, and the start that refuses what cannot work. */
import pg from 'pg';
import { type DatabaseOptions, PgBoss } from 'pg-boss';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, onCluster } from '#test/database.ts';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { PATIENCE } from '#test/service.ts';
import { until } from '#test/until.ts';
import { enqueue } from './enqueue.ts';
import { defineJob, handle, type Job, onSchedule } from './job.ts';
import { type RunningJobs, startJobs } from './start.ts';
import { INSTALLATION } from './store.ts';

const kind = defineJob({ id: 'test.auftrag', version: 1, payload: Type.Object({ nr: Type.Integer() }) });

let bench: JobsBench;
const running: RunningJobs[] = [];
beforeEach(async () => {
  bench = await createJobsBench();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await bench.stop();
});

function start(...jobs: Job[]): RunningJobs {
  const { connection, owner, log, observed } = bench;
  const started = startJobs(connection, { jobs, db: owner, log, observe: (each) => observed.push(each) });
  running.push(started);
  return started;
}
const put = (nr: number) => bench.db.forMandant(newMandant(), (tx) => enqueue(tx, kind, { nr }));
/** How many connections hear of new jobs. */
const ears = async (): Promise<number> => {
  const [row] = await bench.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND query = 'LISTEN zw_auftraege' AND state = 'idle'`,
  );
  return row?.n ?? 0;
};
/** Jobs that note their number, and the numbers. */
function noting() {
  const seen: number[] = [];
  const job = handle(kind, async ({ payload: { nr } }) => {
    seen.push(nr);
    return {};
  });
  return { seen, job };
}
const nightly = (
  id: string,
  run: () => Promise<Record<string, unknown>> = async () => ({}),
  atStart = false,
) => onSchedule({ id, cron: '3 3 3 3 *', atStart, run });

test('a job is run at once when its transaction commits, long before anybody would look by the clock', async () => {
  const { seen, job } = noting();
  start(job);
  await until('an ear', async () => (await ears()) === 1);
  const began = performance.now();
  await put(1);
  await expect.poll(() => seen, PATIENCE).toEqual([1]);
  // Nobody looks without a notice for half a minute.
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('what came while nobody could hear is run once somebody does again', async () => {
  const { seen, job } = noting();
  start(job);
  await until('an ear', async () => (await ears()) === 1);
  // In one transaction: the notice comes when the connection is gone.
  await bench.owner.transaction(async (client) => {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query = 'LISTEN zw_auftraege'`,
    );
    await client.query(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'test.auftrag', 1, '{"nr": 2}')`,
    );
  });
  await expect.poll(() => seen, PATIENCE).toEqual([2]);
  await until('an ear again', async () => (await ears()) === 1);
});

test('two jobs of one name are refused', () => {
  const { job } = noting();
  expect(() => start(job, nightly('test.auftrag'))).toThrow('several jobs are named test.auftrag');
});

describe('the schedule', () => {
  /** As pg-boss stores it. */
  const schedules = async () =>
    (await bench.sql<{ key: string }>(`SELECT key FROM pgboss.schedule ORDER BY key`)).map(({ key }) => key);
  const queues = async () =>
    (
      await bench.sql<{ name: string }>(
        `SELECT name FROM pgboss.queue WHERE name NOT LIKE '\\_\\_%' ORDER BY 1`,
      )
    ).map(({ name }) => name);
  const KIT = 'auftraege.gestrandete_aufgeben';
  const isStarted = async (...keys: string[]) => {
    const wanted = [KIT, ...keys].sort().join();
    await until('the schedule', async () => (await schedules()).join() === wanted);
  };

  test('is what the code says: what is not there any more goes, whoever put it there', async () => {
    const boss = new PgBoss(bench.connection as DatabaseOptions);
    await boss.start();
    await boss.createQueue('alt.eigene_schlange');
    await boss.schedule('alt.eigene_schlange', '1 1 1 1 *');
    await boss.stop();
    await bench.sql(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, geplant)
       VALUES ($1, gen_random_uuid(), 'test.alt', 1, '{}', true)`,
      [INSTALLATION],
    );
    const first = start(nightly('test.alt'), nightly('test.bleibt'));
    await isStarted('test.alt', 'test.bleibt');
    await first.stop();
    start(nightly('test.bleibt'), noting().job);
    await isStarted('test.bleibt');
    expect(await queues()).toEqual(['zeitplan']);
    expect(await bench.sql(`SELECT FROM auftraege WHERE job = 'test.alt'`)).toEqual([]);
  });

  test('puts a run in when its time has come, and one at a time, however many instances there are', async () => {
    let runs = 0;
    const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const job = nightly('test.nachts', async () => {
      runs += 1;
      entered.resolve();
      await gate.promise;
      return {};
    });
    start(job);
    start(job);
    await isStarted('test.nachts');
    const boss = new PgBoss(bench.connection as DatabaseOptions);
    await boss.start();
    // What pg-boss does at the hour, several times over.
    for (let time = 0; time < 3; time += 1) await boss.send('zeitplan', { job: 'test.nachts' });
    await entered.promise;
    const delivered = async () =>
      (await bench.sql(`SELECT FROM pgboss.job WHERE name = 'zeitplan' AND state = 'completed'`)).length ===
      3;
    await until('all to be delivered', delivered);
    expect(await bench.sql(`SELECT versuche FROM auftraege WHERE job = 'test.nachts'`)).toEqual([
      { versuche: 1 },
    ]);
    gate.resolve();
    await until('it to be done', async () => {
      const left = await bench.sql(`SELECT FROM auftraege WHERE job = 'test.nachts'`);
      return left.length === 0;
    });
    expect(runs).toBe(1);
    await boss.stop();
  });

  test('begins anew with a run that was given up', async () => {
    let fails = true;
    const run = async () => {
      if (fails) throw new Error('kaputt');
      return {};
    };
    await bench.sql(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, geplant, versuche)
       VALUES ($1, gen_random_uuid(), 'test.nachts', 1, '{}', true, 3)`,
      [INSTALLATION],
    );
    const state = () =>
      bench.sql(`SELECT versuche, aufgegeben_am IS NOT NULL AS tot FROM auftraege WHERE geplant`);
    // Not at its own start: that may come before the last attempt or after it.
    const first = start(nightly('test.nachts', run));
    await expect.poll(state, PATIENCE).toEqual([{ versuche: 4, tot: true }]);
    await isStarted('test.nachts');
    await first.stop();
    fails = false;
    start(nightly('test.nachts', run, true));
    await expect.poll(state, PATIENCE).toEqual([]);
  });

  // Of a cluster it would need more than CREATE DATABASE.
  test.skipIf(onCluster())('starts as soon as the database is there', async () => {
    const { connection, owner, log, observed } = bench;
    const other = `${connection.database}_spaeter`;
    const observe = (each: (typeof observed)[number]) => void observed.push(each);
    const late = startJobs({ ...connection, database: other }, { jobs: [], db: owner, log, observe });
    running.push(late);
    await expect.poll(() => bench.logged('schedule not started').length, PATIENCE).toBeGreaterThan(0);
    const { drop } = await createDatabase('', other);
    const there = new pg.Client({ ...connection, database: other });
    await there.connect();
    await until('the schedule', async () => {
      const { rowCount } = await there.query('SELECT FROM pgboss.schedule');
      return rowCount === 1;
    });
    await there.end();
    running.pop();
    await late.stop();
    await drop();
  });
});

test('what nobody has understood for a day becomes a dead letter that says why; the rest waits', async () => {
  const waiting = (job: string, fassung: number, since: string) =>
    bench.sql(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, faellig_am)
       VALUES (gen_random_uuid(), gen_random_uuid(), $1, $2, '{"nr": 1}', now() - $3::interval)`,
      [job, fassung, since],
    );
  for (const since of ['25 hours', '23 hours']) {
    await waiting('test.weg', 1, since);
    await waiting('test.auftrag', 2, since);
  }
  const { seen, job } = noting();
  await waiting('test.auftrag', 1, '25 hours');
  start(job);
  const dead = () =>
    bench.sql('SELECT job, fassung, fehler FROM auftraege WHERE aufgegeben_am IS NOT NULL ORDER BY job');
  await expect.poll(dead, PATIENCE).toEqual([
    { job: 'test.auftrag', fassung: 2, fehler: 'no instance reads payloads of version 2' },
    { job: 'test.weg', fassung: 1, fehler: 'no instance knows this job' },
  ]);
  await expect.poll(() => seen, PATIENCE).toEqual([1]);
  expect(await bench.sql(`SELECT FROM auftraege WHERE aufgegeben_am IS NULL AND NOT geplant`)).toHaveLength(
    2,
  );
});
