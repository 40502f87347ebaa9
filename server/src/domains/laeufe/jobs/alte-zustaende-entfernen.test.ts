import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { alteZustaendeEntfernenJob } from './alte-zustaende-entfernen.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());
beforeEach(() => bench.sql('TRUNCATE lauf_zustaende'));

/** A Mandant with so many states of this age for each pair; those that changed first have the lowest numbers. */
async function withStates(...states: [count: number, age: string][]): Promise<string> {
  const mandant = newMandant();
  await bench.sql(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'Muster', 'frei', 'UTC')`,
    [mandant],
  );
  for (const [index, [count, age]] of states.entries())
    await bench.sql(
      `INSERT INTO lauf_zustaende (mandant_id, lauf_id, zustand, neu_lesen, nummer, geaendert_am)
       SELECT $1, gen_random_uuid(), '', false, $2, now() - $3::interval FROM generate_series(1, $4)`,
      [mandant, index + 1, age, count],
    );
  return mandant;
}

const left = async (mandant: string) => {
  const rows = await bench.sql<{ nummer: number; n: number }>(
    'SELECT nummer, count(*) AS n FROM lauf_zustaende WHERE mandant_id = $1 GROUP BY 1 ORDER BY 1',
    [mandant],
  );
  return rows.map(({ nummer, n }) => [nummer, n]);
};

const run = () => alteZustaendeEntfernenJob(bench).run();

test('removes the states of all Mandanten that have not changed for 35 days, and no others', async () => {
  const states: [number, string][] = [
    [2, '90 days'],
    [1, '35 days 1 second'],
    [1, '34 days 23 hours 55 minutes'],
    [3, '0 seconds'],
  ];
  const mandanten = [await withStates(...states), await withStates(...states), await withStates()];
  expect(await run()).toEqual({ entfernt: 6 });
  expect(await Promise.all(mandanten.map(left))).toEqual([
    [
      [3, 1],
      [4, 3],
    ],
    [
      [3, 1],
      [4, 3],
    ],
    [],
  ]);
  expect(await run()).toEqual({ entfernt: 0 });
});

test('removes as many as there are, portion by portion', async () => {
  const mandant = await withStates([2_300, '40 days'], [1_200, '1 day']);
  const other = await withStates([1_000, '40 days']);
  expect(await run()).toEqual({ entfernt: 3_300 });
  expect([await left(mandant), await left(other)]).toEqual([[[2, 1_200]], []]);
});

test('waits for nobody: a state that is just being changed stays, and the others go', async () => {
  const mandant = await withStates([3, '40 days']);
  await bench.owner.transaction(async (client) => {
    await client.query(
      `UPDATE lauf_zustaende SET nummer = 9, geaendert_am = now()
       WHERE (mandant_id, lauf_id) IN (SELECT mandant_id, lauf_id FROM lauf_zustaende WHERE mandant_id = $1 LIMIT 1)`,
      [mandant],
    );
    expect(await run()).toEqual({ entfernt: 2 });
  });
  expect(await left(mandant)).toEqual([[9, 1]]);
});
