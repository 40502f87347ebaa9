/**
 * Counting commits before it is on disk. Those who act on its marks must never tell of a count that a crash takes back: here
 * the database is killed again and again, with what it had not written yet.
 */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeMonths } from '#domains/ereignisse/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import type { EmbeddedDatabase } from '#platform/database/embedded/server.ts';
import { createPool, startEmbedded } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { copyData } from '#test/data-template.ts';
import { asSystem } from '#test/database.ts';
import { crashRounds } from '#test/fuzz.ts';
import { signal } from '#test/processes.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { createCountingWorker, createMarkConsumer } from './index.ts';
import type { MarkHandler } from './marks.ts';

const ROUNDS = crashRounds(3);
const log = createLog('fatal');

let directory: string;
let embedded: EmbeddedDatabase;
let service: TestService;
let db: OwnerDatabase;
let mandant: string;
let secret: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'zw-exit-'));
  copyData(inject('dataTemplate'), directory);
  embedded = await startEmbedded(directory, log);
  const { connection } = embedded;
  const options = { connection, max: 6, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, log));
  await makeMonths(db);
  // What nobody waits for stays in memory for ten seconds: long enough to be lost for certain.
  const node = { host: connection.host as string };
  await asSystem(node, `ALTER SYSTEM SET wal_writer_delay = '10s'`);
  await asSystem(node, 'SELECT pg_reload_conf()');
  service = await startService({}, log, { ...embedded, drop: async () => undefined });
  const account = await registerAccount(service);
  mandant = account.mandantId;
  secret = (await createKey(service, account)).secret;
});
afterAll(async () => {
  await service?.stop();
  await db?.close();
  await embedded?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function send(): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: [{ agent: 'a', ereignis_id: randomUUID() }] },
  });
  expect(answer.statusCode).toBe(202);
}

async function total(): Promise<number> {
  const { rows } = await db.query<{ ereignisse_gesamt: number }>(
    'SELECT ereignisse_gesamt FROM zaehlstaende WHERE mandant_id = $1',
    [mandant],
  );
  return rows[0]?.ereignisse_gesamt ?? 0;
}

/** Kills the server and waits until another one runs. */
async function crash(): Promise<void> {
  const pid = embedded.pid() as number;
  signal(pid, 'SIGKILL');
  await until('another server', async () => embedded.pid() !== pid && (await total().then(() => true)));
}

const count = () =>
  createCountingWorker({ db, log, prices: createPriceList(), substituteRate: '0.86' }).drain();

test('what was told outward is there after a crash; what was not may be taken back, and is counted again', async () => {
  let told = 0;
  let takenBack = 0;
  const claims: number[] = [];
  const claim: MarkHandler = async (client) => {
    const { rows } = await client.query<{ gesamt: number }>(
      'SELECT ereignisse_gesamt AS gesamt FROM zaehlstaende WHERE mandant_id = $1',
      [mandant],
    );
    claims.push(rows[0]?.gesamt as number);
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    await send();
    await count();
    const counted = await total();
    expect(counted).toBe(round);
    if (round % 2 === 0) {
      await createMarkConsumer({ db, log, handlers: [claim] }).drain();
      // The claim has committed: now it goes out.
      told = claims.at(-1) as number;
      expect(told).toBe(counted);
    }
    await crash();
    const after = await total();
    expect(after).toBeGreaterThanOrEqual(told);
    takenBack += counted - after;
    await count();
    expect(await total()).toBe(round);
  }
  // Else the rounds proved nothing.
  expect(takenBack).toBeGreaterThan(0);
});
