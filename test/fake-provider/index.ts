/**
 * Providers of models on one port, for tests: each answers in its own form, with counts that are known and can be asked for
 * (`GET /truth`, `GET /truth?tag=…`; `DELETE /truth` forgets). How it answers is part of the address (`directions.ts`). It speaks
 * HTTP/1.1, and HTTP/2 without TLS, which Amazon's client wants.
 */
import { once } from 'node:events';
import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Directions, directionsIn } from './directions.ts';
import type { Form } from './form.ts';
import { anthropic } from './forms/anthropic.ts';
import { bedrockConverse, bedrockInvoke } from './forms/bedrock.ts';
import { cohere } from './forms/cohere.ts';
import { cohereFirst } from './forms/cohere-first.ts';
import { gemini } from './forms/gemini.ts';
import { mistral } from './forms/mistral.ts';
import { openAiChat } from './forms/openai-chat.ts';
import { openAiEmbeddings } from './forms/openai-embeddings.ts';
import { openAiResponses } from './forms/openai-responses.ts';
import { planOf } from './plan.ts';
import { plainHeaders, type Truth, truthOf } from './truth.ts';

export type { Truth } from './truth.ts';

const FORMS: readonly Form[] = [
  bedrockConverse,
  bedrockInvoke,
  gemini,
  mistral,
  openAiChat,
  openAiResponses,
  openAiEmbeddings,
  anthropic,
  cohere,
  cohereFirst,
];

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

export interface FakeProvider {
  /** The address under a tag, with directions: `url('a', 'loop', 'slow=20')`. */
  url(tag: string, ...directions: string[]): string;
  /** What became of the requests of a tag, of all where none is named, in the order in which they came. */
  truth(tag?: string): Truth[];
  stop(): Promise<void>;
}

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

// Both kinds of answers have these functions, but TypeScript finds no common signature.
const head = (response: Response, status: number, headers: Record<string, string>): void =>
  void (response as ServerResponse).writeHead(status, headers);
const write = (response: Response, chunk: string | Uint8Array): void =>
  void (response as ServerResponse).write(chunk);
const breakOff = (response: Response): void => {
  if ('stream' in response) response.stream.close(2);
  else response.socket?.destroy();
};

const sendJson = (response: Response, status: number, value: unknown, headers = {}): void => {
  head(response, status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
};

class Providers {
  readonly #truths: Truth[] = [];
  readonly #numbers = new Map<string, number>();

  truth(tag?: string): Truth[] {
    return this.#truths.filter((each) => tag === undefined || each.tag === tag);
  }

  forget(): void {
    this.#truths.length = 0;
    this.#numbers.clear();
  }

  async serve(request: Request, response: Response): Promise<void> {
    response.on('error', () => undefined);
    const address = new URL(request.url ?? '/', 'http://fake');
    if (address.pathname === '/truth') return this.#tell(request, response, address.searchParams.get('tag'));
    const { directions, path } = directionsIn(address.pathname);
    const body = await bodyOf(request);
    const form = FORMS.find((each) => request.method === 'POST' && each.matches(path, body));
    if (form === undefined) return sendJson(response, 404, { error: { message: `nothing at ${path}` } });
    await this.#answer(request, response, { form, asked: form.read(path, body) }, directions);
  }

  #tell(request: Request, response: Response, tag: string | null): void {
    if (request.method === 'DELETE') this.forget();
    sendJson(response, 200, this.truth(tag ?? undefined));
  }

  async #answer(
    request: Request,
    response: Response,
    { form, asked }: { form: Form; asked: ReturnType<Form['read']> },
    directions: Directions,
  ): Promise<void> {
    const number = (this.#numbers.get(directions.tag) ?? 0) + 1;
    this.#numbers.set(directions.tag, number);
    const plan = planOf(form, asked, directions, number);
    const { fail, slowMs } = directions;
    const status = fail !== null && number <= fail.times ? fail.status : 200;
    const truth = {
      ...truthOf({ form, asked, plan }, directions, number, status),
      headers: plainHeaders(request.headers),
    };
    this.#truths.push(truth);
    await sleep(slowMs);
    if (status !== 200) {
      const headers = { 'retry-after-ms': '20', ...form.errorHeaders?.(status) };
      sendJson(response, status, form.error(status, `refused with ${status}, as directed`), headers);
    } else if (asked.stream) {
      head(response, 200, { 'content-type': form.streamType, ...form.headers?.(plan) });
      if (!(await stream(response, [...form.frames(plan, asked)], form, directions))) return;
    } else sendJson(response, 200, form.json(plan, asked), form.headers?.(plan));
    truth.complete = true;
  }
}

/** Sends the frames of a stream; false where not all of them went out. */
async function stream(
  response: Response,
  frames: (string | Uint8Array)[],
  form: Form,
  { slowMs, cut, upset }: Directions,
): Promise<boolean> {
  const half = Math.ceil(frames.length / 2);
  for (const [index, frame] of (cut || upset ? frames.slice(0, half) : frames).entries()) {
    if (index > 0) await sleep(slowMs);
    if (response.destroyed || response.writableEnded) return false;
    write(response, frame);
  }
  if (cut) {
    // What is written goes out first.
    await sleep(slowMs);
    breakOff(response);
  } else if (upset) response.end(form.errorFrame('upset, as directed'));
  else response.end();
  return !cut && !upset;
}

/** Starts them; port 0 takes a free one. */
export async function startFakeProvider(port = 0): Promise<FakeProvider> {
  const providers = new Providers();
  const serve = (request: Request, response: Response) =>
    void providers.serve(request, response).catch(() => breakOff(response));
  // A client that computes for long finds its connection as it left it.
  const http1 = createHttp1({ keepAliveTimeout: 600_000 }, serve);
  const http2 = createHttp2(serve);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    // The first bytes of HTTP/2 are its own.
    socket.once('data', (bytes) => {
      socket.pause();
      (bytes.toString('latin1').startsWith('PRI ') ? http2 : http1).emit('connection', socket);
      socket.unshift(bytes);
      socket.resume();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: (...said) => `http://127.0.0.1:${taken}/~${said.join(',')}`,
    truth: (tag) => providers.truth(tag),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
