/** Programs that end, each in its way, with events that are not delivered yet: real processes, a real server, a real disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'tsdown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { VERSION } from './library.ts';

const LIBRARY = { bibliothek: 'zaehlwerk-js', bibliothek_version: VERSION };

/** Made once: a program that reads the sources begins slowly. */
let CLIENT = '';

interface Service {
  baseUrl: string;
  /** Ids of events in the order they came. */
  ids: string[];
  keys: string[];
  isAway: boolean;
  server: Server;
}

let service: Service;
let buffer: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'zw-made-'));
  const entry = { index: join(import.meta.dirname, 'index.ts') };
  await build({
    cwd: join(import.meta.dirname, '..'),
    entry,
    outDir,
    format: 'esm',
    platform: 'neutral',
    fixedExtension: true,
    dts: false,
    config: false,
    logLevel: 'error',
    report: false,
  });
  CLIENT = join(outDir, 'index.mjs');
}, 120_000);
afterAll(() => rmSync(dirname(CLIENT), { recursive: true, force: true }));

beforeEach(async () => {
  buffer = mkdtempSync(join(tmpdir(), 'zw-buffer-'));
  const server = createServer(async (request, response) => {
    const { ereignisse } = JSON.parse(await text(request)) as { ereignisse: { ereignis_id: string }[] };
    if (service.isAway) return response.writeHead(503).end('{}');
    service.ids.push(...ereignisse.map(({ ereignis_id }) => ereignis_id));
    service.keys.push(String(request.headers['idempotency-key']));
    return response.writeHead(202).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = { baseUrl, ids: [], keys: [], isAway: false, server };
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  service.server.closeAllConnections();
  await new Promise((resolve) => service.server.close(resolve));
  rmSync(buffer, { recursive: true, force: true });
});

/** A program with a client `zw`, and `id(n)` for ids that the test knows. */
function start(script: string, options: object = {}): ChildProcess {
  const given = { baseUrl: service.baseUrl, key: 'k', bufferDirectory: buffer, retryDelayMs: 20, ...options };
  const head = `
    const { createClient } = await import(${JSON.stringify(CLIENT)});
    const zw = createClient(${JSON.stringify(given)});
    const id = (n) => '7c9d1f5e-1f0b-4f0a-9a53-' + String(n).padStart(12, '0');
    const send = (n) => zw.send({ ereignis_id: id(n), agent: 'a' });
    const told = (word) => new Promise((resolve) => process.send(word, resolve));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${head}\n${script}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  return child;
}

const id = (n: number): string => `7c9d1f5e-1f0b-4f0a-9a53-${String(n).padStart(12, '0')}`;
const ended = async (child: ChildProcess): Promise<unknown[]> => once(child, 'exit');
const onDisk = (): string[] => (existsSync(buffer) ? readdirSync(buffer) : []);

/** A second program of the same sender, which delivers what the first one left. */
const second = () => ended(start('send(900); await zw.flush(); process.disconnect();'));

describe('a program that ends', () => {
  test.each([
    ['because it has nothing to do', 'send(1); send(2); process.disconnect();', [0, null]],
    ['with a code of its own', 'send(1); send(2); process.exitCode = 3; process.disconnect();', [3, null]],
    [
      'later, by itself',
      'send(1); send(2); setTimeout(() => { process.disconnect(); process.exitCode = 4; }, 5);',
      [4, null],
    ],
  ])('%s has delivered before', async (_how, script, how) => {
    expect(await ended(start(script))).toEqual(how);
    expect(service.ids).toEqual([id(1), id(2)]);
    expect(onDisk()).toEqual([]);
  });

  test.each([
    ['by process.exit', 'send(1); send(2); process.exit(5);', [5, null]],
    ['by an error nobody catches', 'send(1); send(2); throw undefined;', [1, null]],
  ])('%s leaves its events to the next', async (_how, script, how) => {
    expect(await ended(start(script))).toEqual(how);
    expect(service.ids).toEqual([]);
    await second();
    expect(service.ids.toSorted()).toEqual([id(1), id(2), id(900)]);
    expect(onDisk()).toEqual([]);
  });

  test('leaves to the next what passed the moment before as well', async () => {
    const answer = { id: `chatcmpl-${'a'.repeat(24)}`, model: 'gpt-5.1', choices: [], usage: {} };
    const script = `
      const get = () => Response.json({ eingriffe: [] }, { headers: { etag: '"1"' } });
      const own = async (url, init) => (init?.method === 'POST' ? fetch(url, init) : get());
      const options = { baseUrl: ${JSON.stringify(service.baseUrl)}, bufferDirectory: ${JSON.stringify(buffer)} };
      const call = createClient({ ...options, key: 'k', fetch: own }).instrument({
        fetch: async () => Response.json(${JSON.stringify(answer)}),
      });
      const init = { method: 'POST', body: '{"model":"gpt-5.1"}' };
      await (await call('https://api.openai.com/v1/chat/completions', init)).text();
      process.exit(5);`;
    expect(await ended(start(script))).toEqual([5, null]);
    expect(service.ids).toEqual([]);
    await second();
    expect(service.ids).toHaveLength(2);
  });

  test('with the service away ends as soon as it knows, and leaves its events', async () => {
    service.isAway = true;
    expect(await ended(start('send(1); process.disconnect();'))).toEqual([0, null]);
    expect(onDisk()).toHaveLength(1);
    service.isAway = false;
    await second();
    expect(service.ids.toSorted()).toEqual([id(1), id(900)]);
  });

  test('with the service away and no disk is not kept for ever', async () => {
    service.isAway = true;
    const options = { bufferDirectory: false, exitTimeoutMs: 100 };
    expect(await ended(start('send(1); process.disconnect();', options))).toEqual([0, null]);
  });
});

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the process as ever, after a delivery',
    async (signal) => {
      const child = start("setInterval(() => {}, 1000); send(1); await told('ready');");
      await once(child, 'message');
      child.kill(signal);
      expect(await ended(child)).toEqual([null, signal]);
      expect(service.ids).toEqual([id(1)]);
    },
  );

  test('leaves the events on disk while the service is away', async () => {
    service.isAway = true;
    const child = start("setInterval(() => {}, 1000); send(1); await told('ready');");
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await ended(child)).toEqual([null, 'SIGTERM']);
    service.isAway = false;
    await second();
    expect(service.ids.toSorted()).toEqual([id(1), id(900)]);
  });

  test('that the host handles is left to the host', async () => {
    const child = start(
      "process.on('SIGTERM', () => setTimeout(() => process.exit(7), 50)); setInterval(() => {}, 1000); send(1); await told('ready');",
    );
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await ended(child)).toEqual([7, null]);
    await second();
    expect(new Set(service.ids)).toEqual(new Set([id(1), id(900)]));
  });

  test('that the host ignores does not end it', async () => {
    const child = start(
      "process.on('SIGINT', () => told('heard')); setInterval(() => {}, 1000); send(1); await told('ready');",
    );
    await once(child, 'message');
    child.kill('SIGINT');
    expect(await once(child, 'message')).toEqual(expect.arrayContaining(['heard']));
    await expect.poll(() => service.ids).toEqual([id(1)]);
    expect(child.exitCode).toBeNull();
  });

  test('twice does not wait', async () => {
    service.isAway = true;
    const child = start("setInterval(() => {}, 1000); send(1); await told('ready');", {
      bufferDirectory: false,
      exitTimeoutMs: 60_000,
    });
    await once(child, 'message');
    child.kill('SIGTERM');
    child.kill('SIGINT');
    const [code, by] = await ended(child);
    expect([code, ['SIGTERM', 'SIGINT'].includes(by as string)]).toEqual([null, true]);
  });

  test('ends a process with two copies of the package', async () => {
    const copy = `${CLIENT}?copy`;
    const child = start(
      `const other = await import(${JSON.stringify(copy)}); const more = other.createClient(${'{'} baseUrl: '${service.baseUrl}', key: 'k', bufferDirectory: false });
       more.send({ ereignis_id: id(2) }); setInterval(() => {}, 1000); send(1); await told('ready');`,
    );
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await ended(child)).toEqual([null, 'SIGTERM']);
    expect(service.ids.toSorted()).toEqual([id(1), id(2)]);
  });
});

describe('a process that is killed while the service is away', () => {
  test('has its events on disk, also those that came since', async () => {
    service.isAway = true;
    const child = start(
      "send(1); while (zw.stats().buffered < 1) await new Promise((go) => setTimeout(go, 5)); send(2); send(3); while (zw.stats().buffered < 3) await new Promise((go) => setTimeout(go, 5)); await told('ready'); setInterval(() => {}, 1000);",
      { flushIntervalMs: 10, retryDelayMs: 60_000 },
    );
    await once(child, 'message');
    child.kill('SIGKILL');
    await ended(child);
    service.isAway = false;
    await second();
    expect(service.ids.toSorted()).toEqual([id(1), id(2), id(3), id(900)]);
    expect(onDisk()).toEqual([]);
  });

  test('comes back by itself when the service does', async () => {
    service.isAway = true;
    const child = start("send(1); send(2); await told('ready'); setInterval(() => {}, 1000);", {
      flushIntervalMs: 10,
    });
    await once(child, 'message');
    await expect.poll(onDisk).not.toEqual([]);
    service.isAway = false;
    await expect.poll(() => service.ids).toEqual([id(1), id(2)]);
    await expect.poll(onDisk).toEqual([]);
  });
});

test('of two processes at once each takes what nobody holds, and nothing comes twice', async () => {
  service.isAway = true;
  const many = 'for (let n = 0; n < 500; n++) send(BASE + n); process.disconnect();';
  const options = { batchSize: 20 };
  await Promise.all([0, 1000].map((base) => ended(start(many.replace('BASE', String(base)), options))));
  expect(onDisk().length).toBeGreaterThan(40);
  service.isAway = false;
  await Promise.all([second(), second(), second()]);
  await second();
  const sent = service.ids.filter((each) => each !== id(900));
  expect(sent).toHaveLength(1000);
  expect(new Set(sent).size).toBe(1000);
  expect(onDisk()).toEqual([]);
});

test('a batch that was tried comes again under its key, by another process, too', async () => {
  service.isAway = true;
  await ended(start('send(1); process.disconnect();'));
  const [name = ''] = onDisk();
  service.isAway = false;
  await second();
  expect(service.keys).toContain(name.replace('.jsonl', ''));
});

describe('a disk that does not take them', () => {
  test.each([
    ['is full', { maxBufferBytes: 10 }],
    ['is a file', { bufferDirectory: join(tmpdir(), 'zw-no-directory') }],
  ])('because it %s: they stay in memory', async (_why, options) => {
    writeFileSync(join(tmpdir(), 'zw-no-directory'), '');
    service.isAway = true;
    const child = start("send(1); send(2); await told('ready'); setInterval(() => {}, 1000);", {
      flushIntervalMs: 5,
      ...options,
    });
    await once(child, 'message');
    await new Promise((resolve) => setTimeout(resolve, 100));
    service.isAway = false;
    await expect.poll(() => service.ids).toEqual([id(1), id(2)]);
  });

  test('because it may not be written to', async () => {
    chmodSync(buffer, 0o500);
    service.isAway = true;
    const child = start("send(1); await told('ready'); setInterval(() => {}, 1000);", { flushIntervalMs: 5 });
    await once(child, 'message');
    service.isAway = false;
    await expect.poll(() => service.ids).toEqual([id(1)]);
  });
});

test.each([
  ['a process that is gone', '999999999', 0, [1, 900]],
  ['one of the same number before, as in containers', "' + process.pid + '", 60, [1, 900]],
  ['another thread of the same process', "' + process.pid + '", -60, [900]],
  ['a process that is there', String(process.pid), 0, [900]],
  ['a process that is there, for too long', String(process.pid), 700, [1, 900]],
])('what is held by %s', async (_whom, pid, secondsAgo, expected) => {
  const child = start(`
    const fs = await import('node:fs'); const os = await import('node:os');
    const holder = os.hostname().replace(/[^A-Za-z0-9]/g, '').slice(0, 40) + '-${pid}';
    const file = ${JSON.stringify(buffer)} + '/11111111-2222-4333-8444-555555555555.' + holder + '.held';
    fs.writeFileSync(file, JSON.stringify({ ereignis_id: id(1) }) + '\\n');
    const then = Date.now() / 1000 - ${secondsAgo};
    fs.utimesSync(file, then, then);
    send(900); await zw.flush(); process.disconnect();`);
  expect(await ended(child)).toEqual([0, null]);
  expect(service.ids.toSorted()).toEqual(expected.map(id));
});

test('what a crash cut off is left out, and the rest is delivered', async () => {
  const key = '11111111-2222-4333-8444-555555555555';
  writeFileSync(join(buffer, `${key}.jsonl`), `{"ereignis_id":"${id(1)}"}\n{"ereignis_id":"${id(2)}`);
  await second();
  expect(service.ids.toSorted()).toEqual([id(1), id(900)]);
  expect(onDisk()).toEqual([]);
});

test('what waits is the event alone, and nobody else can read it', async () => {
  service.isAway = true;
  await ended(
    start("zw.send({ ereignis_id: id(1), zeitpunkt: '2026-11-20T12:00:00Z' }); process.disconnect();"),
  );
  const path = join(buffer, onDisk()[0] ?? '');
  expect(readFileSync(path, 'utf8')).toBe(
    `{"ereignis_id":"${id(1)}","zeitpunkt":"2026-11-20T12:00:00Z","zusatz":${JSON.stringify(LIBRARY)}}\n`,
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
