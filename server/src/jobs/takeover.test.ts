/** A process that dies in the middle of a job has it taken over at once; one that only stands still has it alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { enqueueFor } from './enqueue.ts';
import { defineJob, handle, type Job } from './job.ts';
import { type RunningJobs, startJobs } from './start.ts';

const CLAIM_SECONDS = 2;
const kind = defineJob({ id: 'test.lang', version: 1, payload: Type.Object({}) });

let bench: JobsBench;
const running: RunningJobs[] = [];
beforeEach(async () => {
  bench = await createJobsBench();
  await bench.owner.transaction((client) => enqueueFor(client, newMandant(), kind, {}));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await bench.stop();
});

const start = (job: Job) => {
  const { connection, owner: db, log } = bench;
  const worker = { claimSeconds: CLAIM_SECONDS };
  running.push(startJobs(connection, { jobs: [job], db, log, observe: () => undefined, worker }));
};
const attempts = async () =>
  (await bench.sql<{ versuche: number }>(`SELECT versuche FROM auftraege WHERE job = 'test.lang'`)).map(
    ({ versuche }) => versuche,
  );

test('a process that is killed leaves its job to another within its claim', async () => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('#test/held-job.ts')), JSON.stringify(bench.connection)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  expect(await attempts()).toEqual([1]);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const taken: number[] = [];
  start(handle(kind, async ({ attempt }) => ({ nr: taken.push(attempt) })));
  await expect.poll(() => taken).toEqual([2]);
  // Nobody has moved the claim: it lapsed by itself.
  await expect.poll(attempts).toEqual([]);
});

test('one that stands still, and lives, is not doubled, though its claim has lapsed; one that stands still for minutes is', async () => {
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  start(
    handle(kind, async () => {
      entered.resolve();
      await gate.promise;
      return {};
    }),
  );
  await entered.promise;
  const other = bench.runner(handle(kind, async () => ({})));
  const lapsed = (since: string) =>
    bench.sql(
      `UPDATE auftraege SET faellig_am = now() - $1::interval, versuche = 1 WHERE job = 'test.lang'`,
      [since],
    );
  await lapsed('20 seconds');
  expect(await other.runDue()).toBe(0);
  expect(await attempts()).toEqual([1]);
  await lapsed('301 seconds');
  expect(await other.runDue()).toBe(1);
  gate.resolve();
});

test('whose number nobody holds any more is free as soon as its claim has lapsed', async () => {
  await bench.sql(
    `UPDATE auftraege SET bearbeiter = 7, versuche = 1, faellig_am = now() + interval '1 minute'`,
  );
  const other = bench.runner(handle(kind, async () => ({})));
  expect(await other.runDue()).toBe(0);
  await bench.sql('UPDATE auftraege SET faellig_am = now()');
  expect(await other.runDue()).toBe(1);
});
