/** What is said to have become of an order: nothing without the proof that somebody whose calls it is about was handed it. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '#main/api.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addAgent, addRun } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { createInForce, type InForce } from '../index.ts';

const NOW = '2026-11-20T10:00:00Z';
const later = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1_000).toISOString();
const AGENT = 'support/triage';

let service: TestService;
let app: FastifyInstance;
let inForce: InForce;
let ours: Account;
let secret: string;
let run: string;
let eingriffId: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

/** A run whose last call was these seconds ago, and the order to stop it. */
async function order(seconds: number): Promise<void> {
  run = await addRun(service, ours.mandantId, { agent: AGENT, beginn: later(-600), ende: later(-seconds) });
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/cockpit/eingriffe',
    headers: { cookie: ours.cookie },
    payload: { lauf_id: run },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  eingriffId = answer.json().eingriff_id;
  // What a notice of the database does.
  inForce.forget(ours.mandantId);
}

beforeEach(async () => {
  service.clock.set(NOW);
  inForce = createInForce(service.context, async () => []);
  app = await createApi(service.context, service.operators, inForce);
  ours = await registerAccount(service);
  secret = (await createKey(service, ours)).secret;
  await addAgent(service, ours.mandantId, AGENT);
  return () => app.close();
});

const send = async (agent: string, key = secret) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key}` },
    payload: {
      ereignisse: [{ zeitpunkt: NOW, agent, modell: 'gpt-4o', anbieter: 'openai', lauf_id: randomUUID() }],
    },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  return answer.json().eingriffe as { eingriff_id: string }[];
};
const poll = async (key = secret) => {
  const answer = await app.inject({
    url: '/v1/eingriffe/aktiv',
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.json().eingriffe).toMatchObject([{ eingriff_id: eingriffId }]);
};
const shown = async () => {
  const answer = await app.inject({ url: '/v1/cockpit/eingriffe?tage=30', headers: { cookie: ours.cookie } });
  const { eingriffe } = answer.json<{ eingriffe: { eingriff_id: string }[] }>();
  return eingriffe.find(({ eingriff_id }) => eingriff_id === eingriffId);
};

describe('of a run under way', () => {
  test('is unknown while nobody asks, though no call came', async () => {
    await order(5);
    service.clock.set(later(3_600));
    expect(await shown()).toMatchObject({
      befolgt: null,
      wirkung: 'unbekannt',
      abgerufen_am: null,
      missachtet: 0,
    });
  });

  test('is known once an answer to a batch of its agent has brought it: which call was the last, and when it was handed out', async () => {
    await order(5);
    service.clock.set(later(2));
    expect(await send(AGENT)).toMatchObject([{ eingriff_id: eingriffId }]);
    service.clock.set(later(60));
    await send(AGENT);
    expect(await shown()).toMatchObject({
      befolgt: true,
      wirkung: 'befolgt',
      abgerufen_am: '2026-11-20T10:00:02Z',
      letzter_aufruf_am: '2026-11-20T09:59:55Z',
    });
    const rows = await service.sql(
      'SELECT k.schluessel_id FROM eingriffe e JOIN schluessel k ON k.schluessel_id = e.abgerufen_von WHERE e.mandant_id = $1',
      [ours.mandantId],
    );
    expect(rows).toHaveLength(1);
  });

  test('is known once a key that sends calls of its agent has asked', async () => {
    await send(AGENT);
    await order(5);
    await poll();
    expect(await shown()).toMatchObject({ befolgt: true, wirkung: 'befolgt' });
  });

  test('is not known from a key that sends nothing, or calls of others', async () => {
    const [reading, other] = [await createKey(service, ours, ['Lesen']), await createKey(service, ours)];
    await send(AGENT);
    await send('anderer', other.secret);
    await order(5);
    await poll(reading.secret);
    await poll(other.secret);
    expect(await send('anderer', other.secret)).toEqual([]);
    expect(await shown()).toMatchObject({ befolgt: null, wirkung: 'unbekannt' });
  });

  test('is disobeyed where calls came all the same, by who was handed it', async () => {
    await order(5);
    await send(AGENT);
    await service.sql('UPDATE laeufe SET ende = $2 WHERE lauf_id = $1', [run, later(30)]);
    expect(await shown()).toMatchObject({
      befolgt: false,
      wirkung: 'missachtet',
      letzter_aufruf_am: '2026-11-20T10:00:30Z',
    });
  });

  test('is written down once, however often it is handed out', async () => {
    await order(5);
    service.statements.clear();
    for (let time = 0; time < 5; time += 1) {
      await send(AGENT);
      await poll();
    }
    const updates = [...service.statements.values()].filter(({ text }) => /^update "eingriffe"/.test(text));
    expect(updates).toHaveLength(1);
    const [{ xmin: before }] = (await service.sql<{ xmin: string }>(
      'SELECT xmin FROM eingriffe WHERE eingriff_id = $1',
      [eingriffId],
    )) as [{ xmin: string }];
    await send(AGENT);
    expect(await service.sql('SELECT xmin FROM eingriffe WHERE eingriff_id = $1', [eingriffId])).toEqual([
      { xmin: before },
    ]);
  });
});

test('of a run that was over when it was given is that it came too late, even to a client that was handed it', async () => {
  await order(400);
  await send(AGENT);
  expect(await shown()).toMatchObject({
    befolgt: null,
    wirkung: 'zu_spaet',
    letzter_aufruf_am: '2026-11-20T09:53:20Z',
  });
});
