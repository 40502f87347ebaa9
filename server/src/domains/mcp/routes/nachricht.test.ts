/** The tools, asked by the official client over HTTP, and the door itself. */
import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { type Account, createKey, type Key, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';

type Json = Record<string, unknown>;

let service: TestService;
let db: ReturnType<typeof ownerOf>;
let address: string;
let account: Account;
let key: Key;
let clients: Client[] = [];

beforeAll(async () => {
  service = await startService();
  db = ownerOf(service);
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});
beforeEach(async () => {
  service.clock.set('2026-11-20T10:00:00.000Z');
  account = await registerAccount(service);
  key = await createKey(service, account);
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
});

async function connect(secret: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', address), { requestInit }));
  clients.push(client);
  return client;
}

/** What a tool tells; the words are the same as the structure. */
async function use(client: Client, name: string, input: object = {}): Promise<Json> {
  const answer = await client.callTool({ name, arguments: { ...input } });
  const [said] = answer.content as { text: string }[];
  expect(answer.isError, said?.text).toBeFalsy();
  expect(JSON.parse(said?.text ?? '')).toEqual(answer.structuredContent);
  return answer.structuredContent as Json;
}
const refused = async (client: Client, name: string, input: object = {}): Promise<string> => {
  const answer = await client.callTool({ name, arguments: { ...input } });
  expect(answer.isError).toBe(true);
  return (answer.content as { text: string }[])[0]?.text ?? '';
};

const CALL = {
  agent: 'support/triage',
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1_000,
  ausgabe_token: 500,
};
/** Of gpt-4o-mini, 0.15 and 0.6 USD a million tokens, at 0.86 EUR. */
const COST = 0.000387;

async function send(...ereignisse: object[]): Promise<void> {
  const zeitpunkt = service.clock.now().toISOString();
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: { ereignisse: ereignisse.map((each) => ({ ...CALL, zeitpunkt, ...each })) },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  await createCountingWorker({
    db,
    log: service.context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  }).drain();
}

const cockpit = async (method: 'POST' | 'PUT', url: string, payload: object): Promise<Json> => {
  const answer = await service.app.inject({ method, url, headers: { cookie: account.cookie }, payload });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
};
const agentId = async () =>
  (
    await service.sql<{ agent_id: string }>(
      'SELECT agent_id FROM agenten WHERE mandant_id = $1 AND schluessel = $2',
      [account.mandantId, CALL.agent],
    )
  )[0]?.agent_id as string;

describe('the tools', () => {
  test('are listed with what they take, and which of them only read', async () => {
    const { tools } = await (await connect(key.secret)).listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['ausgaben', true],
      ['spielraum', true],
      ['lauf', true],
      ['verschwendung', true],
      ['eingriffe', true],
      ['antraege', true],
      ['antrag_stellen', false],
    ]);
    const text = JSON.stringify(tools);
    expect(text).not.toContain('x-kind');
    expect(tools.find(({ name }) => name === 'lauf')?.inputSchema).toMatchObject({
      type: 'object',
      required: ['lauf_id'],
      properties: { lauf_id: { type: 'string', format: 'uuid' } },
    });
  });

  test('say what was spent, by group and by the key that asks', async () => {
    await send({}, { agent: 'research' }, { agent: 'research', eingabe_token: 2_000 });
    const other = await createKey(service, account);
    const client = await connect(key.secret);
    const told = await use(client, 'ausgaben');
    expect(told).toMatchObject({
      gruppe: 'agent',
      summe: { aufrufe: 3 },
      gruppen: [
        { schluessel: 'research', aufrufe: 2, token: 4_000 },
        { schluessel: CALL.agent, aufrufe: 1, token: 1_500, kosten_eur: String(COST) },
      ],
      weitere: null,
    });
    const { kosten_eur } = told.summe as { kosten_eur: string };
    expect(told.schluessel).toEqual({ heute_eur: kosten_eur, monat_eur: kosten_eur });
    expect((await use(await connect(other.secret), 'ausgaben')).schluessel).toEqual({
      heute_eur: '0',
      monat_eur: '0',
    });
    expect(await use(client, 'ausgaben', { gruppe: 'modell', agent: 'research', limit: 1 })).toMatchObject({
      summe: { aufrufe: 2 },
      gruppen: [{ schluessel: CALL.modell, aufrufe: 2 }],
    });
  });

  test('say what remains of budgets and of limits', async () => {
    await send({});
    await cockpit('PUT', `/v1/cockpit/agenten/${await agentId()}/budget`, { betrag_eur: '0.001' });
    await cockpit('POST', '/v1/cockpit/regeln', {
      typ: 'kosten_grenze',
      name: 'Tag',
      schwelle: '0.0004',
      zeitfenster: 'tag',
      stufe: 'anhalten',
      schattenbetrieb: false,
    });
    const client = await connect(key.secret);
    const told = await use(client, 'spielraum', { agent: CALL.agent });
    expect(told).toMatchObject({
      monat: '2026-11',
      budgets: [
        { objekt_art: 'agent', budget_eur: '0.001', verbraucht_eur: '0.000387', rest_eur: '0.000613' },
      ],
      weitere_budgets: 0,
    });
    expect(told.grenzen).toContainEqual(
      expect.objectContaining({
        name: 'Tag',
        grenze_eur: '0.0004',
        verbraucht_eur: '0.000387',
        reserviert_eur: '0',
        rest_eur: '0.000013',
      }),
    );
    expect(await use(client, 'spielraum', { agent: 'another' })).toMatchObject({ budgets: [] });
  });

  test('say what a run has cost, and nothing of runs of others', async () => {
    const lauf_id = randomUUID();
    await send({ lauf_id, schritt_nr: 1 }, { lauf_id, schritt_nr: 2 });
    expect(await use(await connect(key.secret), 'lauf', { lauf_id })).toMatchObject({
      lauf: { lauf_id, aufrufe: 2, kosten_eur: '0.000774' },
      baum: null,
      befunde: [],
    });
    const foreign = await createKey(service, await registerAccount(service));
    const theirs = await connect(foreign.secret);
    expect(await refused(theirs, 'lauf', { lauf_id })).toBe('This run does not exist.');
    expect(await refused(theirs, 'lauf', { lauf_id: randomUUID() })).toBe('This run does not exist.');
    expect(await use(theirs, 'ausgaben')).toMatchObject({ summe: { aufrufe: 0 }, gruppen: [] });
    expect(await use(theirs, 'verschwendung', { agent: CALL.agent })).toMatchObject({ agenten: [] });
  });

  test('say what is waste', async () => {
    await send({ status: 'fehler' }, {}, { agent: 'research' });
    const client = await connect(key.secret);
    expect(await use(client, 'verschwendung')).toMatchObject({
      verbranntes_geld_eur: '0.000387',
      fehler: 1,
      agenten: expect.arrayContaining([
        {
          agent: CALL.agent,
          aufrufe: 2,
          fehler: 1,
          verbranntes_geld_eur: '0.000387',
          kosten_eur: '0.000774',
        },
      ]),
      befunde: [],
    });
    expect(await use(client, 'verschwendung', { agent: 'research' })).toMatchObject({
      verbranntes_geld_eur: '0',
    });
  });

  test('say what is stopped and why', async () => {
    await send({});
    const client = await connect(key.secret);
    expect(await use(client, 'eingriffe')).toEqual({ eingriffe: [], weitere: 0 });
    await cockpit('POST', '/v1/cockpit/eingriffe', {
      agent_id: await agentId(),
      stufe: 'sperren',
      grund: 'Zu teuer.',
    });
    expect(await use(client, 'eingriffe', { agent: CALL.agent })).toMatchObject({
      eingriffe: [{ stufe: 'sperren', objekt_art: 'agent', objekt: CALL.agent, grund: 'Zu teuer.' }],
    });
    expect(await use(client, 'eingriffe', { agent: 'another' })).toMatchObject({ eingriffe: [] });
    // Who asks by a tool need not be who makes the calls: nothing was handed out.
    const [row] = await service.sql('SELECT abgerufen_am FROM eingriffe WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    expect(row).toEqual({ abgerufen_am: null });
  });

  test('tell what is wrong with what they were given', async () => {
    const client = await connect(key.secret);
    expect(await refused(client, 'lauf')).toBe('lauf_id: Field required');
    expect(await refused(client, 'ausgaben', { gruppe: 'wetter' })).toMatch(/^gruppe: Input should be /);
    expect(await refused(client, 'ausgaben', { von: '2026-11-20', bis: '2026-11-19' })).toMatch(/^bis|^von/);
    expect(await refused(client, 'wetter')).toBe('There is no tool wetter.');
  });
});

describe('by the command of the package', () => {
  const COMMAND = new URL('../../../../../clients/typescript/src/cli.ts', import.meta.url).pathname;
  async function connectByStdio(secret: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const env = { ZAEHLWERK_URL: address, ZAEHLWERK_KEY: secret };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env }),
    );
    clients.push(client);
    return client;
  }

  test('the same tools tell the same, several at once, too', async () => {
    await send({});
    const [byStdio, byHttp] = [await connectByStdio(key.secret), await connect(key.secret)];
    expect(await byStdio.listTools()).toEqual(await byHttp.listTools());
    const names = ['ausgaben', 'spielraum', 'verschwendung', 'eingriffe'];
    const told = await Promise.all(names.map((name) => use(byStdio, name)));
    expect(told).toEqual(await Promise.all(names.map((name) => use(byHttp, name))));
    expect(await refused(byStdio, 'lauf')).toBe('lauf_id: Field required');
  });

  test('a key that does not hold is said so', async () => {
    await expect(connectByStdio('zw_live_nobody')).rejects.toThrow('Der Schlüssel fehlt oder gilt nicht.');
  });
});

describe('the door', () => {
  const post = (payload: object | string, secret: string | null = key.secret, headers: object = {}) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: {
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
        'content-type': 'application/json',
        ...headers,
      },
      payload,
    });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test('is for keys that read; those that send, too, may ask for more', async () => {
    expect((await post(LIST, null)).statusCode).toBe(401);
    expect((await post(LIST, 'zw_live_nobody')).statusCode).toBe(401);
    const sender = await createKey(service, account, ['Senden']);
    expect((await post(LIST, sender.secret)).statusCode).toBe(403);
    const reader = await createKey(service, account, ['Lesen']);
    const client = await connect(reader.secret);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('antrag_stellen');
    expect(await refused(client, 'antrag_stellen', { begruendung: 'x' })).toBe(
      'The key lacks the scope “Senden”.',
    );
  });

  test('keeps no session: each message is answered for itself, what is no request without a word', async () => {
    const answer = await post(LIST);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } });
    const noted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([noted.statusCode, noted.body]).toEqual([202, '']);
    const get = await service.app.inject({
      url: '/v1/mcp',
      headers: { authorization: `Bearer ${key.secret}` },
    });
    expect(get.statusCode).toBe(405);
  });

  test.each([
    ['no object', '[]', 422, {}],
    ['several at once', [LIST, LIST], 422, {}],
    ['no message', { hello: 'world' }, 400, {}],
    ['no version that is known', LIST, 400, { 'mcp-protocol-version': '1999-01-01' }],
    ['no JSON', '{', 422, {}],
    ['another type', 'x', 422, { 'content-type': 'text/plain' }],
  ])('refuses what is %s', async (_what, payload, status, headers) => {
    const answer = await post(payload, key.secret, headers);
    expect(answer.statusCode, answer.body).toBe(status);
  });

  test('answers a method that it does not have as the protocol has it', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 7, method: 'prompts/list' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: 7, error: { code: -32601 } });
  });
});
