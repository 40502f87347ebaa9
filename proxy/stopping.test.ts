/** What is stopped goes no further, and its caller gets the reason in its provider's own words. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../clients/typescript/matrix/service.ts';
import { type FakeProvider, startFakeProvider } from '../test/fake-provider/index.ts';
import { startServer, startTestProxy, type TestProxy } from './test-proxy.ts';

let fake: FakeProvider;
let service: Service;
let proxy: TestProxy | undefined;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake?.stop());
let tag: string;
beforeEach(async () => {
  tag = crypto.randomUUID();
  service = await startService();
});
afterEach(async () => {
  await proxy?.stop(0);
  await service?.stop();
});

async function start(directions: string[] = [], env: Record<string, string> = {}): Promise<TestProxy> {
  proxy = await startTestProxy(service.baseUrl, { fake: fake.url(tag, ...directions) }, { env });
  return proxy;
}

const MESSAGES = [{ role: 'user', content: 'How hot is boiling water?' }];
/** Each provider's way to ask for a stream. */
const PROVIDERS = {
  chat: ['/v1/chat/completions', { model: 'gpt-5.1', stream: true, messages: MESSAGES }],
  responses: ['/v1/responses', { model: 'gpt-5.1', stream: true, input: 'How hot?' }],
  anthropic: ['/v1/messages', { model: 'claude-opus-4-8', max_tokens: 50, stream: true, messages: MESSAGES }],
  gemini: [
    '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: 'How hot?' }] }] },
  ],
  bedrock: [
    '/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream',
    { messages: [{ role: 'user', content: [{ text: 'How hot?' }] }] },
  ],
} as const;
type Provider = keyof typeof PROVIDERS;

const call = (provider: Provider, place = '/agent/a', more: RequestInit = {}) => {
  const [path, body] = PROVIDERS[provider];
  return fetch(`${proxy?.url}${place}/fake${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...more,
  });
};

const counted = (count: number) => expect.poll(() => service.events.length).toBe(count);

/** Puts something in force, and waits until it is obeyed. */
async function stop(eingriff: Parameters<Service['put']>[0]): Promise<void> {
  service.put(eingriff);
  await expect.poll(async () => (await call('responses')).status).toBe(400);
}

const CAUSE = { grund: 'Von Hand eingegriffen.', grund_en: 'Intervened by hand.' };
const BLOCKED = { objekt_art: 'agent', objekt: 'a', ...CAUSE } as const;
const UNTIL = '2126-11-27T10:00:00Z';

test.each([
  [
    'chat',
    400,
    (said: string) => ({
      error: { message: said, type: 'invalid_request_error', param: null, code: 'eingriff' },
    }),
  ],
  [
    'responses',
    400,
    (said: string) => ({
      error: { message: said, type: 'invalid_request_error', param: null, code: 'eingriff' },
    }),
  ],
  [
    'anthropic',
    402,
    (said: string) => ({
      type: 'error',
      error: { type: 'billing_error', message: said },
      request_id: expect.any(String),
    }),
  ],
  ['gemini', 400, (said: string) => ({ error: { code: 400, message: said, status: 'FAILED_PRECONDITION' } })],
  ['bedrock', 400, (said: string) => ({ message: said })],
] as const)(
  'a call of %s that is forbidden is refused with %i in its form, once and for all',
  async (provider, status, form) => {
    await start();
    await stop({ ...BLOCKED, bis: UNTIL });
    const before = fake.truth(tag).length;
    const answer = await call(provider);
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([status, 'false']);
    if (provider === 'bedrock') expect(answer.headers.get('x-amzn-errortype')).toBe('ValidationException');
    const said = `Zählwerk: agent a is blocked until ${UNTIL}: Intervened by hand (Von Hand eingegriffen). To lift it: ${service.baseUrl}/eingriffe`;
    expect(await answer.json()).toEqual(form(said));
    expect(fake.truth(tag).length).toBe(before);
    // Another one goes on.
    expect((await call(provider, '/agent/b')).status).toBe(200);
  },
);

test.each([
  ['chat', /data: \{"error":\{"message":"Zählwerk: run/],
  ['responses', /event: error\ndata: \{"type":"error"/],
  ['anthropic', /event: error\ndata: \{"type":"error","error":\{"type":"billing_error"/],
  ['gemini', /data: \{"error":\{"code":400/],
  ['bedrock', /:exception-type/],
] as const)(
  "a stream of %s that is stopped on its way ends with its provider's own error",
  async (provider, error) => {
    await start(['slow=10', 'words=2000']);
    const run = crypto.randomUUID();
    const answer = await call(provider, `/agent/a/run/${run}`);
    const reader = answer.body?.getReader();
    await reader?.read();
    service.put({ stufe: 'anhalten', objekt_art: 'lauf', objekt: run, agent: 'a' });
    const decoder = new TextDecoder();
    let text = '';
    for (let piece = await reader?.read(); !piece?.done; piece = await reader?.read())
      text += decoder.decode(piece?.value);
    expect(text.slice(-1_000)).toMatch(error);
    expect(text).toContain(`run ${run} of agent a is stopped until it is lifted`);
    await counted(1);
    expect(service.events).toMatchObject([{ status: 'fehler', fehlercode: 'eingriff', lauf_id: run }]);
    // Google says with every piece what was counted so far.
    expect(service.events[0]?.geschaetzt ?? false).toBe(provider !== 'gemini');
    await expect.poll(() => fake.truth(tag)[0]?.complete).toBe(false);
  },
);

test('a call that is slowed down waits until it may; who hangs up meanwhile has made none', async () => {
  await start();
  await (await call('chat', '/agent/b')).text();
  service.put({ stufe: 'drosseln', objekt_art: 'agent', objekt: 'a' });
  await expect
    .poll(async () => {
      const early = AbortSignal.timeout(300);
      return call('chat', '/agent/a', { signal: early }).then(
        () => 'made',
        () => 'waits',
      );
    })
    .toBe('waits');
  const before = fake.truth(tag).length;
  const waiting = call('chat');
  expect((await call('chat', '/agent/b')).status).toBe(200);
  expect(fake.truth(tag).length).toBe(before + 1);
  service.put();
  expect((await waiting).status).toBe(200);
  expect(fake.truth(tag).length).toBe(before + 2);
});

test('without the service calls pass, or are refused, as is set', async () => {
  const away = { ZAEHLWERK_URL: 'http://127.0.0.1:1' };
  await start([], away);
  expect((await call('chat')).status).toBe(200);
  await proxy?.stop(0);
  await start([], { ...away, PROXY_FAILURE: 'closed' });
  const before = fake.truth(tag).length;
  const answer = await call('chat');
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { code: 'eingriffe_unbekannt' } });
  expect(fake.truth(tag).length).toBe(before);
});

test('while nobody can be asked for room, as many calls with a hard limit pass as are set, and no more', async () => {
  let isThere = false;
  const limited = await startServer((request, response) => {
    const harte_grenzen = [{ objekt_art: 'mandant', objekt: '', je_agent: false, je_lauf: false }];
    const reservierungen = [{ gewaehrt: true, hoechstkosten_eur: null, saetze: null, grenze: null }];
    if (request.url?.includes('aktiv')) response.end(JSON.stringify({ eingriffe: [], harte_grenzen }));
    else if (request.url?.includes('reservierungen') && isThere)
      response.end(JSON.stringify({ reservierungen }));
    else response.writeHead(503).end('{}');
  });
  await start([], { ZAEHLWERK_URL: limited.url, PROXY_UNRESERVED_CALLS: '2' });
  const statuses = async (count: number) => {
    const all: number[] = [];
    for (let made = 0; made < count; made += 1) all.push((await call('chat')).status);
    return all;
  };
  expect(await statuses(3)).toEqual([200, 200, 400]);
  isThere = true;
  expect(await statuses(1)).toEqual([200]);
  isThere = false;
  expect(await statuses(3)).toEqual([200, 200, 400]);
  await limited.stop();
});

test('a key that the service does not know makes no calls, since nothing would be counted', async () => {
  const refusing = await startServer((_request, response) => response.writeHead(401).end('{}'));
  await start([], { ZAEHLWERK_URL: refusing.url });
  const answer = await call('anthropic');
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ error: { type: 'authentication_error' } });
  expect(fake.truth(tag)).toEqual([]);
  await refusing.stop();
});

/** Hangs up after the first piece. */
async function hangUp(provider: Provider): Promise<void> {
  const ends = new AbortController();
  const answer = await call(provider, '/agent/a', { signal: ends.signal });
  await answer.body?.getReader().read();
  ends.abort();
}

test.each(['chat', 'responses', 'anthropic', 'gemini'] as const)(
  'a stream of %s whose caller hangs up is read on, and counted exactly',
  async (provider) => {
    await start(['slow=10', 'words=20'], { PROXY_READ_ON_SECONDS: '300' });
    await hangUp(provider);
    await counted(1);
    const [truth] = fake.truth(tag);
    expect(truth?.complete).toBe(true);
    const [event] = service.events;
    expect(event).toMatchObject({ eingabe_token: truth?.input, ausgabe_token: truth?.output });
    expect(event?.geschaetzt ?? false).toBe(false);
  },
);

test('beyond the bound it is given up, estimated from what passed, and marked', async () => {
  await start(['slow=20', 'words=3000'], { PROXY_READ_ON_SECONDS: '1' });
  await hangUp('chat');
  await counted(1);
  expect(fake.truth(tag)[0]?.complete).toBe(false);
  expect(service.events).toMatchObject([{ geschaetzt: true, eingabe_token: 7 }]);
  expect(service.events[0]?.ausgabe_token).toBeGreaterThan(0);
});

test('a call given up before its answer is an estimate, too: its provider may have begun', async () => {
  await start(['slow=600000'], { PROXY_READ_ON_SECONDS: '0' });
  const ends = new AbortController();
  const calling = call('chat', '/agent/a', { signal: ends.signal }).catch(() => null);
  await expect.poll(() => fake.truth(tag).length).toBe(1);
  ends.abort();
  await calling;
  await counted(1);
  expect(service.events).toMatchObject([
    { status: 'fehler', fehlercode: 'verbindung_abgebrochen', geschaetzt: true, eingabe_token: 7 },
  ]);
});

test('a stream that breaks breaks for the caller, too; what its provider says on the way passes', async () => {
  await start(['cut']);
  await expect(call('chat').then((answer) => answer.text())).rejects.toThrow();
  await counted(1);
  expect(service.events).toMatchObject([{ status: 'fehler', fehlercode: 'verbindung_abgebrochen' }]);
  await proxy?.stop(0);
  await start(['upset']);
  expect(await (await call('anthropic')).text()).toContain('upset, as directed');
});

test('a provider that cannot be reached is said to be, and is worth another try', async () => {
  proxy = await startTestProxy(service.baseUrl, { fake: 'http://127.0.0.1:1' });
  const answer = await call('anthropic');
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([502, 'true']);
  expect(await answer.json()).toMatchObject({ error: { type: 'api_error' } });
});

test('a caller who does not read holds the provider back, not the memory', async () => {
  let sent = 0;
  const piece = Buffer.alloc(65_536, 'x');
  const generous = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => {
      while (sent < 512 * 1_048_576 && response.write(piece)) sent += piece.length;
    };
    response.on('drain', more);
    more();
  });
  proxy = await startTestProxy(service.baseUrl, { fake: generous.url });
  const asking = httpRequest(`${proxy.url}/fake/v1/messages`, { method: 'POST' }).end('{}');
  await once(asking, 'response');
  let before = -1;
  await expect
    .poll(
      () => {
        const isStill = sent === before;
        before = sent;
        return isStill;
      },
      { interval: 500 },
    )
    .toBe(true);
  expect(sent).toBeLessThan(64 * 1_048_576);
  asking.destroy();
  await generous.stop();
});
