/** What the proxy keeps to itself, and where it does not go. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../clients/typescript/matrix/service.ts';
import { ConfigError, parseConfig } from './config.ts';
import { createLog } from './log.ts';
import { createOutgoing } from './outgoing.ts';
import { startProxy } from './server.ts';
import { KEY, startServer, startTestProxy, type TestProxy, type TestServer } from './test-proxy.ts';

let service: Service;
let provider: TestServer;
let asked: string[];
let proxy: TestProxy | undefined;
beforeEach(async () => {
  asked = [];
  service = await startService();
  provider = await startServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(
      '{"error":{"message":"Incorrect API key provided: sk-planted-answer","code":"invalid_api_key"}}',
    );
  });
});
afterEach(async () => {
  await proxy?.stop(0);
  proxy = undefined;
  await service?.stop();
  await provider?.stop();
});

const start = async (env: Record<string, string> = {}) => {
  proxy = await startTestProxy(service.baseUrl, { p: `${provider.url}/base` }, { env });
  return proxy;
};

/** A path as it is written: `fetch` would tidy it up. */
async function raw(path: string, headers: Record<string, string> = {}, body = '{"model":"m"}') {
  const sent = httpRequest(proxy?.url ?? '', { method: 'POST', path, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

const CHAT = '/v1/chat/completions';

test.each([
  [404, `/http://169.254.169.254${CHAT}`],
  [404, `/evil.example${CHAT}`],
  [404, `/constructor${CHAT}`],
  [404, `/azure/evil.example%2F${CHAT}`],
  [404, `/bedrock/eu-central-1.evil.example${CHAT}`],
  [404, '/'],
  [400, '/p/../admin/v1/chat/completions'],
  [400, '/p/%2e%2E/admin/v1/chat/completions'],
  [400, `/agent/%ff/p${CHAT}`],
])('%i: %s leads nowhere', async (status, path) => {
  await start();
  expect((await raw(path)).status).toBe(status);
  expect(asked).toEqual([]);
});

test('requests without a key, of web pages, with signatures of AWS and for WebSockets go nowhere', async () => {
  await start({ ZAEHLWERK_KEY: '' });
  expect((await raw(`/p${CHAT}`)).status).toBe(401);
  expect((await raw(`/p${CHAT}`, { origin: 'https://evil.example' })).status).toBe(403);
  const signed = await raw('/p/model/m/converse', { authorization: 'AWS4-HMAC-SHA256 Credential=a' });
  expect([signed.status, signed.body]).toEqual([
    400,
    expect.stringMatching(/AWS_BEARER_TOKEN_BEDROCK.*@aws\/bedrock-token-generator/),
  ]);
  const upgraded = await raw('/p/v1/realtime?model=m', { connection: 'Upgrade', upgrade: 'websocket' });
  expect([upgraded.status, upgraded.body]).toEqual([400, expect.stringContaining('use the HTTP API')]);
  expect(asked).toEqual([]);
});

test('a name of a known provider that leads into the own network is not followed', async () => {
  const resolve = ((_name: string, _options: object, callback: (...found: unknown[]) => void) =>
    callback(null, [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ])) as never;
  const config = parseConfig({ PROXY_PORT: '0', ZAEHLWERK_URL: service.baseUrl, ZAEHLWERK_KEY: KEY });
  const guarded = await startProxy(config, createLog('silent'), createOutgoing(null, resolve));
  const answer = await fetch(`${guarded.url}/openai${CHAT}`, { method: 'POST', body: '{}' });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('not public')]);
  await guarded.stop(0);
});

test('long bodies are refused, one by one and together', async () => {
  await start({ PROXY_MAX_BODY_MIB: '1' });
  const refused = await raw(`/p${CHAT}`, {}, 'x'.repeat(1_048_577)).catch(() => null);
  expect(refused?.status ?? 413).toBe(413);
  // Four that are not yet whole take up the room; a fifth is to come again.
  const halves = Array.from({ length: 5 }, () =>
    httpRequest(proxy?.url ?? '', {
      method: 'POST',
      path: `/p${CHAT}`,
      headers: { 'content-length': 1_048_576 },
    }),
  );
  const answers = halves.map(
    (half) =>
      new Promise<number>((resolve) => {
        half.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', () => resolve(0));
      }),
  );
  for (const half of halves) half.write('x'.repeat(1_000_000));
  expect(await Promise.race(answers)).toBe(503);
  for (const half of halves) half.destroy();
  await expect.poll(async () => (await raw(`/p${CHAT}`)).status).toBe(401);
});

test('nothing of what a caller or a provider keeps secret is in the log, in the events or on the disk', async () => {
  const lines: string[] = [];
  const log = createLog(
    'debug',
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  const env = { LOG_LEVEL: 'debug', ZAEHLWERK_KEY: '' };
  proxy = await startTestProxy(
    'http://127.0.0.1:1',
    { p: provider.url, gone: 'http://127.0.0.1:1' },
    { env, log },
  );
  const headers = {
    authorization: 'Bearer sk-planted-bearer',
    'x-api-key': 'sk-planted-header',
    'x-goog-api-key': 'sk-planted-google',
    'api-key': 'sk-planted-azure',
    cookie: 'sk-planted-cookie',
  };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'sk-planted-prompt' }] });
  for (const place of ['p', 'gone', 'nowhere'])
    for (const path of [CHAT, '/v1beta/models/gemini-3-pro:generateContent', '/v1/messages'])
      await raw(`/${KEY}/${place}${path}?key=sk-planted-query`, headers, body);
  await raw('/p/v1/unknown?key=sk-planted-query', headers, body);
  const { dataDir } = proxy;
  const kept = () =>
    readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  await expect
    .poll(
      () =>
        kept()
          .join('\n')
          .match(/"ereignis_id"/g)?.length,
    )
    .toBe(3);
  const everything = [...lines, ...kept()].join('\n');
  expect(lines.join()).toContain('could not be reached');
  expect(everything).not.toContain('planted');
  expect(everything).not.toContain(KEY);
});

test('it listens to this machine alone, says how it is, and stops at what is set wrongly', async () => {
  expect(parseConfig({})).toMatchObject({ host: '127.0.0.1', port: 8090, failure: 'open', key: null });
  for (const wrong of [
    { ZAEHLWERK_URL: 'localhost' },
    { PROXY_PORT: 'x' },
    { PROXY_TARGETS: 'a' },
    { PROXY_TARGETS: 'a=ftp://b' },
    { PROXY_FAILURE: 'maybe' },
    { LOG_LEVEL: 'loud' },
  ])
    expect(() => parseConfig(wrong)).toThrow(ConfigError);
  await start();
  expect(await (await fetch(`${proxy?.url}/health`)).json()).toMatchObject({
    status: 'ok',
    keys: 1,
    dropped: 0,
  });
});
