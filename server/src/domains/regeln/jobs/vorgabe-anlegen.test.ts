/** A new Mandant has its rules at once, by the job that registration puts in. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunner } from '#jobs/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { cookieOf } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { DEFAULT_RULES } from '../defaults.ts';
import { vorgabeAnlegenJob } from './vorgabe-anlegen.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 2, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
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
