/** Bodies that are large, packed or dear, at the real door: who reads them, who waits for them, what they may cost. */
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import type { ToRead } from './messages.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const newKey = async () => (await createKey(service, await registerAccount(service))).secret;

const send = (secret: string, payload: Buffer, encoding = 'identity'): Promise<LightMyRequestResponse> =>
  service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'content-encoding': encoding,
    },
    payload,
  });

const batch = (events: number) =>
  Buffer.from(
    JSON.stringify({
      ereignisse: Array.from({ length: events }, (_, n) => ({ agent: `a${n % 9}`, eingabe_token: n })),
    }),
  );
const filled = (head: string, piece: string, tail: string, bytes = 10_000_000) =>
  Buffer.from(head + piece.repeat(Math.floor(bytes / piece.length)).replace(/,$/, '') + tail);

/** Bodies that the thread has at a time. */
const MOST_UNDER_WAY = 2;
/** What a message to the reading thread says of its request. */
const headerOf = (message: unknown) => (message as Partial<ToRead>).header;

describe('a body read aside', () => {
  test('waits for what is under way only, however much another Mandant has sent', async () => {
    const [busy, calm] = [await newKey(), await newKey()];
    // Keys that are known hold nobody up on the way to the thread.
    for (const secret of [busy, calm]) expect((await send(secret, batch(1))).statusCode).toBe(202);
    const handedOver = vi.spyOn(Worker.prototype, 'postMessage');
    const secrets = [...Array.from({ length: 12 }, () => busy), calm];
    const answers = await Promise.all(secrets.map((secret) => send(secret, batch(6_000))));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(secrets.map(() => 202));
    const order = handedOver.mock.calls.flatMap(([message]) => headerOf(message)?.authorization ?? []);
    handedOver.mockRestore();
    expect(order).toHaveLength(secrets.length);
    expect(order.indexOf(`Bearer ${calm}`)).toBeLessThanOrEqual(MOST_UNDER_WAY);
  });

  test('is refused as it would be here', async () => {
    const secret = await newKey();
    const faulty = Array.from({ length: 5_000 }, () => ({ eingabe_token: 1 }));
    faulty[4_321] = { eingabe_token: -1 };
    const answers = await Promise.all([
      send(secret, Buffer.from(JSON.stringify({ ereignisse: faulty }))),
      send(secret, batch(10_001)),
      send(secret, filled('{"ereignisse":[{}', ' ', 'x]}')),
      send(secret, filled('{"ereignisse":', '[', '')),
      send(secret, Buffer.from('kein gzip'), 'gzip'),
      send(secret, batch(1), 'zip'),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 413, 422, 400, 400, 415]);
    expect(answers[0]?.json().detail).toEqual([
      {
        type: 'greater_than_equal',
        loc: ['body', 'ereignisse', 4_321, 'eingabe_token'],
        msg: 'Input should be greater than or equal to 0',
        input: -1,
        ctx: { ge: 0 },
      },
    ]);
  });

  test('may not have become much more than it was when it was packed', async () => {
    const secret = await newKey();
    const alike = filled('{"ereignisse":[', '{},', ']}', 900_000);
    expect((await send(secret, gzipSync(alike), 'gzip')).statusCode).toBe(413);
    const blank = gzipSync(filled('{"ereignisse":[{}', ' ', ']}', 5_000_000));
    const answer = await send(secret, blank, 'gzip');
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'zu_gross']);
    expect(answer.json().detail).toMatch(/256-mal/);
    const ordinary = gzipSync(batch(10_000));
    expect((await send(secret, ordinary, 'gzip')).statusCode).toBe(202);
  });
});

describe('what bodies cost', () => {
  /** Of the ten thousand events that it holds the last one is wrong: all are read, none is worth anything. */
  const lax = ['schritt_nr', 'eingabe_token', 'ausgabe_token', 'cache_lese_token', 'denk_token', 'latenz_ms']
    .map((name) => `"${name}":" 1_2 "`)
    .join(',');
  const dear = gzipSync(
    `{"ereignisse":[${`{"modell":"\\u0061","zeitpunkt":1700000000,${lax}},`.repeat(9_999)}{"status":1}]}`,
  );

  test('is booked beyond what they are worth: then 429 for this key alone, also for those that wait for their turn', async () => {
    const [hostile, other] = [await newKey(), await newKey()];
    const answers = await Promise.all(Array.from({ length: 200 }, () => send(hostile, dear, 'gzip')));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(20);
    expect(refused[0]?.json().code).toBe('rechenzeit_verbraucht');
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(other, batch(1))).statusCode).toBe(202);
    // By then some may have come back: one more dear body, or a few, and it is gone for small ones as well.
    while ((await send(hostile, dear, 'gzip')).statusCode !== 429);
    expect((await send(hostile, batch(1))).statusCode).toBe(429);
  });

  test('does not stop one who sends ordinary batches as fast as it can', async () => {
    const secret = await newKey();
    const full = gzipSync(batch(10_000));
    for (let sent = 0; sent < 30; sent += 1)
      expect(
        (await send(secret, sent % 2 ? full : batch(5), sent % 2 ? 'gzip' : 'identity')).statusCode,
      ).toBe(202);
  });
});
