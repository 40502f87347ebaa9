/** When an agent last called is counted with its events, whether or not they belong to a run. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordLastCalls } from '#domains/katalog/index.ts';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { applyLatePrices } from './late-prices.ts';
import { createMarkConsumer } from './marks.ts';
import { createCountingWorker } from './worker.ts';

const NOW = '2026-11-21T13:30:00.000Z';

let service: TestService;
let db: OwnerDatabase;
let account: Account;
let secret: string;

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  const options = { connection: service.connection, max: 4, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
  secret = (await createKey(service, account)).secret;
});

/** Sends the events and counts them. */
async function count(ereignisse: object[], prices: PriceList = createPriceList()): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode).toBe(202);
  const { log } = service.context;
  await createCountingWorker({ db, log, prices, substituteRate: '0.86' }).drain();
  await createMarkConsumer({ db, log, handlers: [recordLastCalls] }).drain();
}

interface Agent {
  agent_id: string;
  schluessel: string;
  letzter_aufruf_am: string | null;
}
const get = async (path: string, { cookie } = account) =>
  (
    await service.app.inject({ method: 'GET', url: `/v1/cockpit/agenten${path}`, headers: { cookie } })
  ).json();

/** The last call of each agent, as the list and as the page of the agent tell it. */
async function lastCalls(of = account): Promise<Record<string, string | null>> {
  const { agenten }: { agenten: Agent[] } = await get('', of);
  for (const listed of agenten) {
    const { agent } = await get(`/${listed.agent_id}`, of);
    expect(agent.letzter_aufruf_am).toBe(listed.letzter_aufruf_am);
  }
  return Object.fromEntries(agenten.map((agent) => [agent.schluessel, agent.letzter_aufruf_am]));
}

test('shows for events with and without a run, also long before the period, of this Mandant alone', async () => {
  const other = await registerAccount(service);
  await count([
    { agent: 'ohne', zeitpunkt: '2026-11-20T08:00:00.000001Z' },
    { agent: 'ohne', zeitpunkt: '2026-11-20T08:00:00.000002Z' },
    { agent: 'ohne', zeitpunkt: '2026-11-20T08:00:00Z', lauf_id: randomUUID() },
    { agent: 'mit', zeitpunkt: '2026-11-19T10:00:00+02:00', lauf_id: randomUUID() },
    { agent: 'früher', zeitpunkt: '2025-01-01T00:00:00Z' },
  ]);
  expect(await lastCalls()).toEqual({
    ohne: '2026-11-20T08:00:00.000002Z',
    mit: '2026-11-19T08:00:00Z',
    früher: '2025-01-01T00:00:00Z',
  });
  expect(await lastCalls(other)).toEqual({});
});

test('moves on with later calls; older ones that arrive late, and repeats, leave it', async () => {
  const ereignis_id = randomUUID();
  await count([{ agent: 'a', zeitpunkt: '2026-11-20T08:00:00Z' }]);
  await count([{ agent: 'a', zeitpunkt: '2026-11-20T09:00:00Z', ereignis_id }]);
  expect(await lastCalls()).toEqual({ a: '2026-11-20T09:00:00Z' });
  await count([{ agent: 'a', zeitpunkt: '2026-11-20T08:30:00Z' }]);
  await count([{ agent: 'a', zeitpunkt: '2026-11-20T10:00:00Z', ereignis_id }]);
  expect(await lastCalls()).toEqual({ a: '2026-11-20T09:00:00Z' });
});

test('is all that another call changes of an agent', async () => {
  const agents = () =>
    service.sql(
      'SELECT agent_id, name, projekt, projekt_fest, erstellt_am FROM agenten WHERE mandant_id = $1',
      [account.mandantId],
    );
  await count([{ agent: 'a', zeitpunkt: '2026-11-20T08:00:00Z' }]);
  await service.sql(`UPDATE agenten SET name = 'Bote', letzter_aufruf_am = NULL WHERE mandant_id = $1`, [
    account.mandantId,
  ]);
  const before = await agents();
  expect(before).toHaveLength(1);
  await count([{ agent: 'a', zeitpunkt: '2026-11-20T09:00:00Z', zusatz: { projekt: 'anderes' } }]);
  expect(await agents()).toEqual(before);
  expect(await lastCalls()).toEqual({ a: '2026-11-20T09:00:00Z' });
});

test('stays when calls get their price late', async () => {
  const call = {
    agent: 'a',
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 1_000,
    ausgabe_token: 0,
  };
  await count([{ ...call, zeitpunkt: '2026-11-20T08:00:00Z' }], {
    edition: 'none',
    model: () => () => null,
  });
  await service.sql('UPDATE agenten SET letzter_aufruf_am = NULL WHERE mandant_id = $1', [account.mandantId]);
  expect(await applyLatePrices({ owner: db, log: service.context.log }, createPriceList())).toBe(1);
  expect(await lastCalls()).toEqual({ a: null });
});
