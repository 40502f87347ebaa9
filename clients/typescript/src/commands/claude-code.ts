/**
 * Calls that Claude Code has made, from the transcripts it keeps on the machine. An answer stands in several lines, one for each of its
 * parts, and again where a session was resumed: message id and request id together name it, and its last line has the final counts. The
 * event's id is made of the id of the answer, as the proxy and the package do it: what they have sent is not counted again.
 */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Ereignis } from '../event.ts';
import { at, text } from '../json.ts';
import { stableId } from '../stable-id.ts';
import { toEvents } from '../to-events.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ADDRESS = 'https://api.anthropic.com/v1/messages';

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

/** What names an answer; null for what is none, or is of no model. */
function nameOf(line: unknown): string | null {
  if (text(at(line, 'type')) !== 'assistant') return null;
  const id = text(at(line, 'message', 'id'));
  const model = text(at(line, 'message', 'model'));
  if (id === null || model === null || model === '<synthetic>') return null;
  if (at(line, 'message', 'usage') == null) return null;
  return `${id} ${text(at(line, 'requestId')) ?? ''}`;
}

const isWithin = (zeitpunkt: string | null, { since, until }: ImportOptions): boolean => {
  const instant = Date.parse(zeitpunkt ?? '');
  if (Number.isNaN(instant)) return false;
  return (
    (since === undefined || instant >= Date.parse(since)) &&
    (until === undefined || instant < Date.parse(until))
  );
};

/** The event of an answer; none where it has no time, is outside the time that is asked for, or no call. */
function eventsOf([name, line]: [string, unknown], options: ImportOptions): Ereignis[] {
  const zeitpunkt = text(at(line, 'timestamp'));
  if (!isWithin(zeitpunkt, options)) return [];
  const message = at(line, 'message');
  const { events } = toEvents({
    uri: ADDRESS,
    request: { model: at(message, 'model') },
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(message),
  });
  const session = text(at(line, 'sessionId'));
  const cwd = text(at(line, 'cwd'));
  return events.map(({ zusatz, ...event }) => ({
    // What the provider does not name for good is named by where it stands.
    ereignis_id: stableId('claude-code', name),
    ...event,
    ...(zeitpunkt === null ? {} : { zeitpunkt }),
    ...(session === null
      ? {}
      : { lauf_id: UUID.test(session) ? session.toLowerCase() : stableId('run', session) }),
    agent: options.agent ?? 'claude-code',
    quelle: 'import:claude-code',
    zusatz: {
      ...zusatz,
      ...(cwd === null ? {} : { verzeichnis: basename(cwd.replaceAll('\\', '/')) }),
      ...(options.subscription === undefined ? {} : { abonnement: options.subscription }),
    },
  }));
}

/** Reads transcripts line by line: only answers are kept in memory. */
export async function readTranscripts(files: readonly string[], options: ImportOptions): Promise<Found> {
  const answers = new Map<string, unknown>();
  let unreadable = 0;
  let repeated = 0;
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      // Most lines are prompts and results of tools, which are large.
      if (!line.includes('"assistant"')) continue;
      try {
        const value: unknown = JSON.parse(line);
        const name = nameOf(value);
        if (name === null) continue;
        if (answers.has(name)) repeated += 1;
        answers.set(name, lighter(value));
      } catch {
        unreadable += 1;
      }
    }
  return { events: [...answers].flatMap((answer) => eventsOf(answer, options)), unreadable, repeated };
}

/** What is needed of a line; of its content only which tools the model asked for. */
function lighter(line: unknown): unknown {
  const content = at(line, 'message', 'content');
  const tools = Array.isArray(content) ? content.filter((part) => at(part, 'type') === 'tool_use') : [];
  return {
    timestamp: at(line, 'timestamp'),
    sessionId: at(line, 'sessionId'),
    cwd: at(line, 'cwd'),
    message: {
      type: 'message',
      role: 'assistant',
      id: at(line, 'message', 'id'),
      model: at(line, 'message', 'model'),
      stop_reason: at(line, 'message', 'stop_reason'),
      usage: at(line, 'message', 'usage'),
      content: tools.map((part) => ({
        type: 'tool_use',
        id: at(part, 'id'),
        name: at(part, 'name'),
        input: {},
      })),
    },
  };
}
