/** What comes on a connection that has a request under way while the service is being stopped. */

import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { gesund } from '#contracts';
import { systemClock } from '#kernel/clock.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createApp } from './app.ts';
import { route } from './route.ts';

const REQUEST = 'GET /v1/gesund HTTP/1.1\r\nhost: x\r\n\r\n';

test('is refused with a code and the word when to come back; what is under way is finished', async () => {
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const app = await createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [
      route(gesund, async () => {
        entered.resolve();
        await gate.promise;
        return { status: 'ok', datenbank: 'ok', version: '0' } as const;
      }),
    ],
    authenticator: { key: async () => null, session: async () => null },
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    clock: systemClock,
    cockpitDir: null,
  });
  const stopping = Promise.withResolvers<void>();
  app.addHook('preClose', async () => stopping.resolve());
  const refused = Promise.withResolvers<void>();
  app.addHook('onError', async () => refused.resolve());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let answers = '';
  socket.on('data', (text) => {
    answers += text;
  });
  socket.write(REQUEST);
  await entered.promise;
  const closed = app.close();
  await stopping.promise;
  socket.write(REQUEST);
  await refused.promise;
  gate.resolve();
  await once(socket, 'close');
  await closed;
  const [, first = '', second = ''] = answers.split('HTTP/1.1 ');
  expect(first).toMatch(/^200 /);
  expect(second).toMatch(/^503 /);
  expect(second).toMatch(/^retry-after: 1\r$/im);
  expect(JSON.parse(second.split('\r\n\r\n')[1] as string)).toEqual({
    detail: 'Der Dienst wird gerade beendet; bitte gleich noch einmal senden.',
    code: 'ueberlastet',
  });
});
