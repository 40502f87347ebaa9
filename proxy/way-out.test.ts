/** Providers are reached through the proxy of a house that lets nothing out directly. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../clients/typescript/matrix/service.ts';
import { ConfigError, parseConfig } from './config.ts';
import { createLog } from './log.ts';
import { createOutgoing } from './outgoing.ts';
import { type RunningProxy, startProxy } from './server.ts';
import { KEY, startServer, type TestServer } from './test-proxy.ts';
import { goesPast } from './way-out.ts';

const NAME = 'api.openai.com';
const CHAT = '/v1/chat/completions';
const ANSWER = JSON.stringify({
  id: `chatcmpl-${'a'.repeat(24)}`,
  model: 'gpt-5.1',
  choices: [{ message: {} }],
  usage: { prompt_tokens: 7, completion_tokens: 2 },
});

/** Of a certificate for tests alone, which nobody trusts. */
const readTestFile = (name: string) =>
  readFileSync(new URL(`test-certificate/${name}`, import.meta.url), 'utf8');

/** The provider, by TLS and under its name. */
let provider: Server;
let got: string[][] = [];
const trusted = getCACertificates('default');
const portOf = (server: Server) => (server.address() as AddressInfo).port;
beforeAll(async () => {
  const [key, cert] = [readTestFile('key.pem'), readTestFile('cert.pem')];
  setDefaultCACertificates([...trusted, cert]);
  provider = createHttps({ key, cert }, (request, response) => {
    got.push(request.rawHeaders);
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end(ANSWER));
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  provider.close();
});

/** The house's proxy: connects every caller with the password to the provider, wherever it wants to go. */
let house: Server;
let tunnels: string[] = [];
let service: Service;
let proxy: RunningProxy | undefined;
beforeEach(async () => {
  got = [];
  tunnels = [];
  service = await startService();
  house = createHttp((_request, response) => response.writeHead(405).end());
  house.on('connect', ({ url, headers }, socket) => {
    tunnels.push(url ?? '');
    if (headers['proxy-authorization'] !== `Basic ${btoa('me:p@ss')}`)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const there = connect(portOf(provider), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
  });
  house.listen(0, '127.0.0.1');
  await once(house, 'listening');
});
afterEach(async () => {
  await proxy?.stop(0);
  proxy = undefined;
  house.close();
  house.closeAllConnections();
  await service?.stop();
});

/** Names lead to these addresses; null: this machine knows none. */
async function start(address: string | null, env: Record<string, string> = {}): Promise<RunningProxy> {
  const config = parseConfig({
    PROXY_PORT: '0',
    ZAEHLWERK_URL: service.baseUrl,
    ZAEHLWERK_KEY: KEY,
    PROXY_DATA_DIR: join(tmpdir(), `zw-way-out-${crypto.randomUUID()}`),
    HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${portOf(house)}`,
    ...env,
  });
  const resolve = ((_name: string, _options: object, callback: (...found: unknown[]) => void) =>
    address === null
      ? callback(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }))
      : callback(null, [{ address, family: 4 }])) as never;
  proxy = await startProxy(config, createLog('silent'), createOutgoing(config.wayOut, resolve));
  return proxy;
}

const call = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${proxy?.url}${path}${CHAT}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-provider', ...headers },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [] }),
  });

test.each([['93.184.215.14'], [null]])(
  'a provider whose name leads to %s is reached by a tunnel',
  async (address) => {
    await start(address);
    for (const _time of [1, 2]) expect(await (await call('/openai')).text()).toBe(ANSWER);
    // One connection, which serves both.
    expect(tunnels).toEqual([`${NAME}:443`]);
    expect(got[0]?.join()).toContain('Bearer sk-provider');
    expect(got.flat().join().toLowerCase()).not.toContain('proxy-authorization');
    await expect.poll(() => service.events.length).toBe(2);
    expect(service.events).toMatchObject([{ eingabe_token: 7 }, { eingabe_token: 7 }]);
  },
);

test('a known name that leads into the own network is not followed, by a tunnel either', async () => {
  await start('10.0.0.7');
  const answer = await call('/openai');
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('not public')]);
  expect(tunnels).toEqual([]);
});

test('what the operator names goes by a tunnel, too, but for what is not spoken to by TLS or goes past', async () => {
  const near: TestServer = await startServer((_request, response) => response.end('near'));
  await start(null, { PROXY_TARGETS: `own=https://own.example near=${near.url}`, NO_PROXY: '.example' });
  expect(await (await call('/near')).text()).toBe('near');
  expect((await call('/own')).status).toBe(502);
  expect(tunnels).toEqual([]);
  await proxy?.stop(0);
  await start(null, { PROXY_TARGETS: 'own=https://own.example' });
  expect(await (await call('/own')).text()).toBe(ANSWER);
  expect(tunnels).toEqual(['own.example:443']);
  await near.stop();
});

test("a house's proxy that refuses, or is not there, is a provider that is not reached", async () => {
  await start(null, { HTTPS_PROXY: `http://127.0.0.1:${portOf(house)}` });
  const refused = await call('/openai');
  expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining('HTTPS_PROXY')]);
  await proxy?.stop(0);
  await start(null, { HTTPS_PROXY: 'http://127.0.0.1:1' });
  expect((await call('/openai')).status).toBe(502);
});

test.each([
  ['example.com', 'example.com', '443', true],
  ['.example.com', 'api.example.com', '443', true],
  ['*.example.com', 'api.example.com', '443', true],
  ['example.com', 'badexample.com', '443', false],
  ['example.com:8443', 'example.com', '443', false],
  ['example.com:443', 'example.com', '443', true],
  ['*', 'anything.example', '443', true],
  ['', 'localhost', '443', true],
  ['', '127.0.0.1', '443', true],
  ['', 'api.openai.com', '443', false],
])('NO_PROXY=%s: %s:%s goes past is %s', (past, host, port, expected) => {
  const wayOut = { proxy: new URL('http://house'), past: past === '' ? [] : [past] };
  expect(goesPast(wayOut, host, port)).toBe(expected);
});

test('an address that is none stops the start, without saying it', () => {
  expect(() => parseConfig({ HTTPS_PROXY: 'socks5://me:secret@house' })).toThrow(ConfigError);
  expect(() => parseConfig({ HTTPS_PROXY: 'socks5://me:secret@house' })).not.toThrow(/secret/);
});
