/** What comes on open connections while the service is being stopped. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anmelden, gesund } from '#contracts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { until } from '#test/until.ts';
import { createApp } from './app.ts';
import { route } from './route.ts';

const REQUEST = 'GET /v1/gesund HTTP/1.1\r\nhost: localhost\r\n\r\n';

let app: FastifyInstance;
/** Resolves when a request is with the handler, which then waits for the gate. */
let entered: PromiseWithResolvers<void>;
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  entered = Promise.withResolvers<void>();
  gate = Promise.withResolvers<void>();
  app = await createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [
      route(gesund, async () => {
        entered.resolve();
        await gate.promise;
        return { status: 'ok', datenbank: 'ok', annahme: 'ok', version: '0' } as const;
      }),
      route(anmelden, async () => {
        throw new Error('nobody gets this far');
      }),
    ],
    authenticator: { key: async () => null, session: async () => null },
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  gate.resolve();
  await app.close();
});

const untilStopping = () => until('the service to stop', () => !app.server.listening);

interface Line {
  socket: Socket;
  /** Everything that has come. */
  text(): string;
  closed: Promise<unknown>;
}

async function open(): Promise<Line> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  await once(socket, 'connect');
  return { socket, text: () => text, closed: once(socket, 'close') };
}

function expectRefusal(answer: string): void {
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect(answer).toMatch(/^retry-after: 1\r$/im);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toEqual({
    detail: 'Der Dienst wird gerade beendet; bitte gleich noch einmal senden.',
    code: 'ueberlastet',
  });
}

test('what is under way is finished and ends its connection', async () => {
  const line = await open();
  line.socket.write(REQUEST);
  await entered.promise;
  const closed = app.close();
  await untilStopping();
  gate.resolve();
  await line.closed;
  await closed;
  expect(line.text()).toMatch(/^HTTP\/1.1 200 /);
  expect(line.text()).toMatch(/^connection: close\r$/im);
});

test('a request that was on its way is refused with a code and the word when to come back, not with a reset', async () => {
  gate.resolve();
  const line = await open();
  line.socket.write(REQUEST);
  await once(line.socket, 'data');
  expect(line.text()).toMatch(/^HTTP\/1.1 200 /);
  const before = line.text().length;
  const closed = app.close();
  await untilStopping();
  line.socket.write(REQUEST);
  await line.closed;
  await closed;
  expectRefusal(line.text().slice(before));
});

test('so is one whose body is still coming, once it has come', async () => {
  const line = await open();
  const closed = app.close();
  await untilStopping();
  const size = 60_000;
  line.socket.write(
    `POST /v1/anmelden HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n{`,
  );
  await once(app.server, 'request');
  expect(line.text()).toBe('');
  line.socket.write(' '.repeat(size - 1));
  await line.closed;
  await closed;
  expectRefusal(line.text());
});

test('nothing new is accepted', async () => {
  const line = await open();
  const { port } = app.server.address() as AddressInfo;
  const closed = app.close();
  await untilStopping();
  const [error] = await once(connect(port, '127.0.0.1'), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  line.socket.destroy();
  await closed;
});

test('any number of connections may go one after the other', async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.name);
  process.on('warning', note);
  const taken = promisify(app.server.getConnections.bind(app.server));
  const lines = await Promise.all(Array.from({ length: 20 }, open));
  await until('the connections to be taken', async () => (await taken()) === 20);
  const closed = app.close();
  await untilStopping();
  for (const { socket, closed: gone } of lines) {
    socket.destroy();
    await gone;
  }
  await closed;
  // Warnings come a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
