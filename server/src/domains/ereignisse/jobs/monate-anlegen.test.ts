import { afterAll, beforeAll, expect, test } from 'vitest';
import { onCluster } from '#test/database.ts';
import { createJobsBench, type JobsBench } from '#test/jobs.ts';
import { monateAnlegenJob } from './monate-anlegen.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());

const months = async () =>
  (
    await bench.sql<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'ereignisse'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** By month, columns that nobody asks by: there are no statistics of them. */
const withoutStatistics = async () =>
  (
    await bench.sql<{ names: string }>(
      `SELECT string_agg(attname, ' ' ORDER BY attname) FILTER (WHERE attstattarget = 0) AS names
       FROM pg_inherits JOIN pg_attribute ON attrelid = inhrelid WHERE inhparent = 'ereignisse'::regclass GROUP BY inhrelid`,
    )
  ).map(({ names }) => names);

test('makes this month and the coming two where they are missing, and leaves the others alone', async () => {
  const before = await months();
  const [names] = await bench.sql<{ coming: string[] }>(
    `SELECT array_agg('ereignisse_' || to_char(now() + m * interval '1 month', 'YYYY_MM') ORDER BY m) AS coming
     FROM generate_series(0, 2) AS m`,
  );
  const coming = names?.coming ?? [];
  expect(before).toEqual(expect.arrayContaining(coming));
  for (const name of coming.slice(1)) await bench.sql(`DROP TABLE ${name}`);
  const { run } = monateAnlegenJob(bench);
  expect(await run()).toEqual({});
  expect(await months()).toEqual(before);
  expect(await run()).toEqual({});
  expect(await months()).toEqual(before);
  const columns = await withoutStatistics();
  expect(new Set(columns).size).toBe(1);
  // A cluster keeps them.
  if (!onCluster()) expect(columns[0]).toContain('latenz_ms');
});
