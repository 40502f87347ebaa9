/**
 * What the proxy adds: `node bench/proxy/run.ts [seconds] [--beside relay,litellm,portkey]`. The same calls by the official client of OpenAI directly, through
 * the proxy and through the others that are named, in turns: 200 requests a second, and 500 streams at once. Provider, proxies and callers are
 * processes of their own.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { libraries } from '../../clients/typescript/matrix/install.ts';
import { type Reached, startBeside } from './beside.ts';
import { memoryOf, processorOf, type Started, startOurs } from './processes.ts';

const RATE = 200;
const STREAMS = 500;
const TURNS = 3;
const KEY = `zw_live_${'k'.repeat(43)}`;
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string', default: '' } },
});
const seconds = Number(positionals[0] ?? 15);
/** Four hundred words. */
const TEXT = 'How hot is boiling water at sea level? '.repeat(50);
/** Calls of five pieces at once, and of forty in four seconds. */
const [QUICK, LONG] = ['5x0', '40x100'] as const;

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
type Client = new (options: {
  apiKey: string;
  baseURL: string;
  maxRetries: number;
  defaultHeaders: Record<string, string>;
}) => OpenAi;

const load = await libraries();
if (load === null) throw new Error('the official client could not be installed');
const { default: OpenAI } = (await load('openai-7')) as { default: Client };

interface Ended {
  first: number;
  pieces: number;
}

/** A caller by one way: milliseconds to the first piece; null where the call failed. */
function callerBy({ baseURL, model, headers }: Reached): () => Promise<Ended | null> {
  const client = new OpenAI({ apiKey: 'sk-k', baseURL, maxRetries: 0, defaultHeaders: headers });
  const asked = { model, stream: true, messages: [{ role: 'user', content: TEXT }] };
  return async () => {
    const begin = performance.now();
    let first = 0;
    let pieces = 0;
    try {
      for await (const _piece of await client.chat.completions.create(asked)) {
        if (pieces === 0) first = performance.now() - begin;
        pieces += 1;
      }
    } catch {
      return null;
    }
    return pieces === 0 ? null : { first, pieces };
  };
}

interface Rated {
  p50: number;
  p99: number;
  /** Answers a second, of those that were asked for. */
  perSecond: number;
  failed: number;
}

const isThere = (ended: Ended | null): ended is Ended => ended !== null;

/** Begins calls at the rate, however long they take. */
async function atRate(call: () => Promise<Ended | null>): Promise<Rated> {
  const calls: Promise<Ended | null>[] = [];
  const begin = performance.now();
  while (performance.now() - begin < seconds * 1_000) {
    const due = ((performance.now() - begin) / 1_000) * RATE;
    while (calls.length < due) calls.push(call());
    await delay(1);
  }
  const ended = (await Promise.all(calls)).filter(isThere);
  const firsts = ended.map(({ first }) => first).sort((a, b) => a - b);
  const took = (performance.now() - begin) / 1_000;
  return {
    p50: quantile(firsts, 0.5),
    p99: quantile(firsts, 0.99),
    perSecond: Math.round(ended.length / took),
    failed: calls.length - ended.length,
  };
}

/** All streams at once: pieces a second that arrive. */
async function atOnce(call: () => Promise<Ended | null>): Promise<{ perSecond: number; failed: number }> {
  const begin = performance.now();
  const ended = (await Promise.all(Array.from({ length: STREAMS }, call))).filter(isThere);
  const pieces = ended.reduce((sum, each) => sum + each.pieces, 0);
  const perSecond = Math.round(pieces / ((performance.now() - begin) / 1_000));
  return { perSecond, failed: STREAMS - ended.length };
}

const root = join(import.meta.dirname, '../..');

/** Environment, flags and program of `npm run proxy`. */
function asStarted(): { args: string[]; env: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { proxy: string };
  };
  const words = scripts.proxy.split(' ');
  const env = Object.fromEntries(
    words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=') as [string, string]),
  );
  const args = [...words.filter((word) => word.startsWith('--')), join(root, words.at(-1) ?? '')];
  return { args, env };
}

const dataDir = mkdtempSync(join(tmpdir(), 'zw-bench-proxy-'));
const provider = await startOurs([join(import.meta.dirname, 'provider.ts')]);
const service = await startOurs([join(import.meta.dirname, 'provider.ts')]);
await promisify(execFile)(process.execPath, [join(root, 'proxy/build.ts')]);
const { args, env } = asStarted();
const proxy = await startOurs(args, {
  ...env,
  NODE_COMPILE_CACHE: join(tmpdir(), 'zw-bench-proxy-compiled'),
  PROXY_PORT: '0',
  PROXY_DATA_DIR: dataDir,
  PROXY_TARGETS: `bench=${provider.url}`,
  ZAEHLWERK_URL: service.url,
  ZAEHLWERK_KEY: KEY,
});
const names = given.beside.split(',').filter((name) => name !== '');
const others = await startBeside(names, provider.url, [QUICK, LONG]);

/** A way that calls go, and what was seen of it. */
interface Way {
  name: string;
  started: Started;
  quick: () => Promise<Ended | null>;
  long: () => Promise<Ended | null>;
  idle: number;
  rated: Rated[];
  streamed: { perSecond: number; failed: number }[];
  processor: number[];
}

function wayOf(name: string, started: Started, reach: (how: string) => Reached): Way {
  const [quick, long] = [callerBy(reach(QUICK)), callerBy(reach(LONG))];
  return { name, started, quick, long, idle: 0, rated: [], streamed: [], processor: [] };
}

const plainly = (base: string) => (how: string) => ({
  baseURL: `${base}/${how}/v1`,
  model: 'gpt-5.1',
  headers: {},
});
const direct = wayOf('direct', provider, plainly(provider.url));
const through = [
  wayOf('zaehlwerk', proxy, plainly(`${proxy.url}/agent/bench/bench`)),
  ...others.map(({ name, version, started, reach }) => wayOf(`${name} ${version}`.trim(), started, reach)),
];

await Promise.all(Array.from({ length: 200 }, direct.quick));
for (const way of through) {
  for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 100 }, way.quick));
  way.idle = memoryOf(way.started).now;
}
for (let turn = 0; turn < TURNS; turn += 1) {
  for (const way of [direct, ...through]) {
    const before = processorOf(way.started);
    way.rated.push(await atRate(way.quick));
    way.processor.push((processorOf(way.started) - before) / (RATE * seconds));
  }
  for (const way of [direct, ...through]) way.streamed.push(await atOnce(way.long));
}

function resultOf({ rated, streamed, processor, started, idle }: Way) {
  const added = (name: 'p50' | 'p99') =>
    median(rated.map((turn, index) => turn[name] - (direct.rated[index]?.[name] ?? Number.NaN)));
  const share = streamed.map(({ perSecond }, index) => perSecond / (direct.streamed[index]?.perSecond ?? 0));
  const { now: after, most } = memoryOf(started);
  return {
    first_piece_ms: { turns: rated, added_p50: added('p50'), added_p99: added('p99') },
    streams_pieces_per_second: { turns: streamed, share: median(share) },
    processor_ms_per_call: median(processor),
    memory_mib: { idle, after, most },
  };
}
console.log(
  JSON.stringify(
    {
      direct: { first_piece_ms: direct.rated, streams_pieces_per_second: direct.streamed },
      ...Object.fromEntries(through.map((way) => [way.name, resultOf(way)])),
    },
    null,
    1,
  ),
);
for (const { child } of [proxy, ...others.map(({ started }) => started), service, provider])
  child.kill('SIGTERM');
rmSync(dataDir, { recursive: true, force: true });
