/**
 * What the proxy adds: `node bench/proxy/run.ts [seconds]`. The same calls by the official client of OpenAI directly and through the proxy,
 * in turns: 200 requests a second, and 500 streams at once. Provider, proxy and callers are processes of their own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { libraries } from '../../clients/typescript/matrix/install.ts';

const RATE = 200;
const STREAMS = 500;
const TURNS = 3;
const KEY = `zw_live_${'k'.repeat(43)}`;
const seconds = Number(process.argv[2] ?? 15);
/** Four hundred words. */
const TEXT = 'How hot is boiling water at sea level? '.repeat(50);

interface Started {
  child: ChildProcess;
  url: string;
}

async function start(args: string[], env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { msg, address } = JSON.parse(line) as { msg: string; address: string };
    if (msg === 'ready') return { child, url: address };
  }
  throw new Error('a process did not start');
}

/** Mebibytes that a process has in memory, now and at most. */
function memoryOf({ child }: Started): { now: number; most: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const mib = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
  return { now: mib('VmRSS'), most: mib('VmHWM') };
}

/** Milliseconds of the processor that a process has used: other work of the machine hardly changes them. */
function processorOf({ child }: Started): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const quantile = (sorted: number[], part: number): number =>
  Number((sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN).toFixed(2));
const median = (values: number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** As much of the official client as is used here. */
interface OpenAi {
  chat: { completions: { create(body: object): Promise<AsyncIterable<unknown>> } };
}
type Client = new (options: { apiKey: string; baseURL: string; maxRetries: number }) => OpenAi;

const load = await libraries();
if (load === null) throw new Error('the official client could not be installed');
const { default: OpenAI } = (await load('openai-7')) as { default: Client };
const clientAt = (baseURL: string): OpenAi => new OpenAI({ apiKey: 'sk-k', baseURL, maxRetries: 0 });
const ASKED = { model: 'gpt-5.1', stream: true, messages: [{ role: 'user', content: TEXT }] };

/** Milliseconds to the first piece, and to the end. */
async function callOf(client: OpenAi): Promise<{ first: number; all: number; pieces: number }> {
  const begin = performance.now();
  let first = 0;
  let pieces = 0;
  for await (const _piece of await client.chat.completions.create(ASKED)) {
    if (pieces === 0) first = performance.now() - begin;
    pieces += 1;
  }
  return { first, all: performance.now() - begin, pieces };
}

interface Rated {
  p50: number;
  p99: number;
  perSecond: number;
}

/** Begins calls at the rate, however long they take. */
async function atRate(client: OpenAi): Promise<Rated> {
  const calls: Promise<{ first: number }>[] = [];
  const begin = performance.now();
  while (performance.now() - begin < seconds * 1_000) {
    const due = ((performance.now() - begin) / 1_000) * RATE;
    while (calls.length < due) calls.push(callOf(client));
    await delay(1);
  }
  const ended = await Promise.all(calls);
  const firsts = ended.map(({ first }) => first).sort((a, b) => a - b);
  const took = (performance.now() - begin) / 1_000;
  return {
    p50: quantile(firsts, 0.5),
    p99: quantile(firsts, 0.99),
    perSecond: Math.round(ended.length / took),
  };
}

/** All streams at once: pieces a second that arrive. */
async function atOnce(client: OpenAi): Promise<number> {
  const begin = performance.now();
  const ended = await Promise.all(Array.from({ length: STREAMS }, () => callOf(client)));
  const pieces = ended.reduce((sum, each) => sum + each.pieces, 0);
  return Math.round(pieces / ((performance.now() - begin) / 1_000));
}

const dataDir = mkdtempSync(join(tmpdir(), 'zw-bench-proxy-'));
const provider = await start([join(import.meta.dirname, 'provider.ts')]);
const service = await start([join(import.meta.dirname, 'provider.ts')]);
// As `npm run proxy` does.
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=80'];
const proxy = await start([...FLAGS, join(import.meta.dirname, '../../proxy/main.ts')], {
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: join(tmpdir(), 'zw-bench-proxy-compiled'),
  PROXY_PORT: '0',
  PROXY_DATA_DIR: dataDir,
  PROXY_TARGETS: `bench=${provider.url}`,
  ZAEHLWERK_URL: service.url,
  ZAEHLWERK_KEY: KEY,
});
const [QUICK, LONG] = ['5x0', '40x100'];
const direct = (how: string) => clientAt(`${provider.url}/${how}/v1`);
const through = (how: string) => clientAt(`${proxy.url}/agent/bench/bench/${how}/v1`);

await Promise.all(Array.from({ length: 200 }, () => callOf(direct(QUICK))));
for (let round = 0; round < 10; round += 1)
  await Promise.all(Array.from({ length: 100 }, () => callOf(through(QUICK))));
const idle = memoryOf(proxy);
const rated: { direct: Rated; proxy: Rated }[] = [];
const streamed: { direct: number; proxy: number }[] = [];
const processor: number[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  const plain = await atRate(direct(QUICK));
  const before = processorOf(proxy);
  rated.push({ direct: plain, proxy: await atRate(through(QUICK)) });
  processor.push((processorOf(proxy) - before) / (RATE * seconds));
  streamed.push({ direct: await atOnce(direct(LONG)), proxy: await atOnce(through(LONG)) });
}
const added = (name: 'p50' | 'p99') => median(rated.map((turn) => turn.proxy[name] - turn.direct[name]));
console.log(
  JSON.stringify(
    {
      first_piece_ms: { turns: rated, added_p50: added('p50'), added_p99: added('p99') },
      streams_pieces_per_second: {
        turns: streamed,
        share: median(streamed.map((turn) => turn.proxy / turn.direct)),
      },
      processor_ms_per_call: median(processor),
      memory_mib: { idle: idle.now, after: memoryOf(proxy).now, most: memoryOf(proxy).most },
    },
    null,
    1,
  ),
);
for (const { child } of [proxy, service, provider]) child.kill('SIGTERM');
rmSync(dataDir, { recursive: true, force: true });
