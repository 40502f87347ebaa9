/** Everything together: the ear, the clock, and the start that refuses what cannot work. */
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPool, migrate } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createDatabase, onCluster } from '#test/database.ts';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { until } from '#test/until.ts';
import { enqueue } from './enqueue.ts';
import { defineJob, handle, type Job, onSchedule } from './job.ts';
import { latestTime } from './schedule.ts';
import { type RunningJobs, startJobs } from './start.ts';
import { claimTime, INSTALLATION } from './store.ts';

const kind = defineJob({ id: 'test.auftrag', version: 1, payload: Type.Object({ nr: Type.Integer() }) });

let bench: JobsBench;
const running: RunningJobs[] = [];
beforeEach(async () => {
  bench = await createJobsBench();
});
afterEach(async () => {
  vi.useRealTimers();
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
/** Of a connection that hears of new jobs: it is asked now and then whether it is there. */
const HEARS = `application_name = 'zaehlwerk-zw_auftraege' AND query IN ('LISTEN zw_auftraege', 'SELECT')`;
/** How many connections hear of new jobs. */
const ears = async (): Promise<number> => {
  const [row] = await bench.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND ${HEARS} AND state = 'idle'`,
  );
  return row?.n ?? 0;
};
/** Nobody looks by the clock any more: what is run follows from a notice, or from hearing again. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
/** Jobs that note their number, and the numbers. */
function noting() {
  const seen: number[] = [];
  const job = handle(kind, async ({ payload: { nr } }) => {
    seen.push(nr);
    return {};
  });
  return { seen, job };
}
const NIGHTLY = '3 3 3 3 *';
const nightly = (
  id: string,
  run: () => Promise<Record<string, unknown>> = async () => ({}),
  atStart = false,
) => onSchedule({ id, cron: NIGHTLY, atStart, run });

test('a job is run at once when its transaction commits, without anybody looking by the clock', async () => {
  stopClock();
  const { seen, job } = noting();
  start(job);
  await until('an ear', async () => (await ears()) === 1);
  await put(1);
  await expect.poll(() => seen).toEqual([1]);
});

test('what came while nobody could hear is run once somebody does again', async () => {
  stopClock();
  const { seen, job } = noting();
  start(job);
  await until('an ear', async () => (await ears()) === 1);
  // In one transaction: the notice comes when the connection is gone.
  await bench.owner.transaction(async (client) => {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND ${HEARS}`,
    );
    await client.query(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'test.auftrag', 1, '{"nr": 2}')`,
    );
  });
  await expect.poll(() => seen).toEqual([2]);
  await until('an ear again', async () => (await ears()) === 1);
});

test('two jobs of one name are refused', () => {
  const { job } = noting();
  expect(() => start(job, nightly('test.auftrag'))).toThrow('several jobs are named test.auftrag');
});

describe('the schedule', () => {
  /** For which time a run was put in last, oldest first. */
  const times = () =>
    bench.sql<{ job: string; zuletzt: string }>(
      `SELECT job, zuletzt FROM zeitplan WHERE job LIKE 'test.%' ORDER BY zuletzt`,
    );
  const lastWas = (id: string, zuletzt: string) =>
    bench.sql('INSERT INTO zeitplan VALUES ($1, $2)', [id, zuletzt]);
  const third = () => latestTime(NIGHTLY, new Date()) as Date;

  test('is what the code says: a run of what is not there any more goes', async () => {
    await bench.sql(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, geplant)
       VALUES ($1, gen_random_uuid(), 'test.alt', 1, '{}', true)`,
      [INSTALLATION],
    );
    start(nightly('test.bleibt'), noting().job);
    await until('the schedule', async () => (await times()).length === 1);
    expect(await bench.sql(`SELECT FROM auftraege WHERE job = 'test.alt'`)).toEqual([]);
  });

  test('makes up, once, for a time that passed while nobody was there; what is new waits for its next one', async () => {
    const runs: string[] = [];
    const noted = (id: string) => nightly(id, async () => ({ nr: runs.push(id) }));
    const jobs = () => [noted('test.verpasst'), noted('test.neu'), noted('test.gelaufen')];
    await lastWas('test.verpasst', '2001-03-03T03:03:00Z');
    await lastWas('test.gelaufen', third().toISOString());
    const both = [start(...jobs()), start(...jobs())];
    await expect.poll(() => runs).toEqual(['test.verpasst']);
    // Each ends with looking at all of them.
    await Promise.all(both.map((each) => each.stop()));
    const last = start(...jobs());
    await until('a further look', async () => (await times()).length === 3);
    await last.stop();
    expect(runs).toEqual(['test.verpasst']);
    const [one, two, fresh] = await times();
    for (const each of [one, two]) expect(new Date(each?.zuletzt ?? '')).toEqual(third());
    expect(fresh?.job).toBe('test.neu');
    expect(Date.parse(fresh?.zuletzt ?? '')).toBeGreaterThan(third().getTime());
  });

  test('puts one run in for a time, however many instances see that it has come', async () => {
    const id = 'test.nachts';
    await lastWas(id, '2001-03-03T03:03:00Z');
    const count = async () => (await bench.sql('SELECT FROM auftraege WHERE job = $1', [id])).length;
    const claims = async (time: Date) => {
      const [row] = await times();
      await Promise.all(
        Array.from({ length: 8 }, () => claimTime(bench.owner, id, row?.zuletzt ?? '', time)),
      );
    };
    await claims(new Date('2002-03-03T03:03:00Z'));
    expect(await count()).toBe(1);
    // While it waits, the next time adds nothing.
    await claims(new Date('2003-03-03T03:03:00Z'));
    expect(await count()).toBe(1);
    await bench.sql('DELETE FROM auftraege');
    // A worker that has read what was so two times ago comes too late.
    await claimTime(bench.owner, id, '2002-03-03T03:03:00Z', new Date('2004-03-03T03:03:00Z'));
    expect(await count()).toBe(0);
    await claims(new Date('2004-03-03T03:03:00Z'));
    expect(await count()).toBe(1);
  });

  test('goes on after a clock that was ahead for long, and waits for one that was set back by seconds', async () => {
    const runs: string[] = [];
    const noted = (id: string) => nightly(id, async () => ({ nr: runs.push(id) }));
    const soon = new Date(Date.now() + 30_000).toISOString();
    await lastWas('test.jahre', '2101-03-03T03:03:00Z');
    await lastWas('test.sekunden', soon);
    const first = start(noted('test.jahre'), noted('test.sekunden'));
    await expect.poll(() => runs).toEqual(['test.jahre']);
    await first.stop();
    expect((await times()).map(({ zuletzt }) => new Date(zuletzt).toISOString())).toEqual([
      third().toISOString(),
      soon,
    ]);
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
    await expect.poll(state).toEqual([{ versuche: 4, tot: true }]);
    await first.stop();
    fails = false;
    start(nightly('test.nachts', run, true));
    await expect.poll(state).toEqual([]);
  });

  // Of a cluster it would need more than CREATE DATABASE.
  test.skipIf(onCluster())('starts as soon as the database is there', async () => {
    const { log, observed } = bench;
    const connection = { ...bench.connection, database: `${bench.connection.database}_spaeter` };
    const owner = createOwnerDatabase(
      createPool({ connection, max: 2, statementTimeout: 15_000, name: 'test' }, log),
    );
    const observe = (each: (typeof observed)[number]) => void observed.push(each);
    const late = startJobs(connection, { jobs: [], db: owner, log, observe });
    await expect.poll(() => bench.logged('schedule not started').length).toBeGreaterThan(0);
    const { drop } = await createDatabase('', connection.database);
    await migrate(connection, log);
    await until('the schedule', async () => {
      const { rowCount } = await owner.query('SELECT FROM zeitplan');
      return rowCount === 1;
    });
    await late.stop();
    await owner.close();
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
  await expect.poll(dead).toEqual([
    { job: 'test.auftrag', fassung: 2, fehler: 'no instance reads payloads of version 2' },
    { job: 'test.weg', fassung: 1, fehler: 'no instance knows this job' },
  ]);
  await expect.poll(() => seen).toEqual([1]);
  expect(await bench.sql(`SELECT FROM auftraege WHERE aufgegeben_am IS NULL AND NOT geplant`)).toHaveLength(
    2,
  );
});
