import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { rueckblickeEntfernenJob } from './rueckblicke-entfernen.ts';

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

test('what is over goes, of every Mandant, the rest stays', async () => {
  const ids = [await registerAccount(service), await registerAccount(service)].map(
    ({ mandantId }) => mandantId,
  );
  for (const mandant of ids)
    for (const ends of ['-1 second', '10 minutes'])
      await service.sql(
        `INSERT INTO rueckblicke (mandant_id, rueckblick_id, regel, zeitzone, von, bis, status, angelegt_am, laeuft_ab_am)
         VALUES ($1, $2, '{}', 'Europe/Berlin', current_date, current_date, 'wartet', now(), now() + $3::interval)`,
        [mandant, randomUUID(), ends],
      );
  const { db, log, clock } = service.context;
  expect(await rueckblickeEntfernenJob({ owner, db, log, clock }).run()).toEqual({ entfernt: 2 });
  const left = await service.sql('SELECT mandant_id FROM rueckblicke WHERE laeuft_ab_am > now()');
  expect(left.map(({ mandant_id }) => mandant_id).sort()).toEqual(ids.sort());
});
