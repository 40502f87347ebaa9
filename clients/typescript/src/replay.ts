#!/usr/bin/env node
import { readFileSync, realpathSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type ClientStats, createClient } from './client.ts';
import { printKeyIn } from './eingriffe/eingriff.ts';
import type { Ereignis } from './event.ts';
import { KeyedPrints } from './prints/sim-hash.ts';
import { eventsOfRecordings } from './recordings.ts';
import { summaryOf } from './replay-table.ts';

const USAGE =
  'zaehlwerk-replay <recordings.jsonl(.gz)> --url http://localhost:8080 --key zw_live_… [--agent name]';

/** The lines of a recordings file, plain or gzipped (told by its first two bytes). */
export function readRecordings(file: string): string[] {
  const bytes = readFileSync(file);
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  return plain
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** Sends events to the service at `url` and waits until it has them, a minute at most. */
export async function replay(events: Ereignis[], url: string, key: string): Promise<ClientStats> {
  const client = createClient({ baseUrl: url, key, maxQueue: events.length, bufferDirectory: false });
  for (const event of events) client.send(event);
  return client.shutdown(60_000);
}

/** Prints under the key that the service tells; null where it tells none. */
async function printsOfService(url: string, key: string): Promise<KeyedPrints | null> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url.replace(/\/+$/, '')}/v1/eingriffe/aktiv`, { headers });
  const printKey = answer.ok ? printKeyIn(await answer.text()) : null;
  return printKey === null ? null : new KeyedPrints(printKey);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: 'string' }, key: { type: 'string' }, agent: { type: 'string' } },
  });
  const file = positionals[0];
  if (file === undefined || values.url === undefined || values.key === undefined) {
    console.error(USAGE);
    return 2;
  }
  const lines = readRecordings(file);
  const keyed = await printsOfService(values.url, values.key);
  const named = values.agent === undefined ? {} : { agent: values.agent };
  const { events, unconverted } = eventsOfRecordings(lines, { ...named, keyed });
  const stats = await replay(events, values.url, values.key);
  console.log(summaryOf(events));
  console.log(
    `\n${lines.length} recordings, ${events.length} events, ${stats.sent} accepted, ${stats.dropped} lost`,
  );
  for (const reason of unconverted) console.error(`Not converted: ${reason}`);
  if (stats.lastError !== null) console.error(stats.lastError);
  return stats.sent === events.length ? 0 : 1;
}

// npm starts a command by a link.
if (argv[1] !== undefined && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main();
}
