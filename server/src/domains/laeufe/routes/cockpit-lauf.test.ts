import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { addRun } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let laufId: string;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  const span = { beginn: '2026-11-20T10:00:00Z', ende: '2026-11-20T10:00:01.5Z' };
  laufId = await addRun(service, ours.mandantId, { agent: 'a', ...span, kosten_eur: '0.10' });
});
afterAll(() => service.stop());

const get = (id: string, headers: Record<string, string>) =>
  service.app.inject({ method: 'GET', url: `/v1/cockpit/laeufe/${id}`, headers });

test('answers the run to every role', async () => {
  const viewer = await addUser(service, ours, 'betrachter');
  const answer = await get(laufId, { cookie: viewer.cookie });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    lauf: { lauf_id: laufId, dauer_ms: 1_500, kosten_eur: '0.1' },
    ereignisse: [],
    gekuerzt: false,
  });
});

test('401 without a session, also with a key', async () => {
  expect((await get(laufId, {})).statusCode).toBe(401);
  const { secret } = await createKey(service, ours);
  expect((await get(laufId, { authorization: `Bearer ${secret}` })).statusCode).toBe(401);
});

test('404 alike for a foreign and for an unknown run', async () => {
  const answers = [
    await get(laufId, { cookie: foreign.cookie }),
    await get(randomUUID(), { cookie: foreign.cookie }),
  ];
  expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404]);
  expect(answers[0]?.json()).toEqual(answers[1]?.json());
});

test('422 for an id that is no UUID', async () => {
  const answer = await get('1', { cookie: ours.cookie });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0]).toMatchObject({ loc: ['path', 'lauf_id'], type: 'uuid_parsing' });
});
