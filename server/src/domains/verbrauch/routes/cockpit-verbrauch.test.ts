import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-21T13:30:00Z');
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  const hour = { stunde: '2026-11-21T11:00:00Z', tag: '2026-11-21', agent: 'a' };
  await addConsumption(service, ours.mandantId, [{ ...hour, kosten_eur: '0.25' }]);
  await addConsumption(service, foreign.mandantId, [{ ...hour, kosten_eur: '9' }]);
});
afterAll(() => service.stop());

const get = (query: string, headers: Record<string, string>) =>
  service.app.inject({ method: 'GET', url: `/v1/cockpit/verbrauch${query}`, headers });

test('answers a session of any role as /v1/api/verbrauch answers a key', async () => {
  const viewer = await addUser(service, ours, 'betrachter');
  const bearer = { authorization: `Bearer ${(await createKey(service, ours)).secret}` };
  for (const query of ['', '?gruppe=stunde&von=2026-11-21', '?gruppe=tag&bis=2026-11-21T12:00:00Z']) {
    const answer = await get(query, { cookie: viewer.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().summe).toMatchObject({ kosten_eur: '0.25', aufrufe: 1 });
    const byKey = await service.app.inject({
      method: 'GET',
      url: `/v1/api/verbrauch${query}`,
      headers: bearer,
    });
    expect(answer.json()).toEqual(byKey.json());
  }
  const theirs = await get('', { cookie: foreign.cookie });
  expect(theirs.json().summe.kosten_eur).toBe('9');
});

test('401 without a session, also with a key', async () => {
  expect((await get('', {})).statusCode).toBe(401);
  const { secret } = await createKey(service, ours);
  expect((await get('', { authorization: `Bearer ${secret}` })).statusCode).toBe(401);
});

test('422 for a window that ends before it begins', async () => {
  const answer = await get('?von=2026-11-21&bis=2026-11-20', { cookie: ours.cookie });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0]).toMatchObject({ loc: ['query', 'von'], type: 'value_error' });
});
