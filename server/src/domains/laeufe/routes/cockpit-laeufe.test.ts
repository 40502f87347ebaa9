import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { addAgent, addRun } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let agentA: string;
let foreignAgentA: string;
let runs: { good: string; failed: string; stopped: string; ofB: string };

const hour = (number: number) => `2026-11-20T${String(number).padStart(2, '0')}:00:00Z`;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  const { mandantId } = ours;
  agentA = await addAgent(service, mandantId, 'a');
  await addAgent(service, mandantId, 'b');
  foreignAgentA = await addAgent(service, foreign.mandantId, 'a');
  const run = (ende: number, more: { agent?: string; status?: string; fehler?: number }) =>
    addRun(service, mandantId, { agent: 'a', beginn: hour(ende - 1), ende: hour(ende), ...more });
  runs = {
    good: await run(4, {}),
    failed: await run(3, { status: 'fehler', fehler: 2 }),
    stopped: await run(2, { status: 'abgebrochen' }),
    ofB: await run(1, { agent: 'b', fehler: 1 }),
  };
  await addRun(service, foreign.mandantId, { agent: 'a', beginn: hour(1), ende: hour(9), fehler: 1 });
});
afterAll(() => service.stop());

const get = (query: string, cookie?: string) =>
  service.app.inject({ method: 'GET', url: `/v1/cockpit/laeufe${query}`, headers: cookie ? { cookie } : {} });
const idsOf = async (query: string) => {
  const answer = await get(query, ours.cookie);
  expect(answer.statusCode).toBe(200);
  return answer.json().laeufe.map((run: { lauf_id: string }) => run.lauf_id);
};

test('all runs of the Mandant, the last first', async () => {
  expect(await idsOf('')).toEqual([runs.good, runs.failed, runs.stopped, runs.ofB]);
  expect(await idsOf('?limit=2')).toEqual([runs.good, runs.failed]);
});

test('filters by agent, status and failure, alone and together', async () => {
  expect(await idsOf(`?agent_id=${agentA}`)).toEqual([runs.good, runs.failed, runs.stopped]);
  expect(await idsOf('?status=abgebrochen')).toEqual([runs.stopped]);
  expect(await idsOf('?nur_fehler=true')).toEqual([runs.failed, runs.ofB]);
  expect(await idsOf(`?agent_id=${agentA}&nur_fehler=1`)).toEqual([runs.failed]);
  expect(await idsOf(`?agent_id=${agentA}&status=erfolgreich&nur_fehler=true`)).toEqual([]);
});

test('an unknown or foreign agent has no runs', async () => {
  expect(await idsOf(`?agent_id=${randomUUID()}`)).toEqual([]);
  expect(await idsOf(`?agent_id=${foreignAgentA}`)).toEqual([]);
});

test('401 without a session, also with a key; every role may read', async () => {
  expect((await get('')).statusCode).toBe(401);
  const { secret } = await createKey(service, ours);
  const headers = { authorization: `Bearer ${secret}` };
  expect((await service.app.inject({ method: 'GET', url: '/v1/cockpit/laeufe', headers })).statusCode).toBe(
    401,
  );
  const viewer = await addUser(service, ours, 'betrachter');
  expect((await get('', viewer.cookie)).statusCode).toBe(200);
});

test.each([
  ['agent_id=a', 'agent_id', 'uuid_parsing'],
  ['nur_fehler=vielleicht', 'nur_fehler', 'bool_parsing'],
  ['limit=-1', 'limit', 'greater_than_equal'],
  [`status=${'x'.repeat(61)}`, 'status', 'string_too_long'],
])('422 for %s', async (query, name, type) => {
  const answer = await get(`?${query}`, ours.cookie);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0]).toMatchObject({ loc: ['query', name], type });
});
