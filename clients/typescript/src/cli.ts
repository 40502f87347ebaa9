#!/usr/bin/env node
/** The command `zaehlwerk`: tools for agents by stdio, and calls of the past from what a program keeps on the machine. */
import { createReadStream } from 'node:fs';
import { env, stdin, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { createClient } from './client.ts';
import { readTranscripts, transcriptFolders, transcripts } from './commands/claude-code.ts';
import { forward } from './commands/mcp.ts';
import type { Ereignis } from './event.ts';
import { ExportReader, LEFT, NotImportable } from './importers/index.ts';
import { summaryOf } from './replay-table.ts';

const USAGE = `zaehlwerk mcp [--url http://localhost:8080] [--key zw_live_…]
  Tools for agents (Model Context Protocol) on standard input and output.

zaehlwerk import claude-code [folder …] [--send] [--agent name] [--subscription]
    [--since 2026-01-01] [--until 2026-02-01] [--url …] [--key …]
  Calls from the transcripts of Claude Code on this machine. Shows what there is; --send sends it.

zaehlwerk import <file …> [--send] [--agent name] [--url …] [--key …]
  Calls from exports of LiteLLM, Langfuse, OpenRouter and Helicone (CSV, JSON, JSON by line). Shows what there is; --send sends it.

ZAEHLWERK_URL and ZAEHLWERK_KEY stand for --url and --key.`;

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  agent: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  subscription: { type: 'boolean' },
  send: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof read>['values'];

const read = () => parseArgs({ allowPositionals: true, options: OPTIONS });

/** Where the service is; null where nothing says it. */
function serviceIn({ url, key }: Values): { url: string; key: string } | null {
  const found = { url: url ?? env.ZAEHLWERK_URL ?? '', key: key ?? env.ZAEHLWERK_KEY ?? '' };
  return found.url === '' || found.key === '' ? null : found;
}

const misused = (): number => {
  console.error(USAGE);
  return 2;
};

async function deliver(events: Ereignis[], service: { url: string; key: string }): Promise<number> {
  const { url: baseUrl, key } = service;
  const client = createClient({ baseUrl, key, maxQueue: events.length, bufferDirectory: false });
  for (const event of events) client.send(event);
  const stats = await client.shutdown(600_000);
  console.log(`${stats.sent} accepted, ${stats.dropped} lost`);
  if (stats.lastError !== null) console.error(stats.lastError);
  return stats.sent === events.length ? 0 : 1;
}

/** Sends where that is asked for. */
async function conclude(events: Ereignis[], values: Values): Promise<number> {
  if (!values.send) {
    console.log('Nothing was sent: --send does.');
    return 0;
  }
  const service = serviceIn(values);
  return service === null ? misused() : deliver(events, service);
}

/** Shows what transcripts hold, and sends it where that is asked for. */
async function importClaudeCode(folders: string[], values: Values): Promise<number> {
  const times = [values.since, values.until].filter((time) => time !== undefined);
  if (times.some((time) => Number.isNaN(Date.parse(time)))) return misused();
  const files = await transcripts(folders.length > 0 ? folders : transcriptFolders());
  const { events, unreadable, repeated } = await readTranscripts(files, values);
  console.log(summaryOf(events));
  console.log(
    `\n${files.length} transcripts, ${events.length} calls, ${repeated} lines that repeat one, ${unreadable} unreadable`,
  );
  return conclude(events, values);
}

/** What one file holds; null where it holds no calls, which is said. */
async function readFile(file: string): Promise<Ereignis[] | null> {
  const reader = new ExportReader();
  const events: Ereignis[] = [];
  try {
    for await (const text of createReadStream(file, 'utf8')) events.push(...reader.add(String(text)));
    events.push(...reader.end());
    console.log(`${file}: ${reader.service}, ${reader.rows} rows, ${events.length} calls`);
    for (const [reason, count] of reader.left) console.log(`  left: ${count} (${LEFT[reason]})`);
    return events;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.error(`${file}: ${error instanceof NotImportable ? why : `cannot be read: ${why}`}`);
    return null;
  }
}

/** Shows what exports hold, and sends it where all of them can be read. */
async function importFiles(files: string[], values: Values): Promise<number> {
  const read: (Ereignis[] | null)[] = [];
  for (const file of files) read.push(await readFile(file));
  if (read.includes(null)) return 1;
  const named = values.agent === undefined ? {} : { agent: values.agent };
  const events = read.flatMap((found) => found ?? []).map((event) => ({ ...event, ...named }));
  console.log(`\n${summaryOf(events)}\n`);
  return conclude(events, values);
}

async function main(): Promise<number> {
  const { values, positionals } = read();
  const [command, what, ...folders] = positionals;
  if (command === 'import' && what === 'claude-code') return importClaudeCode(folders, values);
  if (command === 'import' && what !== undefined) return importFiles([what, ...folders], values);
  const service = serviceIn(values);
  if (command !== 'mcp' || what !== undefined || service === null) return misused();
  await forward({ ...service, input: stdin, output: stdout });
  return 0;
}

process.exitCode = await main();
