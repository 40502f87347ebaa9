/**
 * Hard limits are kept by wrapped clients: however many calls begin at once, in however many processes and through however many
 * services, what they cost never exceeds the limit.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ConnectedClient, createClient, LimitReached } from '#client/index.ts';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { type OwnServer, startOwnServer } from '#test/own-server.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const OUTPUT = 10_000;
const BODY = JSON.stringify({
  model: 'gpt-4o-mini',
  max_completion_tokens: OUTPUT,
  messages: [{ role: 'user', content: 'What is the answer?' }],
});
/** As much as the request allows, in EUR: 0.15 and 0.6 USD a million tokens, at 0.86. */
const COST = eurFrom('0.86') * BigInt(BODY.length * 15 + OUTPUT * 60);
const PARTS = 100_000_000n;
/** The cost of this number of calls and half of one more, with the 2 % kept for another exchange rate. */
const limitOf = (calls: number) => eurText(((COST * BigInt(calls * 2 + 1) * 102n) / (PARTS * 200n)) as Eur);

let server: OwnServer;
let database: pg.Client;
let apis: ServiceProcess[];
let account: Account;
let clients: ConnectedClient[] = [];
beforeAll(async () => {
  server = await startOwnServer();
  const url = await server.database('CREATEROLE BYPASSRLS');
  database = new pg.Client(url);
  await database.connect();
  const env = { DATABASE_URL: url, ZW_SCHLUESSEL: randomBytes(32).toString('base64') };
  // One counts as well; the first of them migrates.
  apis = [createServiceProcess(env), createServiceProcess({ ...env, ROLLE: 'api' })];
  for (const each of apis) await each.start();
}, 240_000);
afterAll(async () => {
  await Promise.all((apis ?? []).map((each) => each.dispose()));
  await database?.end();
  await server?.stop();
});
beforeEach(async () => {
  account = await createAccount(apis[0] as ServiceProcess);
});
afterEach(async () => {
  await Promise.all(clients.map((each) => each.shutdown()));
  clients = [];
});

async function change(method: 'POST' | 'PUT', path: string, body: object): Promise<string> {
  const answer = await request(`${(apis[0] as ServiceProcess).address()}${path}`, {
    method,
    headers: { cookie: account.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<{ regel_id: string }>().regel_id;
}

/** Each is as another process: they share nothing but the database. */
const clientOf = (api: ServiceProcess | undefined): ConnectedClient => {
  const client = createClient({
    baseUrl: api?.address() ?? '',
    key: account.key,
    agent: 'support/triage',
    bufferDirectory: false,
    flushIntervalMs: 50,
    guard: { firstAnswerMs: 60_000, limitWaitMs: 1_000 },
  });
  clients.push(client);
  return client;
};

/** A provider that writes as much as it may, and takes its time. */
let made = 0;
const provider: typeof fetch = async () => {
  made += 1;
  await delay(50);
  return Response.json({
    id: `chatcmpl-${randomUUID()}`,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content: '42' } }],
    usage: { prompt_tokens: BODY.length, completion_tokens: OUTPUT },
  });
};

/** Makes this number of calls at once; resolves with the reasons of the refused ones. */
async function callAtOnce(client: ConnectedClient, count: number, lauf_id?: string): Promise<unknown[]> {
  const fetch = client.instrument({ fetch: provider });
  const one = async () => {
    const answer = await fetch(CHAT, { method: 'POST', body: BODY });
    await answer.json();
  };
  const run = () => Promise.allSettled(Array.from({ length: count }, one));
  const ended = await (lauf_id === undefined ? run() : client.run({ lauf_id }, run));
  return ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
}

/** What was counted in all, once everything is. */
async function spent(): Promise<bigint> {
  await Promise.all(clients.map((each) => each.flush()));
  await account.untilNothingWaits();
  const { rows } = await database.query<{ summe: string }>(
    'SELECT coalesce(sum(kosten_eur), 0)::text AS summe FROM ereignisse WHERE mandant_id = $1',
    [account.mandantId],
  );
  return eurFrom(rows[0]?.summe ?? '0');
}

test('a hundred calls in each of two processes overshoot a limit of twenty by nothing; raised, they go on', async () => {
  const schwelle = limitOf(20);
  const rule = { typ: 'kosten_grenze', zeitfenster: 'tag', stufe: 'anhalten', schattenbetrieb: false };
  const id = await change('POST', '/v1/cockpit/regeln', { ...rule, schwelle, name: 'Tageslimit' });
  made = 0;
  const both = [clientOf(apis[0]), clientOf(apis[1])];
  const refused = (await Promise.all(both.map((client) => callAtOnce(client, 100)))).flat();
  expect(refused.every((error) => error instanceof LimitReached)).toBe(true);
  expect((refused[0] as LimitReached).grenze).toMatchObject({
    name: 'Tageslimit',
    regel_id: id,
    grenze_eur: schwelle,
  });
  expect(made).toBe(200 - refused.length);
  // What one process keeps ahead the other may lack.
  expect(made).toBeGreaterThan(15);
  expect(await spent()).toBeLessThanOrEqual(eurFrom(schwelle));

  // One after the other until nothing fits any more: then it is all but used up.
  const [first] = both as [ConnectedClient];
  await until('the limit to be used up', async () => {
    await spent();
    return (await callAtOnce(first, 1)).length === 1;
  });
  const all = await spent();
  expect(all).toBeLessThanOrEqual(eurFrom(schwelle));
  expect(made).toBe(20);

  await change('PUT', `/v1/cockpit/regeln/${id}`, { schwelle: limitOf(25) });
  await until('calls to go on', async () => (await callAtOnce(first, 1)).length === 0);
  await callAtOnce(first, 100);
  expect(await spent()).toBeLessThanOrEqual(eurFrom(limitOf(25)));
  expect(made).toBeGreaterThan(21);
}, 240_000);

test('a run that several processes work on keeps its limit', async () => {
  const rule = { typ: 'lauf_deckel', einheit: 'eur', stufe: 'anhalten', schattenbetrieb: false };
  await change('POST', '/v1/cockpit/regeln', { ...rule, schwelle: limitOf(10) });
  made = 0;
  const lauf = randomUUID();
  const [one, other] = [clientOf(apis[0]), clientOf(apis[1])];
  await Promise.all([callAtOnce(one, 100, lauf), callAtOnce(other, 100, lauf)]);
  expect(made).toBeGreaterThan(5);
  expect(await spent()).toBeLessThanOrEqual(eurFrom(limitOf(10)));
  // Another run has a limit of its own, which the service says as well.
  const answer = await request(`${(apis[1] as ServiceProcess).address()}/v1/reservierungen`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ aufrufe: [{ agent: 'a', modell: 'gpt-4o-mini', lauf_id: randomUUID() }] }),
  });
  expect(answer.json()).toMatchObject({ reservierungen: [{ gewaehrt: true, grenze: null }] });
  expect(await callAtOnce(one, 1, randomUUID())).toEqual([]);
}, 240_000);
