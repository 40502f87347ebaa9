import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Client, type ClientOptions, createClient } from './client.ts';
import type { Ereignis } from './event.ts';
import { VERSION } from './library.ts';

/** How the package names itself. */
const LIBRARY = { bibliothek: 'zaehlwerk-js', bibliothek_version: VERSION };

interface Seen {
  path: string | undefined;
  authorization: string | undefined;
  key: string;
  events: { ereignis_id: string; zeitpunkt: string; agent?: string }[];
  at: number;
}

type Reply = (response: ServerResponse, seen: Seen) => void;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A real server that answers with the replies in turn and with 202 once they are used up. */
async function serve(...replies: Reply[]): Promise<{ baseUrl: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    // What is in force is asked for on the side.
    if (request.method === 'GET') return void response.writeHead(404).end();
    const { ereignisse } = JSON.parse(await bodyOf(request)) as { ereignisse: Seen['events'] };
    const entry: Seen = {
      path: request.url,
      authorization: request.headers.authorization,
      key: String(request.headers['idempotency-key']),
      events: ereignisse,
      at: performance.now(),
    };
    seen.push(entry);
    const reply = replies.shift() ?? ((res) => res.writeHead(202).end('{}'));
    reply(response, entry);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const status = (code: number, headers: Record<string, string> = {}, body = '{}'): Reply => {
  return (response) => response.writeHead(code, headers).end(body);
};

function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    baseUrl,
    key: 'zw_live_probe',
    retryDelayMs: 1,
    flushIntervalMs: 60_000,
    bufferDirectory: false,
    ...options,
  });
  cleanups.push(() => client.shutdown(0));
  return client;
}

test('sends batches in order, each event with an id and a time', async () => {
  const { baseUrl, seen } = await serve();
  const client = clientFor(`${baseUrl}/`, { batchSize: 2 });
  for (const agent of ['a', 'b', 'c']) client.send({ agent });
  expect(await client.flush()).toEqual({
    queued: 0,
    buffered: 0,
    sent: 3,
    dropped: 0,
    unconverted: 0,
    lastError: null,
  });
  expect(seen.map(({ events }) => events.map(({ agent }) => agent))).toEqual([['a', 'b'], ['c']]);
  expect(seen[0]).toMatchObject({ path: '/v1/ereignisse', authorization: 'Bearer zw_live_probe' });
  expect(seen[0]?.key).not.toBe(seen[1]?.key);
  expect(seen[0]?.events[0]?.ereignis_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(Date.parse(seen[0]?.events[0]?.zeitpunkt ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('ids and times that events bring along stay', async () => {
  const { baseUrl, seen } = await serve();
  const own = { ereignis_id: '7c9d1f5e-1f0b-4f0a-9a53-0f6c2f6b8a11', zeitpunkt: '2026-01-02T03:04:05Z' };
  const client = clientFor(baseUrl);
  client.send(own);
  await client.flush();
  expect(seen[0]?.events).toEqual([{ ...own, zusatz: LIBRARY }]);
});

test('the package names itself with its version, unless a call names another library', async () => {
  const { baseUrl, seen } = await serve();
  const client = clientFor(baseUrl);
  const other = { bibliothek: 'own', bibliothek_version: '7' };
  for (const zusatz of [undefined, null, { projekt: 'p' }, other]) client.send({ zusatz } as Ereignis);
  // No free data: the service refuses it, as it was sent.
  client.send({ zusatz: 'abc' } as never);
  await client.flush();
  const said = seen.flatMap(({ events }) => events).map((event) => (event as Ereignis).zusatz);
  expect(said).toEqual([LIBRARY, LIBRARY, { ...LIBRARY, projekt: 'p' }, other, 'abc']);
});

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(version);
});

test('a full batch goes at once, a smaller one after the interval', async () => {
  const { baseUrl, seen } = await serve();
  const client = clientFor(baseUrl, { batchSize: 2, flushIntervalMs: 5 });
  for (const agent of ['a', 'b', 'c']) client.send({ agent });
  await expect.poll(() => client.stats().sent).toBe(3);
  expect(seen.length).toBeGreaterThan(0);
});

test.each([
  ['a server error', status(503)],
  ['a limit', status(429)],
  ['a request still being worked on', status(409)],
  ['a broken connection', (response: ServerResponse) => response.destroy()],
])('after %s the same batch comes again under the same key', async (_name, failure) => {
  const { baseUrl, seen } = await serve(failure, failure);
  const client = clientFor(baseUrl);
  client.send({ agent: 'a' });
  expect(await client.flush()).toEqual({
    queued: 0,
    buffered: 0,
    sent: 1,
    dropped: 0,
    unconverted: 0,
    lastError: null,
  });
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  expect(new Set(seen.map(({ events }) => JSON.stringify(events))).size).toBe(1);
});

test('a server that answers too late is asked again', async () => {
  const { baseUrl, seen } = await serve(() => undefined);
  const client = clientFor(baseUrl, { requestTimeoutMs: 250 });
  client.send({ agent: 'a' });
  expect((await client.flush()).sent).toBe(1);
  // A busy machine may be too late with the second answer, too.
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
});

test('waits as long as the service asks', async () => {
  const { baseUrl, seen } = await serve(status(429, { 'retry-after': '1' }));
  const client = clientFor(baseUrl);
  client.send({ agent: 'a' });
  await client.flush();
  expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test('a faulty event is dropped, its neighbours go under a new key', async () => {
  const detail = [{ loc: ['body', 'ereignisse', 1, 'eingabe_token'], msg: 'x', type: 'int_parsing' }];
  const { baseUrl, seen } = await serve(status(422, {}, JSON.stringify({ detail })));
  const client = clientFor(baseUrl);
  for (const agent of ['a', 'b', 'c']) client.send({ agent });
  expect(await client.flush()).toMatchObject({ queued: 0, sent: 2, dropped: 1 });
  expect(seen[1]?.events.map(({ agent }) => agent)).toEqual(['a', 'c']);
  expect(seen[1]?.key).not.toBe(seen[0]?.key);
});

test('a batch that is too large is halved until it fits', async () => {
  const { baseUrl, seen } = await serve(status(413), status(413));
  const client = clientFor(baseUrl);
  for (const agent of ['a', 'b', 'c', 'd']) client.send({ agent });
  expect(await client.flush()).toMatchObject({ sent: 4, dropped: 0 });
  expect(seen.map(({ events }) => events.length)).toEqual([4, 2, 1, 1, 2]);
});

test('what the service refuses is dropped and said, not tried again', async () => {
  const { baseUrl, seen } = await serve(status(401, {}, '{"code":"schluessel_ungueltig"}'));
  const client = clientFor(baseUrl);
  client.send({ agent: 'a' });
  expect(await client.flush()).toEqual({
    queued: 0,
    buffered: 0,
    sent: 0,
    dropped: 1,
    unconverted: 0,
    lastError: 'HTTP 401: {"code":"schluessel_ungueltig"}',
  });
  expect(seen).toHaveLength(1);
});

test('the queue is bounded; what does not fit is counted', async () => {
  const client = clientFor('http://127.0.0.1:1', { maxQueue: 3 });
  for (const agent of ['a', 'b', 'c', 'd', 'e']) client.send({ agent });
  expect(client.stats()).toMatchObject({ queued: 3, dropped: 2 });
});

test('an unreachable service: flush ends at its deadline and keeps, shutdown ends and drops; nothing throws', async () => {
  const client = clientFor('http://127.0.0.1:1');
  client.send({ agent: 'a' });
  expect(await client.flush(1_000)).toMatchObject({
    queued: 1,
    sent: 0,
    lastError: expect.stringContaining('fetch failed'),
  });
  expect(await client.shutdown(50)).toMatchObject({ queued: 0, sent: 0, dropped: 1 });
  client.send({ agent: 'b' });
  expect(client.stats()).toMatchObject({ queued: 0, dropped: 2 });
});

test('nonsense from the host does not throw either', async () => {
  const client = clientFor('not an address');
  client.send({ zusatz: { big: 1n } });
  expect(client.stats()).toMatchObject({ queued: 0, dropped: 1 });
  client.send({ agent: 'a' });
  expect(await client.shutdown(50)).toMatchObject({ sent: 0, dropped: 2 });
});

test('events sent while a request is under way follow it', async () => {
  const late: { client?: Client } = {};
  const { baseUrl, seen } = await serve((response) => {
    late.client?.send({ agent: 'b' });
    response.writeHead(202).end('{}');
  });
  const client = clientFor(baseUrl);
  late.client = client;
  client.send({ agent: 'a' });
  expect((await client.flush()).sent).toBe(2);
  expect(seen).toHaveLength(2);
});

const exchange = (uri: string, answer: object, more: object = {}) => ({
  uri,
  request: {},
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(answer),
  ...more,
});
const VIDEOS = 'https://api.openai.com/v1/videos';

test('an exchange becomes its events, each with what the caller knows of the call', async () => {
  const { baseUrl, seen } = await serve();
  const client = clientFor(baseUrl);
  const usage = {
    input_tokens: 12,
    output_tokens: 5,
    speed: 'fast',
    iterations: [{ type: 'advisor_message', model: 'b' }],
  };
  const answer = { type: 'message', model: 'a', content: [], usage };
  client.record(exchange('https://api.anthropic.com/v1/messages', answer), {
    agent: 'x',
    zusatz: { projekt: 'p' },
  });
  client.record(exchange('https://api.openai.com/v1/models', {}, { method: 'GET' }), { agent: 'x' });
  expect(await client.flush()).toMatchObject({ sent: 2, unconverted: 0 });
  const common = { agent: 'x', zusatz: { projekt: 'p', preisstufe: 'fast' } };
  expect(seen[0]?.events).toMatchObject([
    { ...common, modell: 'a', eingabe_token: 12 },
    { ...common, modell: 'b' },
  ]);
  expect(seen[0]?.events[0]?.ereignis_id).not.toBe(seen[0]?.events[1]?.ereignis_id);
});

test('a call that cannot be converted is counted and told, with the exchange', () => {
  const told: unknown[] = [];
  const client = clientFor('http://127.0.0.1:1', {
    onUnconverted: (reason, { uri }) => {
      told.push([reason, uri]);
      throw new Error('the host has a fault of its own');
    },
  });
  client.record(exchange(VIDEOS, { id: 'x' }));
  expect(told).toEqual([['no converter for POST api.openai.com/v1/videos', VIDEOS]]);
  expect(client.stats()).toMatchObject({ queued: 0, dropped: 0, unconverted: 1 });
  // Nonsense from the host does not throw.
  client.record({} as Parameters<Client['record']>[0]);
  expect(client.stats()).toMatchObject({ queued: 0, unconverted: 2 });
});
