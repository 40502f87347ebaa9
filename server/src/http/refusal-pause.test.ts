/** How refusals of one that does not pause are held, and nobody else's. */
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { operation, Type } from '#contracts';
import { AppError } from '#kernel/errors.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createApp, route } from './index.ts';
import { AT_ONCE, createRefusalPause, HELD_MS } from './refusal-pause.ts';

const OURS = mandantId('00000000-0000-4000-8000-000000000001');
const THEIRS = mandantId('00000000-0000-4000-8000-000000000002');

test('the first refusals of each second are answered at once, of each Mandant', () => {
  let now = 0;
  const pause = createRefusalPause(() => now);
  const holds = (mandant: typeof OURS, times: number) =>
    Array.from({ length: times }, () => pause.of(mandant));
  expect(new Set(holds(OURS, AT_ONCE))).toEqual(new Set([0]));
  expect(holds(OURS, 3)).toEqual([HELD_MS, HELD_MS, HELD_MS]);
  expect(holds(THEIRS, 1)).toEqual([0]);
  now = 1_000;
  expect(new Set(holds(OURS, AT_ONCE))).toEqual(new Set([0]));
  expect(holds(OURS, 1)).toEqual([HELD_MS]);
});

let app: FastifyInstance;
afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
});

const SESSION = { kind: 'session', right: 'selbst' } as const;
const about = { summary: 'Ein Ding.', description: 'A thing.', response: Type.Object({}) } as const;
const voll = operation({ ...about, id: 'test.voll', method: 'GET', path: '/v1/voll', access: SESSION });
const senden = operation({
  ...about,
  id: 'test.senden',
  method: 'POST',
  path: '/v1/senden',
  body: Type.Object({}),
  access: { kind: 'key', scope: 'Senden' },
});
const frei = operation({ ...about, id: 'test.frei', method: 'GET', path: '/v1/frei', access: SESSION });

async function start() {
  const tooMany = () => new AppError('too-many', 'anteil_verbraucht', { de: 'Zu viel.', en: 'Too much.' }, 2);
  app = await createApp({
    log: createLog('fatal'),
    metrics: createMetrics(),
    routes: [
      route(voll, async () => {
        throw tooMany();
      }),
      route(frei, async () => ({})),
      route(senden, async () => ({})),
    ],
    quota: {
      admit: () => {
        throw tooMany();
      },
    },
    authenticator: {
      key: async (mandant: string) =>
        ({ kind: 'key', mandant, schluesselId: 'k', bereiche: ['Senden'] }) as never,
      session: async (token: string) =>
        ({ kind: 'session', rechte: ['selbst'], mandant: token, sitzungId: 's' }) as never,
    },
    production: false,
    baseUrl: () => 'http://localhost',
    trustedProxies: [],
    version: '0',
    cockpitDir: null,
  } as never);
}

test('one that asks again and again is held, and what it may have is not, nor is another Mandant', async () => {
  await start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const answered: number[] = [];
  const ask = (url: string, mandant: string) => app.inject({ url, cookies: { zw_sitzung: mandant } });
  const all = Array.from({ length: AT_ONCE + 5 }, async (_, number) => {
    const answer = await ask('/v1/voll', OURS);
    answered.push(number);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '2']);
  });
  expect((await ask('/v1/voll', THEIRS)).statusCode).toBe(429);
  expect((await ask('/v1/frei', OURS)).statusCode).toBe(200);
  expect(answered).toHaveLength(AT_ONCE);
  vi.advanceTimersByTime(HELD_MS);
  await Promise.all(all);
  expect(answered).toHaveLength(AT_ONCE + 5);
});

test('a body that is refused and held takes no room meanwhile', async () => {
  await start();
  const rooms: unknown[] = [];
  let refused = 0;
  app.addHook('onError', async () => {
    refused += 1;
  });
  app.addHook('onRequest', async (request) => {
    rooms.push(() => (request as { room?: unknown }).room);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const all = Array.from({ length: AT_ONCE + 5 }, () =>
    app.inject({
      method: 'POST',
      url: '/v1/senden',
      payload: {},
      headers: { authorization: `Bearer ${OURS}` },
    }),
  );
  await vi.waitFor(() => expect(refused).toBe(AT_ONCE + 5));
  expect(rooms.slice(AT_ONCE).map((room) => (room as () => unknown)())).toEqual(Array(5).fill(null));
  vi.advanceTimersByTime(HELD_MS);
  await Promise.all(all);
});
