import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  abmelden,
  anmelden,
  ereignisseAnnehmen,
  ich as ichLesen,
  type Operation,
  schluesselAnlegen,
} from '#contracts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Authenticator } from '#platform/principal.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { createApp } from './app.ts';
import { ENCODED_FROM } from './encoding.ts';
import { route } from './route.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service?.stop());

/** An answer of some kilobytes, which the public may read. */
const LONG = '/openapi.json';

const read = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.app.inject({ method, url, headers: { cookie: account.cookie, ...headers } });

describe('answers that are read', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['zstd', undefined],
    ['identity, br;q=0.5', undefined],
    ['br;q=0', undefined],
    ['', undefined],
    [';;q=x,,', undefined],
  ])('come to who accepts %j as %s', async (accepted, encoding) => {
    const answer = await read(LONG, { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    const plain = (await read(LONG)).rawPayload;
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
    expect(unpack ? unpack(answer.rawPayload) : answer.rawPayload).toEqual(plain);
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
    if (encoding) expect(answer.rawPayload.length).toBeLessThan(plain.length / 4);
  });

  it('come as they are to who says nothing about encodings', async () => {
    expect((await read(LONG)).headers).not.toHaveProperty('content-encoding');
  });

  it('come as they are when they are short', async () => {
    const answer = await read('/v1/gesund', { 'accept-encoding': 'br' });
    expect(answer.rawPayload.length).toBeLessThan(ENCODED_FROM);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers.vary).toBe('Accept-Encoding');
  });

  it.each([
    ['cross-site', undefined],
    ['same-site', undefined],
    ['same-origin', 'br'],
    ['none', 'br'],
  ])('that a page has asked for that is %s come as %s', async (site, encoding) => {
    const answer = await read(LONG, { 'accept-encoding': 'br', 'sec-fetch-site': site });
    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  it('have the same head without the body', async () => {
    const headers = { 'accept-encoding': 'br' };
    const [get, head] = await Promise.all([read(LONG, headers), read(LONG, headers, 'HEAD')]);
    expect(head.rawPayload.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      expect(head.headers[name], name).toBe(get.headers[name]);
  });

  it('that are no texts stay as they are', async () => {
    const answer = await read('/v1/cockpit/export.zip', { 'accept-encoding': 'br, gzip' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.rawPayload.subarray(0, 2).toString()).toBe('PK');
  });
});

/** A service whose operations answer at length, whatever they are asked. */
async function createTalkative(): Promise<FastifyInstance> {
  const mandant = mandantId('00000000-0000-4000-8000-000000000001');
  const session = { kind: 'session', mandant, rechte: ['schluessel.verwalten', 'selbst'] };
  const key = {
    kind: 'key',
    mandant,
    schluesselId: '1',
    bereiche: ['Senden'],
    projekt: null,
    kontingente: null,
    annahmeAb: null,
  };
  const answerOf = (operation: Operation) => route(operation, async () => ({ lang: 'ä'.repeat(5_000) }));
  return createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [ereignisseAnnehmen, schluesselAnlegen, anmelden, abmelden, ichLesen].map(answerOf),
    authenticator: { key: async () => key, session: async () => session } as unknown as Authenticator,
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
  });
}

describe('what changes something', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await createTalkative();
  });
  afterAll(() => app.close());

  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    app.inject({
      method,
      url,
      headers: { 'accept-encoding': 'br, gzip', cookie: 'zw_sitzung=x', authorization: 'Bearer x' },
      ...(payload && { payload }),
    });

  it.each([
    ['the receipt of a batch', '/v1/ereignisse', { ereignisse: [] }, 202],
    ['a new key', '/v1/cockpit/konto/schluessel', {}, 201],
    ['a login', '/v1/anmelden', { email: 'a@example.org', passwort: 'x' }, 200],
    ['a logout', '/v1/abmelden', undefined, 200],
  ])('is answered as it is, however long: %s', async (_what, url, payload, status) => {
    const answer = await ask('POST', url, payload);
    expect(answer.statusCode).toBe(status);
    expect(answer.rawPayload.length).toBeGreaterThan(ENCODED_FROM);
    for (const name of ['content-encoding', 'vary', 'etag']) expect(answer.headers).not.toHaveProperty(name);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is not answered like what is read', async () => {
    expect((await ask('GET', '/v1/ich')).headers['content-encoding']).toBe('br');
  });
});

it('a refusal that repeats what was sent comes as it is', async () => {
  const url = `/v1/cockpit/uebersicht?zeitraum=${'x'.repeat(4_000)}`;
  const answer = await read(url, { 'accept-encoding': 'br' });
  expect(answer.statusCode).toBe(422);
  expect(answer.body.length).toBeGreaterThan(ENCODED_FROM);
  expect(answer.headers).not.toHaveProperty('content-encoding');
  expect(answer.headers['cache-control']).toBe('no-store');
});
