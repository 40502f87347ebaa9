/** The built cockpit as browsers get it: packed as the build has left it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createApp } from './app.ts';

const PAGE = '<!doctype html><title>Zählwerk</title>'.padEnd(2_000);
const SCRIPT = 'const zahl = 1;\n'.repeat(200);

let cockpitDir: string;
let app: FastifyInstance;
beforeAll(async () => {
  cockpitDir = await mkdtemp(join(tmpdir(), 'zw-cockpit-'));
  await mkdir(join(cockpitDir, 'assets'));
  for (const [name, text] of [
    ['index.html', PAGE],
    ['assets/start-abc.js', SCRIPT],
  ] as const) {
    await writeFile(join(cockpitDir, name), text);
    await writeFile(join(cockpitDir, `${name}.br`), brotliCompressSync(text));
    await writeFile(join(cockpitDir, `${name}.gz`), gzipSync(text));
  }
  await writeFile(join(cockpitDir, 'icon.svg'), '<svg/>');
  app = await createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [],
    authenticator: { key: async () => null, session: async () => null },
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir,
  });
});
afterAll(async () => {
  await app?.close();
  await rm(cockpitDir, { recursive: true });
});

const read = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });

describe('files of the cockpit', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
    [undefined, undefined],
  ])('come to who accepts %j as %s', async (accepted, encoding) => {
    for (const [url, text, type, kept] of [
      ['/laeufe', PAGE, 'text/html; charset=utf-8', 'no-cache'],
      [
        '/assets/start-abc.js',
        SCRIPT,
        'application/javascript; charset=utf-8',
        'public, max-age=31536000, immutable',
      ],
    ] as const) {
      const answer = await read(url, accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.headers['cache-control']).toBe(kept);
      expect(answer.headers.vary).toMatch(/accept-encoding/i);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      // Of many files each would say what only a page can do.
      expect('content-security-policy' in answer.headers).toBe(url === '/laeufe');
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
      expect((unpack ? unpack(answer.rawPayload) : answer.rawPayload).toString()).toBe(text);
    }
  });

  it('that are not packed come as they are', async () => {
    const answer = await read('/icon.svg', { 'accept-encoding': 'br' });
    expect(answer.body).toBe('<svg/>');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('are confirmed, and have the same head without the body', async () => {
    const headers = { 'accept-encoding': 'br' };
    const [get, head] = await Promise.all([read('/', headers), read('/', headers, 'HEAD')]);
    expect(head.rawPayload.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      expect(head.headers[name], name).toBe(get.headers[name]);
    const again = await read('/', { ...headers, 'if-none-match': get.headers.etag as string });
    expect(again.statusCode).toBe(304);
    expect(again.rawPayload.length).toBe(0);
    expect(again.headers['cache-control']).toBe('no-cache');
  });
});
