/** Each Mandant has its turn before another has a second one, in every process. */
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MandantId } from '#kernel/mandant-id.ts';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { until } from '#test/until.ts';
import { enqueueFor } from './enqueue.ts';
import { defineJob, handle } from './job.ts';

const kind = defineJob({ id: 'test.auftrag', version: 2, payload: Type.Object({ nr: Type.Integer() }) });

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());
beforeEach(() => bench.sql('DELETE FROM auftraege'));

const put = (mandant: MandantId, nr: number) =>
  bench.owner.transaction((client) => enqueueFor(client, mandant, kind, { nr }));
const putMany = (mandant: MandantId, count: number) =>
  bench.sql(
    `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, faellig_am)
       SELECT $1, gen_random_uuid(), 'test.auftrag', 2, '{"nr": 0}', now() - interval '1 hour'
       FROM generate_series(1, $2)`,
    [mandant, count],
  );

test.each([
  ['new ones', ''],
  ['ones that failed before and are due again', 'UPDATE auftraege SET versuche = 2'],
])(
  'a thousand jobs of one Mandant, %s, do not delay the first of another, whatever the number of processes',
  async (_name, change) => {
    const many = newMandant();
    await putMany(many, 1_000);
    if (change) await bench.sql(change);
    const order: MandantId[] = [];
    const later = [newMandant(), newMandant(), newMandant()];
    let arrived = Number.POSITIVE_INFINITY;
    const job = handle(kind, async ({ mandant }) => {
      order.push(mandant);
      if (order.length === 30) {
        for (const each of later) await put(each, 1);
        arrived = order.length;
      }
      return {};
    });
    const runners = [bench.runner(job), bench.runner(job)];
    const running = runners.map((runner) => runner.runDue());
    await until('the others to be served', () => later.every((each) => order.includes(each)));
    await Promise.all(runners.map((runner) => runner.stop()));
    await Promise.all(running);
    // Each process ends the run it was in, then serves the others before it comes back to the first.
    const last = Math.max(...later.map((each) => order.indexOf(each)));
    expect(last - arrived).toBeLessThanOrEqual(2 * (1 + later.length));
    expect(order.filter((each) => later.includes(each))).toHaveLength(later.length);
  },
);

test('none of two with many is served twice before the other', async () => {
  const [a, b] = [newMandant(), newMandant()];
  await putMany(a, 40);
  await putMany(b, 40);
  const order: MandantId[] = [];
  await bench
    .runner(
      handle(kind, async ({ mandant }) => {
        order.push(mandant);
        return {};
      }),
    )
    .runDue();
  expect(order).toHaveLength(80);
  for (let place = 1; place < 80; place += 1) expect(order[place]).not.toBe(order[place - 1]);
});
