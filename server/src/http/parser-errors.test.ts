/** What never becomes a request, over real connections: each is answered like a refused request, and in time. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anmelden, gesund } from '#contracts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createApp, LOOK_EVERY, RECEIVE_TIMEOUT } from './app.ts';
import { route } from './route.ts';

const createTestApp = (receiveTimeout?: number): Promise<FastifyInstance> =>
  createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [
      route(gesund, async () => ({ status: 'ok', datenbank: 'ok', annahme: 'ok', version: '0' }) as const),
      route(anmelden, async () => {
        throw new Error('nobody gets this far');
      }),
    ],
    authenticator: { key: async () => null, session: async () => null },
    production: true,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
    ...(receiveTimeout === undefined ? {} : { receiveTimeout }),
  });

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = await createTestApp(300);
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** What comes back until the connection ends. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

function expectRefusal(answer: string, status: number, code: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^content-type: application\/json/im);
  expect(head).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(head).toMatch(/^strict-transport-security: /im);
  expect(head).toMatch(/^cache-control: no-store\r$/im);
  expect(JSON.parse(body)).toEqual({ detail: expect.stringMatching(/^[A-Z].*\.$/), code });
}

const HEAD = 'Host: localhost\r\nConnection: close\r\n';
const POST = `POST /v1/anmelden HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

describe('what is no HTTP', () => {
  it.each([
    ['a request line that is none', 'unsinn\r\n\r\n', 400, 'anfrage_ungueltig'],
    ['a method that is none', `ERFUNDEN / HTTP/1.1\r\n${HEAD}\r\n`, 400, 'anfrage_ungueltig'],
    [
      'headers without end',
      `GET /v1/gesund HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'kopf_zu_gross',
    ],
    ['an address without end', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HEAD}\r\n`, 431, 'kopf_zu_gross'],
    ['percent-encoding that is none', `GET /v1/%zz HTTP/1.1\r\n${HEAD}\r\n`, 400, 'adresse_ungueltig'],
    ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400, 'anfrage_ungueltig'],
    ['a chunk of no length', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'anfrage_ungueltig'],
    [
      'an extension of a chunk without end',
      `${POST}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}`,
      413,
      'zu_gross',
    ],
  ])('%s', async (_name, bytes, status, code) => {
    expectRefusal(await exchange(bytes), status, code);
  });

  it('an expectation nobody knows is none of it', async () => {
    const answer = await exchange(`GET /v1/gesund HTTP/1.1\r\n${HEAD}Expect: wunder\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a sender that takes too long gets that for an answer, and its connection ends', () => {
  it.each([
    ['that sends nothing', ''],
    ['in the middle of the headers', 'POST /v1/anmelden HTTP/1.1\r\nHost: localhost\r\nX-Lang'],
    ['in the middle of the body', `${POST}Content-Length: 100\r\n\r\n{"email":`],
    ['in the middle of a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"em`],
  ])('%s', async (_name, bytes) => {
    expectRefusal(await exchange(bytes), 408, 'zu_langsam');
  });

  it('after half a minute, as it is documented', async () => {
    const usual = await createTestApp();
    expect([usual.server.headersTimeout, usual.server.requestTimeout]).toEqual([30_000, 30_000]);
    expect([RECEIVE_TIMEOUT, LOOK_EVERY]).toEqual([30_000, 1_000]);
    await usual.close();
  });
});

describe('methods', () => {
  it.each(['TRACE', 'PATCH', 'PROPFIND', 'LOCK', 'OPTIONS'])(
    '%s of a known path answers 405 with those it has, of an unknown one 404',
    async (method) => {
      const known = await exchange(`${method} /v1/gesund?x=1 HTTP/1.1\r\n${HEAD}\r\n`);
      expectRefusal(known, 405, 'methode_unbekannt');
      expect(known).toMatch(/^allow: GET\r$/im);
      const unknown = await exchange(`${method} /v1/gibt-es-nicht HTTP/1.1\r\n${HEAD}\r\n`);
      expectRefusal(unknown, 404, 'pfad_unbekannt');
    },
  );
});
