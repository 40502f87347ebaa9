import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addAgent } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());

const get = (headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url: '/v1/agenten', headers });
const bearer = async (account: Account, bereiche?: ('Lesen' | 'Senden')[]) => ({
  authorization: `Bearer ${(await createKey(service, account, bereiche)).secret}`,
});

test('answers the agents by key, with plain decimals, and none of another Mandant', async () => {
  const second = await addAgent(service, ours.mandantId, 'suche/zweiter');
  const first = await addAgent(service, ours.mandantId, 'Erster');
  const foreignId = await addAgent(service, foreign.mandantId, 'Erster');
  await service.sql(
    `UPDATE agenten SET budget_eur = 250.00, eingriffsstufe = 'drosseln', ruhezeit = '15m', erstellt_am = '2026-11-01T10:00:00Z'
     WHERE agent_id = $1`,
    [first],
  );
  const answer = await get(await bearer(ours, ['Lesen']));
  expect(answer.statusCode).toBe(200);
  const { agenten } = answer.json();
  expect(agenten.map((agent: { agent_id: string }) => agent.agent_id)).toEqual([first, second]);
  expect(agenten[0]).toEqual({
    agent_id: first,
    schluessel: 'Erster',
    name: 'Erster',
    projekt: 'standard',
    budget_eur: '250',
    budget_bei_erreichen: 'warnen',
    eingriffsstufe: 'drosseln',
    ruhezeit: '15m',
    erstellt_am: '2026-11-01T10:00:00Z',
  });
  expect(agenten[1]).toMatchObject({ budget_eur: null, eingriffsstufe: null, ruhezeit: null });
  const theirs = (await get(await bearer(foreign))).json();
  expect(theirs.agenten.map((agent: { agent_id: string }) => agent.agent_id)).toEqual([foreignId]);
});

test('401 without a key, with a wrong one and with a session', async () => {
  expect((await get()).statusCode).toBe(401);
  expect((await get({ authorization: 'Bearer zw_live_falsch' })).statusCode).toBe(401);
  expect((await get({ cookie: ours.cookie })).statusCode).toBe(401);
});

test('403 for a key that may only send', async () => {
  const answer = await get(await bearer(ours, ['Senden']));
  expect(answer.statusCode).toBe(403);
  expect(answer.json().code).toBe('bereich_fehlt');
});
