/** A new Mandant has its rules at once, by the job that registration puts in. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunner } from '#jobs/runner.ts';
import { cookieOf } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { DEFAULT_RULES } from '../defaults.ts';
import { vorgabeAnlegenJob } from './vorgabe-anlegen.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

test('registration leads to the rules', async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/registrieren',
    payload: {
      firma: 'Muster GmbH',
      email: `${randomUUID()}@example.org`,
      passwort: `${randomUUID()} Kranich`,
    },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  const { log } = service.context;
  const runner = createRunner({
    jobs: [vorgabeAnlegenJob(service.context)],
    db: owner,
    log,
    observe: () => undefined,
  });
  await runner.runDue();
  await runner.stop();
  const list = await service.app.inject({
    url: '/v1/cockpit/regeln',
    headers: { cookie: cookieOf(answer) },
  });
  expect(list.json().regeln.map(({ typ }: { typ: string }) => typ)).toEqual(
    DEFAULT_RULES.map(({ typ }) => typ),
  );
});
