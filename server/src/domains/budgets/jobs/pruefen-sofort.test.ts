import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueue } from '#jobs/index.ts';
import { systemClock } from '#kernel/clock.ts';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { pruefenSofort, pruefenSofortJob } from './pruefen-sofort.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench.stop());

test('whoever asked before a run began shares it', async () => {
  const gefragt_am = new Date(Date.now() - 1_000).toISOString();
  for (const mandant of [newMandant(), newMandant()])
    await bench.db.forMandant(mandant, (tx) => enqueue(tx, pruefenSofort, { gefragt_am }));
  const job = pruefenSofortJob({ owner: bench.owner, clock: systemClock, log: bench.log });
  expect(await bench.runner(job).runDue()).toBe(2);
  const rows = await bench.sql('SELECT name, zaehler FROM pruefungen');
  expect(rows).toEqual([{ name: 'budgets.pruefen', zaehler: { mandanten: 0, budgets: 0, befunde: 0 } }]);
  expect(await bench.sql('SELECT FROM auftraege')).toEqual([]);
});
