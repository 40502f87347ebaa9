import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { forEveryMandant } from './for-every-mandant.ts';

const SELECT = `SELECT mandant_id, firma FROM mandanten ORDER BY firma`;
const names = ['eins', 'zwei', 'drei'];

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());
beforeEach(async () => {
  await bench.sql('DELETE FROM mandanten');
  for (const firma of names)
    await bench.sql(
      `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, $2, 'test', 'UTC')`,
      [newMandant(), firma],
    );
});

test('works on each, one after the other, and sees no other Mandant meanwhile', async () => {
  const seen = await forEveryMandant(bench, SELECT, async (mandant, { firma }) => {
    const { rows } = await bench.db.forMandant(mandant, (tx) =>
      sql<{ firma: string }>`SELECT firma FROM mandanten`.execute(tx),
    );
    expect(rows).toEqual([{ firma }]);
    return firma;
  });
  expect(seen).toEqual(['drei', 'eins', 'zwei']);
});

test('one that fails does not keep the others, and is reported', async () => {
  const done: unknown[] = [];
  const work = forEveryMandant(bench, SELECT, async (_mandant, { firma }) => {
    if (firma === 'eins') throw new Error('kaputt');
    done.push(firma);
  });
  await expect(work).rejects.toMatchObject({
    message: 'failed for 1 of 3 Mandanten',
    errors: [new Error('kaputt')],
  });
  expect(done).toEqual(['drei', 'zwei']);
  expect(bench.logged('work for a Mandant failed')).toMatchObject([{ level: 'warn', reason: 'kaputt' }]);
});

test('finds nobody, does nothing', async () => {
  const nobody = `SELECT mandant_id FROM mandanten WHERE false`;
  expect(await forEveryMandant(bench, nobody, () => Promise.reject(new Error('called')))).toEqual([]);
});
