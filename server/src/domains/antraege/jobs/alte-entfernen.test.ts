import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { alteEntfernenJob } from './alte-entfernen.ts';

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

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const LONG_AGO = daysAgo(500);

async function request(mandant: string, name: string, status: string, entschieden: string | null) {
  await service.sql(
    `INSERT INTO antraege (mandant_id, antrag_id, schluessel_id, art, objekt_art, objekt, bezeichnung, begruendung, status, angelegt_am,
       entschieden_am)
     VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'budget', 'agent', $2, $2, 'One document is left.', $3, $4, $5)`,
    [mandant, name, status, LONG_AGO, entschieden],
  );
}

test('what was decided more than a year ago goes, what waits for a person stays', async () => {
  const { mandantId } = await registerAccount(service);
  const { mandantId: other } = await registerAccount(service);
  await request(mandantId, 'gewaehrt', 'gewaehrt', daysAgo(403));
  await request(mandantId, 'abgelehnt', 'abgelehnt', daysAgo(403));
  await request(mandantId, 'neulich', 'abgelehnt', daysAgo(399));
  await request(mandantId, 'wartet', 'offen', null);
  await request(other, 'fremd', 'gewaehrt', daysAgo(403));
  const job = alteEntfernenJob({ owner, log: service.context.log });
  expect(await job.run()).toEqual({ entfernt: 3 });
  const left = await service.sql<{ objekt: string }>('SELECT objekt FROM antraege ORDER BY objekt');
  expect(left.map(({ objekt }) => objekt)).toEqual(['neulich', 'wartet']);
  expect(await job.run()).toEqual({ entfernt: 0 });
});
