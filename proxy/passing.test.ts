/** What passes through the proxy passes unchanged, and is counted. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Service, startService } from '../clients/typescript/matrix/service.ts';
import { type FakeProvider, startFakeProvider } from '../test/fake-provider/index.ts';
import { KEY, startServer, startTestProxy, type TestProxy, type TestServer } from './test-proxy.ts';

let fake: FakeProvider;
let service: Service;
/** What the provider with odd habits got, and how it answers. */
let got: { request: IncomingMessage; body: Buffer }[] = [];
let odd: TestServer;
let answer: (request: IncomingMessage, response: import('node:http').ServerResponse) => void;
let proxy: TestProxy;
beforeAll(async () => {
  fake = await startFakeProvider();
  odd = await startServer((request, response) => {
    void buffer(request).then((body) => {
      got.push({ request, body });
      answer(request, response);
    });
  });
});
afterAll(async () => {
  await fake?.stop();
  await odd?.stop();
});
let tag: string;
beforeEach(async () => {
  got = [];
  tag = crypto.randomUUID();
  service = await startService();
  proxy = await startTestProxy(service.baseUrl, { fake: fake.url(tag), odd: `${odd.url}/base` });
});
afterEach(async () => {
  await proxy?.stop(0);
  await service?.stop();
});

const CHAT = '/v1/chat/completions';
const asked = (more = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer sk-provider' },
  body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'How hot?' }], ...more }),
});
const usage = { prompt_tokens: 7, completion_tokens: 2 };
const ANSWER = JSON.stringify({
  id: `chatcmpl-${'a'.repeat(24)}`,
  model: 'gpt-5.1',
  choices: [{ message: {} }],
  usage,
});

const counted = (count = 1) => expect.poll(() => service.events.length).toBe(count);

/** As it comes over the wire: nothing is unpacked. */
async function raw(path: string, headers: Record<string, string> = {}, body = asked().body) {
  const sent = httpRequest(`${proxy.url}${path}`, { method: 'POST', headers });
  // A text would be sent along with the headers, and encoded like it.
  sent.end(Buffer.from(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { response, body: await buffer(response) };
}

test('a request reaches its provider as it is, but for what belongs to one connection and to us', async () => {
  answer = (_request, response) => response.end('{}');
  const body = '{"model": "m",\n "messages": [],  "temperature": 0.10, "seed": 12345678901234567890}';
  await raw(
    `/odd${CHAT}?api-version=1&x=%2F`,
    { 'X-Odd-Case': 'ä', 'x-zaehlwerk-agent': 'a', connection: 'x-hop', 'x-hop': '1', 'user-agent': 'u' },
    body,
  );
  const [{ request, body: sent }] = got as [(typeof got)[0]];
  expect(request.url).toBe(`/base${CHAT}?api-version=1&x=%2F`);
  expect(sent.toString()).toBe(body);
  expect(request.rawHeaders).toContain('X-Odd-Case');
  expect(request.headers).toEqual({
    host: new URL(odd.url).host,
    connection: expect.any(String),
    'x-odd-case': 'ä',
    'user-agent': 'u',
    'content-length': String(Buffer.byteLength(body)),
  });
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['', (text: string) => Buffer.from(text)],
] as const)('an answer packed as "%s" passes packed, and is counted', async (encoding, pack) => {
  const bytes = pack(ANSWER);
  answer = (_request, response) => {
    response.writeHead(200, 'Fine', [
      'Content-Type',
      'application/json',
      ...(encoding === '' ? [] : ['Content-Encoding', encoding]),
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'X-Request-ID',
      'r',
    ]);
    response.end(bytes);
  };
  const { response, body } = await raw(`/odd${CHAT}`);
  expect(body.equals(bytes)).toBe(true);
  expect(response.statusMessage).toBe('Fine');
  expect(response.rawHeaders.join()).toContain('Set-Cookie,a=1,Set-Cookie,b=2,X-Request-ID,r');
  await counted();
  expect(service.events).toMatchObject([
    { modell: 'gpt-5.1', anbieter: 'openai', eingabe_token: 7, ausgabe_token: 2, status: 'erfolgreich' },
  ]);
});

test('trailers and errors pass as they are, and a refusal of the provider is an event with its code', async () => {
  answer = (_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json', trailer: 'x-after', 'retry-after': '3' });
    response.write('{"error":{"code":"rate_limit_exceeded"}}');
    response.addTrailers({ 'x-after': 'later' });
    response.end();
  };
  const { response, body } = await raw(`/odd${CHAT}`);
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '3']);
  expect(response.trailers).toEqual({ 'x-after': 'later' });
  expect(body.toString()).toBe('{"error":{"code":"rate_limit_exceeded"}}');
  await counted();
  expect(service.events).toMatchObject([{ status: 'fehler', fehlercode: 'rate_limit_exceeded' }]);
});

test.each([undefined, { include_usage: false }, null, { include_obfuscation: false }])(
  'a stream whose caller says %o about counts has none for the caller, and is counted exactly',
  async (stream_options) => {
    const request = asked({ stream: true, ...(stream_options === undefined ? {} : { stream_options }) });
    const through = await (await fetch(`${proxy.url}/fake${CHAT}`, request)).text();
    const plain = await (await fetch(`${fake.url(crypto.randomUUID())}${CHAT}`, request)).text();
    const shape = (stream: string) => stream.replace(/"(id|created)":("[^"]*"|\d+)/g, '"$1":0');
    expect(shape(through)).toBe(shape(plain));
    expect(through).not.toContain('usage');
    await counted();
    const [truth] = fake.truth(tag);
    expect(service.events).toMatchObject([
      { eingabe_token: truth?.input, ausgabe_token: truth?.output, cache_lese_token: truth?.cacheRead },
    ]);
  },
);

test('who asks for counts gets them, byte for byte', async () => {
  const stream = `data: {"choices":[],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`;
  answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
  const { body } = asked({ stream: true, stream_options: { include_usage: true } });
  expect((await raw(`/odd${CHAT}`, {}, body)).body.toString()).toBe(stream);
  expect(got[0]?.body.toString()).toBe(body);
});

test('a provider that does not know the question is asked without it, once with it in all', async () => {
  answer = (_request, response) => {
    if (got.at(-1)?.body.includes('stream_options'))
      response
        .writeHead(422, { 'content-type': 'application/json' })
        .end('{"detail":"extra stream_options"}');
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: [DONE]\n\n');
  };
  for (const _call of [1, 2])
    expect((await fetch(`${proxy.url}/odd${CHAT}`, asked({ stream: true }))).status).toBe(200);
  expect(got.map(({ body }) => body.includes('stream_options'))).toEqual([true, false, false]);
});

test('a packed request is read along, and a form says which model it is for', async () => {
  answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
  const packed = zstdCompressSync(asked().body);
  const sent = httpRequest(`${proxy.url}/odd${CHAT}`, {
    method: 'POST',
    headers: { 'content-encoding': 'zstd' },
  });
  sent.end(packed);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await text(response);
  expect(got[0]?.body.equals(packed)).toBe(true);
  await counted();
  expect(service.events[0]?.prompt_fingerabdruck).toMatch(/^[0-9a-f]{16}$/);

  answer = (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"text":"Hi","usage":{"type":"duration","seconds":9}}');
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('file', new Blob([new Uint8Array(1_000)]), 'a.wav');
  await fetch(`${proxy.url}/odd/v1/audio/transcriptions`, { method: 'POST', body: form });
  await counted(2);
  expect(service.events[1]).toMatchObject({ modell: 'whisper-1', zusatz: { sekunden: 9 } });
});

test('what is no call passes without being counted: lists, uploads, what agents tell their makers', async () => {
  answer = (_request, response) => response.end('{"input_tokens":3}');
  await fetch(`${proxy.url}/odd/v1/models`);
  await fetch(`${proxy.url}/odd/`, { method: 'HEAD' });
  await fetch(`${proxy.url}/odd/v1/messages/count_tokens`, asked());
  await fetch(`${proxy.url}/odd/v1/analytics/codex/turn-costs`, asked());
  const upload = new Uint8Array(3_000_000);
  await fetch(`${proxy.url}/odd/v1/files`, { method: 'POST', body: upload });
  expect(got.map(({ request }) => request.url?.slice('/base'.length))).toEqual([
    '/v1/models',
    '/',
    '/v1/messages/count_tokens',
    '/v1/analytics/codex/turn-costs',
    '/v1/files',
  ]);
  expect(got[4]?.body.length).toBe(upload.length);
  answer = (_request, response) => response.end(ANSWER);
  await fetch(`${proxy.url}/odd${CHAT}`, asked());
  await counted();
});

test('HTTP/2 without TLS is taken from those who begin with it', async () => {
  const session = connect(proxy.url);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/fake/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse',
    'content-type': 'application/json',
    authorization: 'Bearer bedrock-key',
  });
  stream.end(JSON.stringify({ messages: [{ role: 'user', content: [{ text: 'How hot?' }] }] }));
  const [headers] = (await once(stream, 'response')) as [Record<string, string>];
  expect(headers[':status']).toBe(200);
  expect(JSON.parse(await text(stream))).toHaveProperty('usage');
  session.close();
  await counted();
  expect(service.events).toMatchObject([{ eingabe_token: fake.truth(tag)[0]?.input }]);
});

test('the request is noted as its provider names it, beside what else is said of the call', async () => {
  answer = (_request, response) => response.setHeader('request-id', 'req_011CSHoEeqs5C35K').end(ANSWER);
  await (await fetch(`${proxy.url}/${KEY}/project/p/odd${CHAT}`, asked())).text();
  await counted();
  expect(service.events).toMatchObject([{ zusatz: { anfrage_id: 'req_011CSHoEeqs5C35K', projekt: 'p' } }]);
});

test('path, header and what clients send anyway say whose a call is', async () => {
  answer = (_request, response) => response.end(ANSWER);
  const run = crypto.randomUUID();
  const call = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${proxy.url}${path}/odd${CHAT}`, { ...asked(), headers }).then((response) => response.text());
  await call(`/${KEY}/agent/support%2Ftriage/customer/K-1/project/p/run/${run}`);
  await call('', {
    'x-zaehlwerk-key': KEY,
    'x-zaehlwerk-agent': 'b%C3%A4r',
    'x-zaehlwerk-customer': 'K-2',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
  await call('', { 'user-agent': 'claude-cli/2.1.197 (external)', 'x-claude-code-session-id': run });
  await call('', { originator: 'codex_exec', 'session-id': 's-1' });
  await call('', { 'user-agent': 'QwenCode/0.24.4 (linux; x64)' });
  await call('', { 'user-agent': 'opencode/1.18.33', 'x-session-id': 'ses_6AbCdEf' });
  await call('', { 'x-session-id': '0AF7651916CD43DD8448EB211C80319D' });
  await call('', { 'x-session-id': run.toUpperCase() });
  await counted(8);
  expect(service.events).toMatchObject([
    { agent: 'support/triage', endkunde_ref: 'K-1', zusatz: { projekt: 'p' }, lauf_id: run, schritt_nr: 1 },
    { agent: 'bär', endkunde_ref: 'K-2', lauf_id: '0af76519-16cd-43dd-8448-eb211c80319c', schritt_nr: 1 },
    { agent: 'claude-code', lauf_id: run, schritt_nr: 2 },
    { agent: 'codex', lauf_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    { agent: 'qwen-code' },
    { agent: 'opencode', lauf_id: '133e1a54-fd17-5b7f-be03-cdc6a2b9c1b7' },
    { lauf_id: '0af76519-16cd-43dd-8448-eb211c80319d' },
    { lauf_id: run, schritt_nr: 3 },
  ]);
});
