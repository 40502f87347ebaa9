import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { idempotenzAufraeumenJob } from './idempotenz-aufraeumen.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());

/** What has certainly passed is a day behind at least. */
const setPassed = (ago: string) =>
  bench.sql('UPDATE uhrstand SET vergangen_bis = now() - $1::interval', [ago]);

test('removes the keys of all Mandanten after 48 hours, and none before', async () => {
  for (const mandant of [newMandant(), newMandant()])
    await bench.sql(
      `INSERT INTO idempotenz
       SELECT $1, alter, '\\x00', '\\x00', '', now() - alter::interval
       FROM unnest('{49 hours,48 hours 1 second,47 hours 55 minutes,0 seconds}'::text[]) AS alter`,
      [mandant],
    );
  const { run } = idempotenzAufraeumenJob(bench);
  await setPassed('31 days');
  expect(await run()).toEqual({ entfernt: 0 });
  await setPassed('1 day');
  expect(await run()).toEqual({ entfernt: 4 });
  expect(await run()).toEqual({ entfernt: 0 });
  const left = await bench.sql('SELECT operation, count(*) AS n FROM idempotenz GROUP BY 1 ORDER BY 1');
  expect(left).toEqual([
    { operation: '0 seconds', n: 2 },
    { operation: '47 hours 55 minutes', n: 2 },
  ]);
});
