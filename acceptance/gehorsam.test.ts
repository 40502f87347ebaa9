/** Agents that use the client obey: a loop is stopped while it runs, slow is slow, and what is lifted goes on. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, createClient, StoppedByIntervention, type Vorhaben } from '#client/index.ts';
import type { agenten, eingriffAnlegen, eingriffeListe, ResponseOf } from '#contracts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const AGENT = 'support/triage';
const THROTTLE_MS = 1_500;

let service: ServiceProcess;
let account: Account;
let client: Client;
beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
});
afterAll(() => service?.dispose());
beforeEach(async () => {
  account = await createAccount(service);
  client = createClient({
    baseUrl: service.address(),
    key: account.key,
    flushIntervalMs: 100,
    guard: { throttleMs: THROTTLE_MS, maxThrottleMs: 600_000 },
  });
});
afterEach(() => client.shutdown());

const change = (method: 'POST' | 'DELETE', path: string, body: object = {}) =>
  request(`${service.address()}${path}`, {
    method,
    headers: { cookie: account.cookie, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });

/** What a provider answers: it asks for a tool. */
const ANSWER = {
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        tool_calls: [{ function: { name: 'search', arguments: '{"q":"Maier"}' } }],
      },
    },
  ],
  usage: { prompt_tokens: 1_000, completion_tokens: 10 },
};

/** An agent at work on a run: asks before each call, and shows the client what it said and heard. */
async function callModel(lauf_id: string, prompt: string): Promise<void> {
  const call: Vorhaben = { agent: AGENT, lauf_id, modell: 'gpt-4o-mini' };
  await client.guard(call);
  const exchange = {
    uri: 'https://api.openai.com/v1/chat/completions',
    request: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: prompt }] },
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(ANSWER),
  };
  client.record(exchange, { agent: AGENT, lauf_id });
}

/** Calls with the same prompt over and over until the guard refuses; resolves with what it said. */
async function loopUntilStopped(lauf_id: string): Promise<StoppedByIntervention> {
  const same = 'Find out where Maier lives';
  for (let calls = 0; calls < 400; calls += 1) {
    try {
      await callModel(lauf_id, same);
    } catch (error) {
      if (error instanceof StoppedByIntervention) return error;
      throw error;
    }
    await delay(100);
  }
  throw new Error('the loop was never stopped');
}

const anyPrompt = () => `Find out where ${randomUUID()} lives`;

/** Intervenes by hand about the agent, once it is known; resolves with the intervention. */
async function intervene(stufe: string) {
  const agent = await until('the agent', async () => {
    const known = (await account.get('/v1/agenten')).json<ResponseOf<typeof agenten>>();
    return known.agenten.find(({ schluessel }) => schluessel === AGENT);
  });
  const answer = await change('POST', '/v1/cockpit/eingriffe', { agent_id: agent.agent_id, stufe });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<ResponseOf<typeof eingriffAnlegen>>();
}

const untilKnown = (eingriffId: string, known: boolean) =>
  until('the client to know', () => {
    const ids = client.guardState().eingriffe.map(({ eingriff_id }) => eingriff_id);
    return ids.includes(eingriffId) === known;
  });

test('a loop is stopped before a further call; another run of the same agent goes on', async () => {
  const rule = {
    typ: 'schleife_exakt',
    stufe: 'anhalten',
    schattenbetrieb: false,
    parameter: { ohne_verlauf: 5 },
  };
  const made = await change('POST', '/v1/cockpit/regeln', rule);
  expect(made.status, made.text).toBe(201);
  const [looping, other] = [randomUUID(), randomUUID()];
  await callModel(other, anyPrompt());
  const { eingriff } = await loopUntilStopped(looping);
  expect(eingriff).toMatchObject({
    stufe: 'anhalten',
    objekt_art: 'lauf',
    objekt: looping,
    agent: AGENT,
    grund: expect.stringMatching(/\S/),
    grund_en: expect.stringMatching(/\S/),
    bis: expect.any(String),
  });
  await callModel(other, anyPrompt());
  await callModel(randomUUID(), anyPrompt());
  await expect(callModel(looping, anyPrompt())).rejects.toThrow(StoppedByIntervention);

  // The service finds that it was obeyed.
  expect(await client.flush()).toMatchObject({ queued: 0, dropped: 0, lastError: null });
  await account.untilNothingWaits();
  const { eingriffe } = (await account.look('/v1/cockpit/eingriffe')).json<
    ResponseOf<typeof eingriffeListe>
  >();
  // Of the rules in shadow mode that a Mandant begins with there are others.
  expect(eingriffe.filter(({ schatten }) => !schatten)).toMatchObject([
    { eingriff_id: eingriff.eingriff_id, missachtet: 0, befolgt: true },
  ]);

  // Lifted by hand, the run goes on.
  const lifted = await change('DELETE', `/v1/cockpit/eingriffe/${eingriff.eingriff_id}`);
  expect(lifted.status, lifted.text).toBe(200);
  await untilKnown(eingriff.eingriff_id, false);
  await callModel(looping, anyPrompt());
});

test('an agent that is slowed down waits before each call, and goes on at once when it is lifted', async () => {
  const run = randomUUID();
  await callModel(run, anyPrompt());
  const { eingriff_id } = await intervene('drosseln');
  await untilKnown(eingriff_id, true);
  const begin = performance.now();
  await callModel(run, anyPrompt());
  await callModel(run, anyPrompt());
  expect(performance.now() - begin).toBeGreaterThan(2 * THROTTLE_MS - 50);

  // At this pace they would wait for longer than the test may take.
  const waiting = Promise.all(Array.from({ length: 200 }, () => callModel(run, anyPrompt())));
  const lifted = await change('DELETE', `/v1/cockpit/eingriffe/${eingriff_id}`);
  expect(lifted.status, lifted.text).toBe(200);
  await waiting;
  await callModel(run, anyPrompt());
  expect(client.guardState().eingriffe).toEqual([]);
});

test('a stopped agent begins new runs only, a blocked one none; away, the service changes nothing', async () => {
  const run = randomUUID();
  await callModel(run, anyPrompt());
  const stopped = await intervene('anhalten');
  await untilKnown(stopped.eingriff_id, true);
  await expect(callModel(run, anyPrompt())).rejects.toMatchObject({ eingriff: { stufe: 'anhalten' } });
  const later = randomUUID();
  await callModel(later, anyPrompt());
  const blocked = await intervene('sperren');
  await untilKnown(blocked.eingriff_id, true);
  await expect(callModel(later, anyPrompt())).rejects.toMatchObject({ eingriff: { stufe: 'sperren' } });
  await expect(callModel(randomUUID(), anyPrompt())).rejects.toThrow(StoppedByIntervention);
  await client.guard({ agent: 'another' });

  await client.flush();
  expect(await service.stop('SIGTERM')).toBe(0);
  await until('the client to notice', () => client.guardState().lastError !== null);
  await expect(callModel(randomUUID(), anyPrompt())).rejects.toThrow(StoppedByIntervention);
  await client.guard({ agent: 'another' });
});
