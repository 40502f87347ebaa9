import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { abgelaufeneEntfernenJob } from './abgelaufene-entfernen.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('removes quotas that are full again, and no others', async () => {
  await service.sql(`INSERT INTO kontingentstaende VALUES
    (gen_random_uuid(), 'senden', now() - interval '1 second'), (gen_random_uuid(), 'ereignisse', now() + interval '1 hour')`);
  const { run } = abgelaufeneEntfernenJob({ owner: service.operators });
  expect(await run()).toEqual({ entfernt: 1 });
  expect(await service.sql('SELECT art FROM kontingentstaende')).toEqual([{ art: 'ereignisse' }]);
});
