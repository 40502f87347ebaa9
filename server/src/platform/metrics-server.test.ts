import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

let well = true;
let server: MetricsServer;
beforeAll(async () => {
  server = await startMetricsServer(
    { port: 0, host: '127.0.0.1' },
    { metrics: createMetrics(), isWell: async () => well, log: createLog('silent') },
  );
});
afterAll(() => server.stop());

test('the sign of life follows what it is about', async () => {
  const look = async () => {
    const answer = await fetch(`${server.address}/gesund`);
    return [answer.status, await answer.json()];
  };
  expect(await look()).toEqual([200, { status: 'ok', datenbank: 'ok' }]);
  well = false;
  expect(await look()).toEqual([503, { status: 'gestört', datenbank: 'gestört' }]);
  well = true;
  expect((await look())[0]).toBe(200);
});

test('metrics come as Prometheus reads them, and are not kept', async () => {
  const answer = await fetch(`${server.address}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.text()).toContain('process_cpu_user_seconds_total');
});

test('what is no address or no HTTP ends in an answer, not in the end of the process', async () => {
  const { port } = new URL(server.address);
  const say = (text: string) =>
    new Promise<string>((resolve) => {
      let heard = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(text));
      socket.on('data', (bytes) => {
        heard += bytes;
      });
      socket.on('close', () => resolve(heard));
    });
  expect(await say('GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toBe('');
  expect(await say('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
  expect((await fetch(`${server.address}/metrics`)).status).toBe(200);
});
