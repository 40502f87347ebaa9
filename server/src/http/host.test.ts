/** By which names the service may be called, over real connections: what stands in `Host` is all that counts. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gesund, status } from '#contracts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createApp } from './app.ts';
import { hostnameOf } from './host.ts';
import { route } from './route.ts';

const lines: Record<string, unknown>[] = [];
const warnings = () => lines.filter(({ level }) => level === 'warn');
let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = await createApp({
    log: createLog('warn', { write: (line) => lines.push(JSON.parse(line)) }),
    metrics: createMetrics(),
    routes: [
      route(gesund, async () => ({ status: 'ok', datenbank: 'ok', annahme: 'ok', version: '0' }) as const),
      route(status, async () => ({
        status: 'betriebsbereit' as const,
        version: '0',
        zeit: '2026-01-01T00:00:00Z',
        komponenten: [],
        preisstand: { liste: null, ergaenzung: { tag: '2026-01-01', alter_tage: 0 }, kurse: null },
        rueckstand_sekunden: 0,
      })),
    ],
    authenticator: { key: async () => null, session: async () => null },
    production: true,
    baseUrl: () => 'https://Zaehler.Example:8443',
    trustedProxies: ['10.0.0.0/8'],
    otherHosts: ['zaehlwerk'],
    version: '0',
    cockpitDir: null,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** What is answered to these bytes. */
async function exchange(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.write(request);
  await once(socket, 'close');
  return answer;
}

const get = (path: string, host: string | null, version = '1.1', more = '') =>
  exchange(
    `GET ${path} HTTP/${version}\r\n${host === null ? '' : `Host: ${host}\r\n`}${more}Connection: close\r\n\r\n`,
  );
const statusOf = (answer: string) => Number(answer.split(' ')[1]);

describe('the name in Host', () => {
  it.each([
    'zaehler.example',
    'ZAEHLER.example:443',
    'zaehler.example.',
    'zaehlwerk:8080',
    'localhost',
    'LocalHost.:1',
    'cockpit.localhost',
    '127.0.0.1:8080',
    '[::1]:8080',
    // An orchestrator's probe; no name leads there.
    '10.42.0.7:8080',
    '[fd00::7]',
  ])('%s is the service’s own', async (host) => {
    expect(statusOf(await get('/v1/status', host))).toBe(200);
  });

  it.each([
    'evil.example',
    'zaehler.example.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'zaehler',
    'xzaehlwerk',
  ])('%s is not: 421, wherever it asks', async (host) => {
    for (const path of ['/v1/status', '/v1/gibt-es-nicht', '/openapi.json', '/docs', '/metrics', '/']) {
      const answer = await get(path, host);
      expect(statusOf(answer), path).toBe(421);
      expect(answer).toMatch(/x-content-type-options: nosniff/);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toEqual({
        detail: expect.stringContaining(`„${host}“`),
        code: 'name_unbekannt',
      });
    }
  });

  it('does not matter to the health check, whose callers have names of their own for the service', async () => {
    expect(statusOf(await get('/v1/gesund', 'svc.cluster.local'))).toBe(200);
  });

  it.each(['', 'a b', 'localhost@evil.example', 'evil.example/localhost', 'a:b', '[::1', 'a%2eb'])(
    '„%s“ is none: 400',
    async (host) => {
      const answer = await get('/v1/gesund', host);
      expect(statusOf(answer)).toBe(400);
      expect(answer).toContain('"code":"anfrage_ungueltig"');
    },
  );

  it.each([
    ['localhost', 'Host: evil.example\r\n'],
    ['localhost', 'hOST: localhost\r\n'],
    ['evil.example', 'Host: localhost\r\n'],
  ])('stands there once: „%s“ with %j is refused', async (host, more) => {
    for (const version of ['1.1', '1.0']) {
      const answer = await get('/v1/gesund', host, version, more);
      expect(statusOf(answer)).toBe(400);
      expect(answer).toContain('"code":"anfrage_ungueltig"');
    }
  });

  it('may be missing in HTTP/1.0 only', async () => {
    expect(statusOf(await get('/v1/status', null, '1.0'))).toBe(200);
    const answer = await get('/v1/status', null);
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('"code":"anfrage_ungueltig"');
  });

  it('that is unknown is warned of once, and not without end', async () => {
    lines.length = 0;
    for (const host of ['neu.example', 'NEU.example:80']) await get('/v1/status', host);
    expect(warnings()).toMatchObject([
      { host: 'neu.example', msg: expect.stringMatching(/BASE_URL.*WEITERE_HOSTS/) },
    ]);
    for (let number = 0; number < 40; number += 1) await get('/v1/status', `n${number}.example`);
    expect(warnings().length).toBeLessThanOrEqual(20);
  });
});

describe('a request that a proxy passes on', () => {
  it.each([
    'X-Forwarded-For: 192.0.2.1',
    'X-Forwarded-Proto: https',
    'Forwarded: for=192.0.2.1',
    'X-Real-IP: 1.2.3.4',
  ])('(%s) is warned of once where nobody has named the proxy', async (header) => {
    const told: Record<string, unknown>[] = [];
    const other = await createApp({
      log: createLog('warn', { write: (line) => told.push(JSON.parse(line)) }),
      metrics: createMetrics(),
      routes: [],
      authenticator: { key: async () => null, session: async () => null },
      production: false,
      baseUrl: () => 'http://localhost',
      trustedProxies: ['10.0.0.0/8'],
      version: '0',
      cockpitDir: null,
    });
    const [name = '', value = ''] = header.split(': ');
    const ask = (remoteAddress: string, headers = {}) =>
      other.inject({ url: '/docs', remoteAddress, headers });
    await ask('127.0.0.1');
    await ask('10.1.2.3', { [name]: value });
    expect(told).toEqual([]);
    for (const address of ['127.0.0.1', '127.0.0.1', '::ffff:127.0.0.1'])
      await ask(address, { [name]: value });
    expect(told).toMatchObject([
      { proxy: '127.0.0.1', header: name.toLowerCase(), msg: expect.stringContaining('VERTRAUTE_PROXYS') },
    ]);
    await other.close();
  });
});

it.each([
  ['Example.ORG.:80', 'example.org'],
  ['[::1]:80', '[::1]'],
  ['127.1', '127.0.0.1'],
  ['ex ample', null],
  ['a.example:80:80', null],
])('the name in %s is %s', (host, name) => {
  expect(hostnameOf(host)).toBe(name);
});
