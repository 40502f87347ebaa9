/**
 * The tools of the service for programs that start a process and speak to it by lines (stdio): each message is handed on to `/v1/mcp`, and
 * what comes back is written out. Nothing but messages goes to the standard output.
 */
import type { Readable, Writable } from 'node:stream';

export interface Forwarding {
  url: string;
  key: string;
  input: Readable;
  output: Pick<Writable, 'write'>;
  fetch?: typeof fetch;
}

interface Message {
  id?: string | number;
  method?: string;
}

/** Of JSON-RPC: the message cannot be read, and what is behind the door cannot answer. */
const UNREADABLE = -32700;
const UNANSWERED = -32000;

const failure = (id: Message['id'], code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

/** The sentence of a refusal, else the status. */
function reasonIn(status: number, body: string): string {
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    if (typeof detail === 'string') return detail;
  } catch {
    // Not one of ours.
  }
  return `The service answered ${status}.`;
}

/** Hands one message on; resolves with what is answered, null where nothing is. */
class Door {
  readonly #to: Forwarding;
  /** What was agreed upon at the beginning. */
  #version: string | null = null;

  constructor(to: Forwarding) {
    this.#to = to;
  }

  async answer(line: string): Promise<string | null> {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return failure(undefined, UNREADABLE, 'This is no JSON.');
    }
    try {
      return await this.#handOn(line, message);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return message.id === undefined
        ? null
        : failure(message.id, UNANSWERED, `The service cannot be reached: ${why}`);
    }
  }

  async #handOn(line: string, { id, method }: Message): Promise<string | null> {
    const { url, key, fetch: ask = fetch } = this.#to;
    const answer = await ask(`${url.replace(/\/+$/, '')}/v1/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#version === null ? {} : { 'mcp-protocol-version': this.#version }),
      },
      body: line,
    });
    const body = await answer.text();
    if (!answer.ok) return id === undefined ? null : failure(id, UNANSWERED, reasonIn(answer.status, body));
    if (method === 'initialize') this.#note(body);
    return body === '' ? null : body;
  }

  #note(body: string): void {
    const { result } = JSON.parse(body) as { result?: { protocolVersion?: string } };
    this.#version = result?.protocolVersion ?? null;
  }
}

/** Lines of a stream; a message may come in several pieces. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input.setEncoding('utf8')) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** Forwards until the input ends and everything that was asked is answered. */
export async function forward(to: Forwarding): Promise<void> {
  const door = new Door(to);
  const open = new Set<Promise<void>>();
  for await (const line of linesOf(to.input)) {
    if (line.trim() === '') continue;
    const done = door.answer(line).then((answer) => {
      if (answer !== null) to.output.write(`${answer}\n`);
    });
    open.add(done);
    // What is agreed upon first goes along with everything that follows.
    if (/"method"\s*:\s*"initialize"/.test(line)) await done;
    void done.finally(() => open.delete(done));
  }
  await Promise.all(open);
}
