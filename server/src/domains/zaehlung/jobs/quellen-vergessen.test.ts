import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { OTHERS } from '../herkunft.ts';
import { quellenVergessenJob } from './quellen-vergessen.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 2, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const DAY = 86_400_000;

test('sums of long ago go, and a source without any makes room for another', async () => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const call = (bibliothek: string, days: number) => ({
    zeitpunkt: new Date(Date.now() - days * DAY).toISOString(),
    zusatz: { bibliothek },
  });
  const send = async (ereignisse: object[]) => {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers,
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    await countAll(service);
  };
  const kept = () =>
    service.sql(
      'SELECT bibliothek, aufrufe::int FROM verbrauch_quellen WHERE mandant_id = $1 ORDER BY 1, 2',
      [account.mandantId],
    );
  await send([
    ...Array.from({ length: 63 }, (_, index) => call(`alt-${index}`, 50)),
    call('bleibt', 50),
    call('bleibt', 1),
    call('bleibt', 1),
    call('zu viel', 1),
  ]);
  expect(await quellenVergessenJob({ owner, log: service.context.log }).run()).toEqual({ entfernt: 64 });
  expect(await kept()).toEqual([
    { bibliothek: '', aufrufe: 1 },
    { bibliothek: 'bleibt', aufrufe: 2 },
  ]);
  // That some share a row is known, too.
  const remembered = 'SELECT quellen FROM zaehlstaende WHERE mandant_id = $1';
  expect(await service.sql(remembered, [account.mandantId])).toEqual([
    { quellen: expect.arrayContaining([OTHERS.name]) },
  ]);
  await send([call('neu', 1), call('bleibt', 1)]);
  expect(await kept()).toEqual([
    { bibliothek: '', aufrufe: 1 },
    { bibliothek: 'bleibt', aufrufe: 3 },
    { bibliothek: 'neu', aufrufe: 1 },
  ]);
  expect(await quellenVergessenJob({ owner, log: service.context.log }).run()).toEqual({ entfernt: 0 });
});
