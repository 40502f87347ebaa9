/**
 * What being connected costs a call whose answer takes a while: `node bench/clients/network.ts [calls]`. A provider in a process of its own, a
 * prompt of 400 words in an order that no other has, a pause after each call, so that the caches of the processor have forgotten. Pairs of a plain and a
 * connected call, in either order; time of the thread that calls, which other work of the machine changes by its caches alone.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../clients/typescript/src/index.ts';

const KEY = '5a'.repeat(32);
const PAUSE_MS = 20;
const usage = { prompt_tokens: 500, completion_tokens: 50, total_tokens: 550 };
const ID = `chatcmpl-${'a'.repeat(24)}`;
const JSON_ANSWER = JSON.stringify({ id: ID, model: 'gpt-5.1', choices: [{ message: {} }], usage });
const event = (choices: object[], more = {}) =>
  `data: ${JSON.stringify({ id: ID, object: 'chat.completion.chunk', created: 1_780_000_000, model: 'gpt-5.1', choices, ...more })}\n\n`;

/** As many as people use. */
const WORDS = Array.from({ length: 5_000 }, (_, n) => `word${n.toString(36)}`);

/** A provider and a service. */
function serve(): void {
  const server = createServer((request, response) => {
    const isEvents = request.url?.startsWith('/v1/ereignisse');
    if (request.method === 'GET') {
      const told = JSON.stringify({ eingriffe: [], fingerabdruck_schluessel: KEY });
      setTimeout(() => response.setHeader('etag', '"1"').end(told), 50);
      return;
    }
    let isStream = false;
    request.on('data', (piece: Buffer) => {
      isStream ||= piece.includes('"stream":true');
    });
    request.on('end', () => {
      if (isEvents) return response.writeHead(202).end('{}');
      if (!isStream) return response.setHeader('content-type', 'application/json').end(JSON_ANSWER);
      response.setHeader('content-type', 'text/event-stream');
      for (let i = 0; i < 50; i++) response.write(event([{ index: 0, delta: { content: 'word ' } }]));
      return response.end(event([], { usage }));
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

async function measure(calls: number): Promise<void> {
  const child = fork(import.meta.filename, ['serve']);
  const [port] = (await once(child, 'message')) as [number];
  const base = `http://127.0.0.1:${port}`;
  const zw = createClient({ baseUrl: base, key: 'k', agent: 'bench', bufferDirectory: false });
  const connected = zw.instrument({ fetch });
  const words = () =>
    Array.from({ length: 400 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ');

  /** What the caller waits for, and what is done behind it. */
  async function timesOf(call: typeof fetch, stream: boolean): Promise<[until: number, behind: number]> {
    const messages = [{ role: 'user', content: words() }];
    const body = JSON.stringify({ model: 'gpt-5.1', messages, stream });
    await pause(PAUSE_MS);
    const begin = process.threadCpuUsage();
    await (await call(`${base}/v1/chat/completions`, { method: 'POST', body })).text();
    const until = process.threadCpuUsage(begin);
    await pause(PAUSE_MS);
    const all = process.threadCpuUsage(begin);
    return [until.user + until.system, all.user - until.user + all.system - until.system];
  }

  for (const stream of [false, true]) {
    const plain: number[] = [];
    const more: number[] = [];
    const behind: number[] = [];
    for (let i = -50; i < calls; i++) {
      const first = i % 2 === 0 ? await timesOf(fetch, stream) : null;
      const seen = await timesOf(connected, stream);
      const direct = first ?? (await timesOf(fetch, stream));
      if (i < 0) continue;
      plain.push(direct[0]);
      more.push(seen[0] - direct[0]);
      behind.push(seen[1] - direct[1]);
    }
    const what = stream ? 'a stream of 51 pieces' : 'an answer as JSON';
    const [direct, seen, later] = [plain, more, behind].map((times) => median(times).toFixed(0));
    console.log(`${what}: ${direct} µs; connected ${seen} µs more, and ${later} behind (medians of pairs)`);
  }
  await zw.shutdown();
  child.kill();
}

if (process.argv[2] === 'serve') serve();
else await measure(Number(process.argv[2] ?? 400));
