/** Calls that Claude Code has made, from the transcripts it keeps on the machine. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Ereignis } from '../event.ts';
import { claudeCode, ExportReader } from '../importers/index.ts';

/** What is to be said of all calls. */
export interface ImportOptions {
  /** Key of the agent. */
  agent?: string | undefined;
  /** Only calls from this instant on, and before that one; ISO 8601. */
  since?: string | undefined;
  until?: string | undefined;
  /** A subscription pays for them. */
  subscription?: boolean | undefined;
}

/** What was found in transcripts. */
export interface Found {
  events: Ereignis[];
  /** Lines that could not be read as JSON. */
  unreadable: number;
  /** Lines that told of an answer again. */
  repeated: number;
}

/** Where transcripts may lie: as Claude Code itself looks for its settings. */
export function transcriptFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  const named = env.CLAUDE_CONFIG_DIR?.split(',').map((folder) => folder.trim());
  const folders = named ?? [join(homedir(), '.config/claude'), join(homedir(), '.claude')];
  return folders.filter((folder) => folder !== '').map((folder) => join(folder, 'projects'));
}

/** Every transcript in these folders, in one order. */
export async function transcripts(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { recursive: true }).catch(() => []);
      return entries.filter((file) => file.endsWith('.jsonl')).map((file) => join(folder, file));
    }),
  );
  return found.flat().sort();
}

const isWithin = ({ zeitpunkt }: Ereignis, { since, until }: ImportOptions): boolean => {
  const instant = Date.parse(zeitpunkt ?? '');
  return (
    (since === undefined || instant >= Date.parse(since)) &&
    (until === undefined || instant < Date.parse(until))
  );
};

/** The call with what is to be said of all of them. */
function told(event: Ereignis, { agent, subscription }: ImportOptions): Ereignis {
  return {
    ...event,
    ...(agent === undefined ? {} : { agent }),
    ...(subscription === undefined ? {} : { zusatz: { ...event.zusatz, abonnement: subscription } }),
  };
}

/** Reads transcripts line by line: only what is counted of answers is kept in memory. */
export async function readTranscripts(files: readonly string[], options: ImportOptions): Promise<Found> {
  const reader = new ExportReader(claudeCode);
  const events: Ereignis[] = [];
  // Most lines are prompts and results of tools, which are large.
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
      if (line.includes('"assistant"')) events.push(...reader.add(`${line}\n`));
  if (reader.rows > 0) events.push(...reader.end());
  return {
    events: events.filter((event) => isWithin(event, options)).map((event) => told(event, options)),
    unreadable: reader.left.get('unlesbar') ?? 0,
    repeated: reader.left.get('wiederholt') ?? 0,
  };
}
