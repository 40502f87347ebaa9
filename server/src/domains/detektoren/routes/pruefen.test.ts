import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { addRule, ruleOf } from '#test/detectors/rules.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { useUpHour } from '#test/use-up.ts';
import { detektorenJobs } from '../index.ts';
import { CHECKS } from '../service/pruefen.ts';

let bench: DetectorBench;
beforeAll(async () => {
  bench = await createDetectorBench();
});
afterAll(() => bench?.stop());

const check = (headers = {}) =>
  bench.service.app.inject({ method: 'POST', url: '/v1/cockpit/detektoren/pruefen', headers });

test('without a worker the answer does not wait for it', async () => {
  const { cookie } = await bench.newSender();
  expect((await check({ cookie })).json()).toEqual({
    fertig: false,
    mandanten: null,
    regeln: null,
    befunde: null,
    fehlgeschlagen: null,
  });
  await bench.service.sql('DELETE FROM auftraege');
});

test('all Mandanten are looked at, and the answer has counters alone', async () => {
  const { mandantId, cookie, send } = await bench.newSender();
  const other = await bench.newSender();
  const lauf_id = '22222222-0000-4000-8000-000000000002';
  const zeitpunkt = Temporal.Now.instant().subtract({ minutes: 5 }).toString();
  await other.send([
    { zeitpunkt, agent: 'geheim', lauf_id },
    { zeitpunkt, agent: 'geheim', lauf_id },
  ]);
  await send([{ zeitpunkt, agent: 'a' }]);
  for (const id of [mandantId, other.mandantId])
    await addRule(bench.service, id, ruleOf('lauf_deckel', { schwelle: '1' }));
  const { db, log, clock } = bench.service.context;
  const jobs = detektorenJobs({ owner: bench.owner, db, log, clock }, createPriceList());
  const runner = createRunner({ jobs, db: bench.owner, log, observe: () => undefined });
  // However long the run takes here, the answer waits for it.
  const still = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  let isOpen = true;
  const asked = Promise.all([check({ cookie }), check({ cookie: other.cookie })]).finally(() => {
    isOpen = false;
  });
  // Runs come: the answer waits.
  await bench.service.sql(
    `INSERT INTO pruefungen (name, begonnen_am, beendet_am)
     VALUES ('detektoren.pruefen', clock_timestamp() - interval '1 minute', clock_timestamp()) ON CONFLICT DO NOTHING`,
  );
  while (isOpen) {
    await runner.runDue();
    await delay(20);
  }
  await runner.stop();
  still.mockRestore();
  for (const answer of await asked)
    expect(answer.json()).toEqual({ fertig: true, mandanten: 2, regeln: 2, befunde: 1, fehlgeschlagen: 0 });
  const found = await bench.service.sql('SELECT mandant_id, typ FROM befunde');
  expect(found).toEqual([{ mandant_id: other.mandantId, typ: 'lauf_deckel' }]);
});

test('editors may ask for it, nobody else, and not without end', async () => {
  const account = await bench.newSender();
  await bench.service.sql('DELETE FROM pruefungen');
  const statuses = await statusByRole(bench.service, account, ({ cookie }) => check({ cookie }));
  expect(statuses).toEqual(admitting(EDITORS));
  expect((await check()).statusCode).toBe(401);
  await useUpHour(bench.service.context.throttle, CHECKS, account.mandantId);
  expect((await check({ cookie: account.cookie })).statusCode).toBe(429);
});
