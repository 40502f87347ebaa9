/** Bodies over real connections: what their senders see, and how much they can hold up. */

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ereignisseAnnehmen, MAX_BATCH_BYTES } from '#contracts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { until } from '#test/until.ts';
import { createApp } from './app.ts';
import { route } from './route.ts';

const MEGABYTE = 1024 * 1024;
const LARGEST = Buffer.from(JSON.stringify({ ereignisse: [] }).padEnd(MAX_BATCH_BYTES, ' '));
const TOO_LARGE = new Uint8Array(12 * MEGABYTE);

let app: FastifyInstance;
let port: number;
let entered = 0;
/** What the handler waits for. */
let gate: Promise<void> = Promise.resolve();
const sockets: Socket[] = [];

/** The service with one operation; a key is the last digit of its Mandant's id. */
function createTestApp(): Promise<FastifyInstance> {
  const take = route(
    ereignisseAnnehmen,
    async () => {
      entered += 1;
      await gate;
      return { angenommen: 0, doppelt_im_stapel: 0, eingang_id: null, eingriffe: [] };
    },
    { bodyLimit: MAX_BATCH_BYTES },
  );
  return createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [take],
    authenticator: {
      key: async (secret) => ({
        kind: 'key',
        mandant: mandantId(`00000000-0000-4000-8000-00000000000${secret}`),
        schluesselId: secret,
        bereiche: ['Senden'],
        projekt: null,
        kontingente: null,
        annahmeAb: null,
      }),
      session: async () => null,
    },
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
  });
}

beforeAll(async () => {
  app = await createTestApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => app.close());

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

/** The status with which a whole body is answered; rejects when the sender gets no answer. */
async function send(key: string, body: Uint8Array<ArrayBuffer> | ReadableStream): Promise<number> {
  const stream = body instanceof ReadableStream ? { duplex: 'half' } : {};
  const init = { method: 'POST', headers: headersOf(key), body, ...stream };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/ereignisse`, init as RequestInit);
  await answer.text();
  return answer.status;
}

const requestHead = (key: string, length: string) => {
  const headers = Object.entries(headersOf(key)).map(([name, value]) => `${name}: ${value}`);
  return ['POST /v1/ereignisse HTTP/1.1', 'host: localhost', ...headers, length, '', ''].join('\r\n');
};

/** Begins a request by hand. */
async function begin(key: string, length: string, body: string | Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(requestHead(key, length));
  socket.write(body);
  return socket;
}

/** The status of the next answer. */
const statusOf = async (socket: Socket): Promise<number> => {
  const [data] = await once(socket, 'data');
  return Number((data as Buffer).toString('latin1').split(' ')[1]);
};

const largest = new Uint8Array(LARGEST);
const chunked = (bytes: Uint8Array) =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });

describe('a body that is too large', () => {
  test('is refused for its announcement alone, and the answer waits for one who looks after sending', async () => {
    const socket = await begin('1', `content-length: ${TOO_LARGE.length}`, '');
    // Without a look at what comes back.
    await new Promise((resolve) => socket.write(TOO_LARGE, resolve));
    expect(await statusOf(socket)).toBe(413);
  });

  test('of unknown length is refused too, and the same connection goes on afterwards', async () => {
    const head = `${TOO_LARGE.length.toString(16)}\r\n`;
    const socket = await begin('1', 'transfer-encoding: chunked', head);
    const answered = statusOf(socket);
    await new Promise((resolve) => socket.write(TOO_LARGE, resolve));
    expect(await answered).toBe(413);
    socket.write(`\r\n0\r\n\r\n${requestHead('1', 'content-length: 2')}{}`);
    expect(await statusOf(socket)).toBe(202);
  });
});

describe('senders that stop half-way', () => {
  test('do not hold up their own Mandant by what they have not sent', async () => {
    for (const length of ['transfer-encoding: chunked', `content-length: ${MAX_BATCH_BYTES}`])
      await Promise.all(Array.from({ length: 40 }, () => begin('1', length, '5\r\n{"ere')));
    expect(await Promise.all([send('1', largest), send('1', chunked(largest))])).toEqual([202, 202]);
  });

  test.each(['content-length', 'transfer-encoding'])(
    'do not hold up another Mandant by what they have sent (%s)',
    async (kind) => {
      const size = 9 * MEGABYTE;
      const length =
        kind === 'content-length' ? `content-length: ${MAX_BATCH_BYTES}` : 'transfer-encoding: chunked';
      const head = kind === 'content-length' ? '' : `${MAX_BATCH_BYTES.toString(16)}\r\n`;
      const body = Buffer.from(head.padEnd(size, ' '));
      const hostile = await Promise.all(Array.from({ length: 6 }, () => begin('1', length, body)));
      const refused: number[] = [];
      for (const socket of hostile)
        statusOf(socket).then(
          (status) => refused.push(status),
          () => undefined,
        );
      // Three of them fit.
      await until('the others to be refused', () => refused.length >= 3);
      expect(refused).toEqual([503, 503, 503]);
      expect(await send('2', largest)).toBe(202);
      expect(await send('3', chunked(largest))).toBe(202);
    },
  );

  test('are given up when the service closes', async () => {
    const closing = await createTestApp();
    await closing.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((closing.server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    const received = once(closing.server, 'request');
    socket.write(`${requestHead('1', 'content-length: 9')}{`);
    await received;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const closed = closing.close();
      await until('the service to set itself a limit', () => vi.getTimerCount() > 0);
      await vi.advanceTimersByTimeAsync(20_000);
      await closed;
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a body keeps its room while it is worked on, also when its sender hangs up', async () => {
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  entered = 0;
  const served: Socket[] = [];
  const note = (socket: Socket) => served.push(socket);
  app.server.on('connection', note);
  const length = `content-length: ${LARGEST.length}`;
  const senders = await Promise.all([1, 2, 3].map(() => begin('1', length, LARGEST)));
  await until('all to be worked on', () => entered === 3);
  app.server.off('connection', note);
  for (const socket of senders) socket.destroy();
  await until('the service to notice', () => served.every((socket) => socket.destroyed));

  const another = await begin('1', length, LARGEST);
  await Promise.race([once(another, 'readable'), until('the handler', () => entered > 3)]);
  expect(entered).toBe(3);
  expect(await statusOf(another)).toBe(503);
  opened.resolve();
  await until('the room to be free again', async () => (await send('1', largest)) === 202);
});
