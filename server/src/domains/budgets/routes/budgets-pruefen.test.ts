import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRunner, type Runner } from '#jobs/runner.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { addAgent } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { useUpHour } from '#test/use-up.ts';
import { budgetsJobs } from '../index.ts';
import { CHECKS } from '../limits.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let runner: Runner;
let ours: Account;

beforeAll(async () => {
  service = await startService();
  const { log, clock } = service.context;
  owner = ownerOf(service);
  runner = createRunner({
    jobs: budgetsJobs({ owner, clock, log }),
    db: owner,
    log,
    observe: () => undefined,
  });
  ours = await registerAccount(service);
});
afterAll(async () => {
  await runner.stop();
  await owner.close();
  await service.stop();
});

const post = (cookie: string | null = ours.cookie) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/budgets/pruefen',
    headers: cookie ? { cookie } : {},
  });
const NOT_YET = { fertig: false, mandanten: null, budgets: null, befunde: null };

test('without a worker the answer does not wait for it; the check comes later', async () => {
  expect((await post()).json()).toEqual(NOT_YET);
  expect(await runner.runDue()).toBe(1);
  expect(await service.sql('SELECT FROM pruefungen WHERE beendet_am IS NOT NULL')).toHaveLength(1);
});

test('all budgets of all Mandanten are looked at; who asks at the same time hears the same', async () => {
  const other = await registerAccount(service);
  for (const { mandantId } of [ours, other]) await addAgent(service, mandantId, 'a');
  await service.sql('UPDATE agenten SET budget_eur = 5');
  await service.sql(`UPDATE pruefungen SET begonnen_am = begonnen_am - interval '1 minute'`);
  // However long the run takes here, the answer waits for it.
  const still = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  let isOpen = true;
  const asked = Promise.all([post(), post(other.cookie)]).finally(() => {
    isOpen = false;
  });
  while (isOpen) {
    await runner.runDue();
    await delay(20);
  }
  still.mockRestore();
  for (const answer of await asked)
    expect(answer.json()).toEqual({ fertig: true, mandanten: 2, budgets: 2, befunde: 0 });
});

test('401 without a session, 403 for those who do not edit, 429 for too many', async () => {
  expect((await post(null)).statusCode).toBe(401);
  await service.sql('DELETE FROM pruefungen');
  expect(await statusByRole(service, ours, ({ cookie }) => post(cookie))).toEqual(admitting(EDITORS));
  await useUpHour(service.context.throttle, CHECKS, ours.mandantId);
  const answer = await post();
  expect([answer.statusCode, answer.json().code]).toEqual([429, 'zu_viele_versuche']);
});
