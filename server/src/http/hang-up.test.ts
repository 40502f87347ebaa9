/** Whose work ends when the one who asked for it hangs up. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { availableParallelism } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { CPU_OF_A_REPORT, field, operation, Type, text } from '#contracts';
import { callerSignal } from '#platform/caller.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { until } from '#test/until.ts';
import { createApp, route } from './index.ts';

const response = Type.Object({ wort: field(text(), 'A word.') });
const about = { summary: 'Ein Ding.', description: 'A thing.', response } as const;
const session = { kind: 'session', right: 'selbst' } as const;
const lesen = operation({ ...about, id: 'test.lesen', method: 'GET', path: '/v1/lesen', access: session });
const setzen = operation({ ...about, id: 'test.setzen', method: 'PUT', path: '/v1/setzen', access: session });
const rechnen = operation({
  ...about,
  id: 'test.rechnen',
  method: 'POST',
  path: '/v1/rechnen/{ding}',
  params: Type.Object({ ding: field(text(), 'What.') }),
  access: session,
  cpu: CPU_OF_A_REPORT,
});
const offen = operation({
  ...about,
  id: 'test.offen',
  method: 'GET',
  path: '/v1/offen',
  access: { kind: 'public' },
});

let app: FastifyInstance;
afterEach(() => app?.close());

/** What the handler of each knows of its caller, and what lets it end. */
async function start() {
  const begun = new Map<string, AbortSignal | undefined>();
  const end = Promise.withResolvers<void>();
  const handler = (name: string) => async () => {
    begun.set(name, callerSignal());
    await end.promise;
    callerSignal()?.throwIfAborted();
    return { wort: name };
  };
  let arrived = 0;
  const principal = { kind: 'session', rechte: ['selbst'], mandant: 'm', sitzungId: 's' } as never;
  app = await createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [
      route(lesen, handler('lesen')),
      route(setzen, handler('setzen')),
      route(offen, handler('offen')),
      route(rechnen, ({ params: { ding } }) => handler(`rechnen/${ding}`)()),
    ],
    authenticator: {
      key: async () => null,
      session: async () => {
        arrived += 1;
        return principal;
      },
    },
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { begun, end: end.resolve, asked: () => arrived };
}

const requestOf = (method: string, name: string) =>
  `${method} /v1/${name} HTTP/1.1\r\nHost: localhost\r\nCookie: zw_sitzung=x\r\nOrigin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n\r\n`;

function ask(method: string, name: string) {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(requestOf(method, name));
  return socket;
}

async function hangUpOn(method: string, name: string, begun: Map<string, unknown>): Promise<void> {
  const socket = ask(method, name);
  await until(`${name} to be under way`, async () => begun.has(name));
  socket.destroy();
  await once(socket, 'close');
}

test('what only reads for somebody hears of it', async () => {
  const { begun, end } = await start();
  await hangUpOn('GET', 'lesen', begun);
  await until('it to be heard', async () => begun.get('lesen')?.aborted === true);
  end();
});

test('a change that has arrived, and what anybody may ask, go on', async () => {
  const { begun, end } = await start();
  await hangUpOn('PUT', 'setzen', begun);
  await hangUpOn('GET', 'offen', begun);
  expect([begun.get('setzen'), begun.get('offen')]).toEqual([undefined, undefined]);
  end();
});

test('a change that waits for its turn is not made for nobody', async () => {
  const { begun, end, asked } = await start();
  // What one Mandant may have under way, one more that waits and hangs up, and one behind it.
  const most = Math.floor(Math.max(2, availableParallelism()) / 2);
  const sockets = Array.from({ length: most }, (_each, index) => ask('POST', `rechnen/${index}`));
  await until('as many as may be under way', async () => begun.size === most);
  const gone = ask('POST', 'rechnen/gone');
  await until('it to have arrived', async () => asked() === most + 1);
  gone.destroy();
  await once(gone, 'close');
  sockets.push(ask('POST', 'rechnen/last'));
  await until('the one behind it to have arrived', async () => asked() === most + 2);
  end();
  await until('the one behind it to be made', async () => begun.has('rechnen/last'));
  expect(begun.has('rechnen/gone')).toBe(false);
  for (const socket of sockets) socket.destroy();
});

test('who stays gets an answer and is not taken for gone afterwards', async () => {
  const { begun, end } = await start();
  end();
  const { port } = app.server.address() as AddressInfo;
  const headers = { cookie: 'zw_sitzung=x' };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/lesen`, { headers });
  expect([answer.status, await answer.json()]).toEqual([200, { wort: 'lesen' }]);
  expect(begun.get('lesen')?.aborted).toBe(false);
});
