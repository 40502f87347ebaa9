import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { addAgent, addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let agents: Record<'a' | 'b' | 'c' | 'd', string>;

beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-21T13:30:00Z');
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  const { mandantId } = ours;
  agents = {
    a: await addAgent(service, mandantId, 'a', '2026-10-20T10:10:00Z'),
    b: await addAgent(service, mandantId, 'b'),
    c: await addAgent(service, mandantId, 'c'),
    d: await addAgent(service, mandantId, 'd'),
  };
  await addAgent(service, foreign.mandantId, 'a');
  const today = { stunde: '2026-11-21T11:00:00Z', tag: '2026-11-21' };
  await addConsumption(service, mandantId, [
    { ...today, agent: 'b', unbepreist: 1 },
    { ...today, agent: 'c', kosten_eur: '2', geschaetzt: 1, geschaetzt_eur: '0.5' },
    { ...today, agent: 'd', kosten_eur: '0.30' },
    { stunde: '2026-10-20T10:00:00Z', tag: '2026-10-20', agent: 'a', kosten_eur: '100' },
  ]);
  await addConsumption(service, foreign.mandantId, [{ ...today, agent: 'a', kosten_eur: '777' }]);
});
afterAll(() => service.stop());

const get = (query: string, cookie?: string) =>
  service.app.inject({
    method: 'GET',
    url: `/v1/cockpit/agenten${query}`,
    headers: cookie ? { cookie } : {},
  });

test('answers every agent of the catalog, most expensive first, those without calls last and at zero', async () => {
  const viewer = await addUser(service, ours, 'betrachter');
  const answer = await get('', viewer.cookie);
  expect(answer.statusCode).toBe(200);
  const { agenten, ...rest } = answer.json();
  expect(rest).toEqual({
    zeitraum: '30tage',
    von: '2026-10-23T00:00:00+02:00',
    bis: '2026-11-22T00:00:00+01:00',
    zeitzone: 'Europe/Berlin',
    aufloesung: 'tag',
    kursquellen: [{ quelle: 'ezb', kosten_eur: '2.3', anteil: '1', ersatzkurse: [] }],
    weiter: null,
    gezaehlt_bis: '2026-11-21T13:30:00.000Z',
  });
  expect(agenten).toMatchObject([
    {
      agent_id: agents.c,
      verbrauch: { kosten_eur: '2', gemessen_eur: '1.5', geschaetzt_eur: '0.5', aufrufe: 1 },
    },
    { agent_id: agents.d, verbrauch: { kosten_eur: '0.3', gemessen_eur: '0.3', geschaetzt_eur: '0' } },
    {
      agent_id: agents.b,
      verbrauch: { kosten_eur: null, gemessen_eur: null, geschaetzt_eur: null, unbepreist: 1 },
    },
    {
      agent_id: agents.a,
      schluessel: 'a',
      name: 'a',
      projekt: 'standard',
      verbrauch: { kosten_eur: '0', kosten_usd: '0', gemessen_eur: '0', geschaetzt_eur: '0', aufrufe: 0 },
    },
  ]);
  expect(agenten).toHaveLength(4);
  const lastCalls = agenten.map((agent: { letzter_aufruf_am: string | null }) => agent.letzter_aufruf_am);
  expect(lastCalls).toEqual([null, null, null, '2026-10-20T10:10:00Z']);
});

test('answers the period asked for', async () => {
  const { agenten } = (await get('?zeitraum=2026-10-20..2026-10-20', ours.cookie)).json();
  expect(agenten[0]).toMatchObject({ agent_id: agents.a, verbrauch: { kosten_eur: '100', aufrufe: 1 } });
});

test('shows another Mandant its own agent of the same key', async () => {
  const { agenten } = (await get('', foreign.cookie)).json();
  expect(agenten).toHaveLength(1);
  expect(agenten[0]).toMatchObject({
    schluessel: 'a',
    verbrauch: { kosten_eur: '777' },
    letzter_aufruf_am: null,
  });
  expect(agenten[0].agent_id).not.toBe(agents.a);
});

test('401 without a session, also with a key', async () => {
  expect((await get('')).statusCode).toBe(401);
  const headers = { authorization: `Bearer ${(await createKey(service, ours)).secret}` };
  expect((await service.app.inject({ method: 'GET', url: '/v1/cockpit/agenten', headers })).statusCode).toBe(
    401,
  );
});

test('422 for an unknown period', async () => {
  const answer = await get('?zeitraum=immer', ours.cookie);
  expect(answer.statusCode).toBe(422);
  const error = expect.stringMatching(/^möglich sind heute, .* höchstens 366 Tage$/);
  const msg = expect.stringMatching(/^Value error, möglich sind heute, .* höchstens 366 Tage$/);
  const loc = ['query', 'zeitraum'];
  expect(answer.json()).toEqual({
    detail: [{ type: 'value_error', loc, msg, input: 'immer', ctx: { error } }],
  });
});
