import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { alteZustaendeEntfernenJob } from './alte-zustaende-entfernen.ts';

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

test('what ended before the days that are shown goes, what reaches into them stays', async () => {
  await service.sql(
    `INSERT INTO zustand_spannen
     SELECT gen_random_uuid(), name, 'ok', now() - interval '200 days', now() - alter
     FROM (VALUES ('alt', interval '91 days'), ('reicht herein', interval '90 days')) AS n (name, alter)`,
  );
  const job = alteZustaendeEntfernenJob({ owner });
  expect(await job.run()).toEqual({ entfernt: 1 });
  expect(await service.sql('SELECT komponente FROM zustand_spannen')).toEqual([
    { komponente: 'reicht herein' },
  ]);
  expect(await job.run()).toEqual({ entfernt: 0 });
});
