/** What a batch that waits for the database holds in memory: nothing but what will be stored. */
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

const MEGABYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let service: TestService;
let address: string;
let secret: string;
let blocker: pg.Client;
beforeAll(async () => {
  service = await startService();
  secret = (await createKey(service, await registerAccount(service))).secret;
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  blocker = new pg.Client(service.connection);
  await blocker.connect();
});
afterAll(async () => {
  await blocker?.end();
  await service?.stop();
});

/** The JSON of a batch of some 8 MiB that becomes small when it is compressed. */
const largeBatch = (more: object) => {
  const zusatz = { text: 'x'.repeat(8_000) };
  const ereignisse = Array.from({ length: 1_000 }, (_, index) => ({ agent: `a${index}`, zusatz }));
  return Buffer.from(JSON.stringify({ ereignisse, ...more }));
};

/** Begins to send, and holds on to nothing of it. */
function send(body: Buffer): ClientRequest {
  const sending = request(`${address}/v1/ereignisse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  });
  return sending.end(body);
}

const isWaiting = async () => {
  const rows = await service.sql(
    "SELECT 1 FROM pg_locks WHERE relation = 'eingang'::regclass AND NOT granted",
  );
  return rows.length > 0;
};

function heldMegabytes(): number {
  for (let pass = 0; pass < 3; pass += 1) collectGarbage();
  return process.memoryUsage().arrayBuffers / MEGABYTE;
}

test.each([
  ['straight from its bytes', {}],
  ['in general', { mehr: 1 }],
])('a batch read %s is let go once it is compressed', async (_way, more) => {
  await blocker.query('BEGIN; LOCK TABLE eingang IN ACCESS EXCLUSIVE MODE');
  const before = heldMegabytes();
  const answered = once(send(largeBatch(more)), 'response');
  await until('the batch to wait for the database', isWaiting);
  // A busy machine may not have handed the last of it on when the first of it waits already.
  await until('the batch to be let go', () => heldMegabytes() - before < 2);
  expect(await isWaiting()).toBe(true);
  await blocker.query('ROLLBACK');
  const [response] = await answered;
  expect(response.statusCode).toBe(202);
  response.resume();
});

// Hundreds of megabytes; `platform/back-pressure` has what is refused, the two above what a batch holds.
test.runIf(isWhole)('batches that are small only while they are packed do not pile up', async () => {
  await blocker.query('BEGIN; LOCK TABLE eingang IN ACCESS EXCLUSIVE MODE');
  const ereignisse = Array.from({ length: 10_000 }, (_, n) => ({ modell: `${'m'.repeat(60)}${n % 5_000}` }));
  const payload = gzipSync(JSON.stringify({ ereignisse }));
  const before = heldMegabytes();
  const sent = Array.from({ length: 80 }, () =>
    service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload,
    }),
  );
  const refused = await Promise.any(
    sent.map(async (answer) => {
      const { statusCode } = await answer;
      if (statusCode !== 503) throw new Error(`${statusCode}`);
      return (await answer).json().code as string;
    }),
  );
  expect(refused).toBe('ueberlastet');
  expect(heldMegabytes() - before).toBeLessThan(48);
  await blocker.query('ROLLBACK');
  for (const { statusCode } of await Promise.all(sent)) expect([202, 503]).toContain(statusCode);
});
