/** The composed service: its address, and that it stops whatever its parts are doing. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { cloneDatabase, environmentFor, type TestDatabase } from '#test/database.ts';
import { isWhole } from '#test/depth.ts';
import { until } from '#test/until.ts';
import { startService } from './service.ts';

let dataDir: string;
let database: TestDatabase;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'zw-service-'));
  database = await cloneDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function start(env: Record<string, string>, destination?: { write(line: string): void }) {
  const common = { PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir, PREISLISTE_URL: '' };
  const config = parseConfig({ ...common, ...environmentFor(database), ...env });
  return startService(config, createLog(config.logLevel, destination));
}

describe('with a port of the system’s choice', () => {
  test.each([
    ['the address it is given', 'https://zaehler.example'],
    ['the port it has got', undefined],
  ])('it names %s', async (_name, given) => {
    const service = await start({ ROLLE: 'api', ...(given ? { BASE_URL: given } : {}) });
    const { port } = new URL(service.address as string);
    const address = given ?? `http://localhost:${port}`;
    const register = await fetch(`${service.address}/v1/registrieren`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        firma: 'Muster GmbH',
        email: `${randomUUID()}@example.org`,
        passwort: 'richtig-lang-genug',
      }),
    });
    const cookie = register.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const read = async (path: string) =>
      (await fetch(`${service.address}${path}`, { headers: { cookie } })).json();
    const page = await read('/v1/cockpit/anbindung');
    const document = await read('/openapi.json');
    await service.stop();
    expect(page).toMatchObject({ adressen: { ereignisse: `${address}/v1/ereignisse` } });
    expect(document).toMatchObject({ servers: [{ url: address }] });
  });
});

const OTHERS: [Record<string, string>, boolean][] = [
  [{ NODE_ENV: 'test' }, true],
  [{}, false],
];

describe('links that sign in, in answers to everybody', () => {
  test.each<[Record<string, string>, boolean]>([
    [{ NODE_ENV: 'development' }, true],
    [{ NODE_ENV: 'production' }, false],
    ...(isWhole ? OTHERS : []),
  ])('with %j the start warns of them: %s', async (env, warns) => {
    const lines: { level: string; msg: string }[] = [];
    const service = await start(
      { ROLLE: 'api', LOG_LEVEL: 'warn', ...env },
      { write: (line) => lines.push(JSON.parse(line)) },
    );
    await service.stop();
    const found = lines.filter(({ level, msg }) => level === 'warn' && msg.includes('links that sign in'));
    expect(found).toHaveLength(warns ? 1 : 0);
    if (warns) expect(found[0]?.msg).toContain('NODE_ENV');
  });
});

describe('a worker', () => {
  const get = async (address: string, path: string, method = 'GET') => {
    const answer = await fetch(`${address}${path}`, { method });
    return { status: answer.status, text: await answer.text() };
  };

  test('listens nowhere unless the settings say where', async () => {
    const service = await start({ ROLLE: 'worker' });
    await service.stop();
    expect([service.address, service.metricsAddress]).toEqual([null, null]);
  });

  test('offers metrics of counting and jobs, and a sign of life, on a port of its own', async () => {
    const service = await start({ ROLLE: 'worker', METRICS_PORT: '0' });
    const address = service.metricsAddress as string;
    expect(service.address).toBeNull();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // Jobs of the schedule run at the start, in this very process.
    await until('a run of a job', async () =>
      /zaehlwerk_job_seconds_count\{job="budgets.pruefen",outcome="done"\} [1-9]/.test(
        (await get(address, '/metrics')).text,
      ),
    );
    const { text } = await get(address, '/metrics');
    for (const name of ['backlog_seconds', 'uncountable_batches', 'counted_total', 'price_list_age_seconds'])
      expect(text).toMatch(new RegExp(`^zaehlwerk_${name} \\d`, 'm'));
    expect(await get(address, '/gesund')).toEqual({ status: 200, text: '{"status":"ok","datenbank":"ok"}' });
    expect(await get(address, '/v1/status')).toEqual({ status: 404, text: '' });
    expect((await get(address, '/metrics', 'POST')).status).toBe(405);
    await service.stop();
    await expect(fetch(`${address}/metrics`)).rejects.toThrow();
  });

  test('does not start where its port is taken', async () => {
    const first = await start({ ROLLE: 'worker', METRICS_PORT: '0' });
    const { port } = new URL(first.metricsAddress as string);
    await expect(start({ ROLLE: 'worker', METRICS_PORT: port })).rejects.toThrow('EADDRINUSE');
    await first.stop();
  });
});

describe('it stops', () => {
  let threads: Worker[] = [];
  let online: Promise<unknown>[] = [];
  const note = (thread: Worker) => {
    threads.push(thread);
    online.push(once(thread, 'online'));
  };
  beforeEach(() => process.on('worker', note));
  afterEach(() => {
    process.off('worker', note);
    threads = [];
    online = [];
  });
  /** The service with a counting thread that runs, and that thread. */
  async function startCounting() {
    const service = await start({});
    await online[0];
    return { service, thread: threads[0] as Worker };
  }

  // The last of them goes through what these do, one after the other.
  const inWhole = test.runIf(isWhole);

  inWhole('when the counting thread has only just begun', async () => {
    const service = await start({});
    await service.stop();
    expect(threads.map((thread) => thread.threadId)).toEqual([-1]);
  });

  inWhole('when the counting thread is just dying', async () => {
    const { service, thread } = await startCounting();
    const dead = thread.terminate();
    await service.stop();
    await dead;
    expect(threads).toHaveLength(1);
  });

  inWhole('when the counting thread is dead and the next one is not there yet', async () => {
    const { service, thread } = await startCounting();
    await thread.terminate();
    await service.stop();
    expect(threads).toHaveLength(1);
  });

  test('when the counting thread was replaced', async () => {
    const { service, thread } = await startCounting();
    await thread.terminate();
    await until('another thread', () => threads[1]);
    await service.stop();
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1, -1]);
  });
});
