import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { addAgent, addConsumption, addRun } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let agentA: string;
let idle: string;
let laufId: string;

beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-21T13:30:00Z');
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  const { mandantId } = ours;
  agentA = await addAgent(service, mandantId, 'a', '2026-11-21T11:07:00.000001Z');
  idle = await addAgent(service, mandantId, 'ruht');
  await addAgent(service, foreign.mandantId, 'a');
  const today = { stunde: '2026-11-21T11:00:00Z', tag: '2026-11-21' };
  await addConsumption(service, mandantId, [
    { ...today, agent: 'a', endkunde: 'k1', kosten_eur: '0.1' },
    { ...today, agent: 'a', modell: 'm', kosten_eur: '0.2' },
    { stunde: '2026-11-20T11:00:00Z', tag: '2026-11-20', agent: 'a', kosten_eur: '1' },
    { ...today, agent: 'b', endkunde: 'k2', kosten_eur: '50' },
  ]);
  await addConsumption(service, foreign.mandantId, [
    { ...today, agent: 'a', endkunde: 'fremd', kosten_eur: '777' },
  ]);
  laufId = await addRun(service, mandantId, {
    agent: 'a',
    beginn: '2026-11-21T11:00:00Z',
    ende: '2026-11-21T11:05:00Z',
  });
  await addRun(service, mandantId, {
    agent: 'b',
    beginn: '2026-11-21T12:00:00Z',
    ende: '2026-11-21T12:05:00Z',
  });
  await addRun(service, foreign.mandantId, {
    agent: 'a',
    beginn: '2026-11-21T12:00:00Z',
    ende: '2026-11-21T12:05:00Z',
  });
});
afterAll(() => service.stop());

const get = (id: string, query = '', cookie: string | null = ours.cookie) =>
  service.app.inject({
    method: 'GET',
    url: `/v1/cockpit/agenten/${id}${query}`,
    headers: cookie ? { cookie } : {},
  });
type Zeile = { schluessel: string; kosten_eur: string | null };
const costs = (zeilen: Zeile[]) => zeilen.map((zeile) => [zeile.schluessel, zeile.kosten_eur]);

test('answers the agent with its course, models, end customers and runs, and nothing of others', async () => {
  const viewer = await addUser(service, ours, 'betrachter');
  const answer = await get(agentA, '?zeitraum=7tage', viewer.cookie);
  expect(answer.statusCode).toBe(200);
  const body = answer.json();
  expect(body).toMatchObject({
    zeitraum: '7tage',
    aufloesung: 'tag',
    gezaehlt_bis: '2026-11-21T13:30:00.000Z',
  });
  expect(body.agent).toMatchObject({
    agent_id: agentA,
    schluessel: 'a',
    verbrauch: { kosten_eur: '1.3', gemessen_eur: '1.3', geschaetzt_eur: '0', aufrufe: 3 },
    letzter_aufruf_am: '2026-11-21T11:07:00.000001Z',
  });
  expect(body.verlauf).toHaveLength(7);
  expect(costs(body.verlauf).slice(4)).toEqual([
    ['2026-11-19', '0'],
    ['2026-11-20', '1'],
    ['2026-11-21', '0.3'],
  ]);
  expect(costs(body.modelle)).toEqual([
    ['gpt-5', '1.1'],
    ['m', '0.2'],
  ]);
  expect(costs(body.endkunden)).toEqual([
    ['', '1.2'],
    ['k1', '0.1'],
  ]);
  expect(body.laeufe.map((run: { lauf_id: string }) => run.lauf_id)).toEqual([laufId]);
});

test('answers a short period by hour, 30 days unless one is given', async () => {
  const { aufloesung, verlauf, agent } = (await get(agentA, '?zeitraum=heute')).json();
  expect(aufloesung).toBe('stunde');
  expect(verlauf).toHaveLength(15);
  expect(verlauf[12]).toMatchObject({ schluessel: '2026-11-21T12:00:00+01:00', kosten_eur: '0.3' });
  expect(agent.verbrauch.kosten_eur).toBe('0.3');
  expect((await get(agentA)).json()).toMatchObject({
    zeitraum: '30tage',
    agent: { verbrauch: { kosten_eur: '1.3' } },
  });
});

test('an agent without calls is at zero', async () => {
  expect((await get(idle)).json()).toMatchObject({
    agent: { verbrauch: { kosten_eur: '0', aufrufe: 0 }, letzter_aufruf_am: null },
    modelle: [],
    endkunden: [],
    laeufe: [],
  });
});

test('401 without a session, also with a key', async () => {
  expect((await get(agentA, '', null)).statusCode).toBe(401);
  const headers = { authorization: `Bearer ${(await createKey(service, ours)).secret}` };
  const answer = await service.app.inject({ method: 'GET', url: `/v1/cockpit/agenten/${agentA}`, headers });
  expect(answer.statusCode).toBe(401);
});

test('404 alike for a foreign and for an unknown agent', async () => {
  const answers = [await get(agentA, '', foreign.cookie), await get(randomUUID(), '', foreign.cookie)];
  expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404]);
  expect(answers[0]?.json()).toEqual(answers[1]?.json());
});

test.each([
  ['kein-uuid', '', ['path', 'agent_id'], 'uuid_parsing'],
  [randomUUID(), '?zeitraum=immer', ['query', 'zeitraum'], 'value_error'],
])('422 for %s%s', async (id, query, loc, type) => {
  const answer = await get(id, query);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0]).toMatchObject({ loc, type });
});
