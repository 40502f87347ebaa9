/** The client against a server that tells of interventions as the service does. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../client.ts';
import type { Eingriff } from './eingriff.ts';
import { StoppedByIntervention } from './errors.ts';
import { eingriff } from './test-eingriff.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Question {
  url: string;
  authorization: string | undefined;
  tag: string | undefined;
  /** Whether the caller has gone before there was an answer. */
  gone: boolean;
}

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

interface FakeService {
  baseUrl: string;
  questions: Question[];
  /** What is in force from now on; waiting callers hear of it unless it is `unheard`. */
  set(eingriffe: Eingriff[], unheard?: boolean): void;
  /** The body of the answer to a batch; without it, it lists what is in force. */
  inBatches: { eingriffe?: Eingriff[] } | undefined;
  /** Answers the next questions instead. */
  replies: Reply[];
  /** Answers at once though nothing has changed, as when too many wait. */
  impatient: boolean;
}

async function serve(port = 0): Promise<FakeService & { stop: () => Promise<void> }> {
  let version = 1;
  let eingriffe: Eingriff[] = [];
  const waiting = new Set<() => void>();
  const fake: FakeService = {
    baseUrl: '',
    questions: [],
    inBatches: undefined,
    replies: [],
    impatient: false,
    set(now, unheard = false) {
      eingriffe = now;
      version += 1;
      if (!unheard) for (const tell of waiting) tell();
    },
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const etag = `W/"${version}"`;
    if (request.headers['if-none-match'] === etag) {
      if (fake.impatient) response.writeHead(304, { etag }).end();
      else waiting.add(() => answer(request, response));
      return;
    }
    response.writeHead(200, { etag, 'content-type': 'application/json' }).end(JSON.stringify({ eingriffe }));
  };
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      request.resume();
      response.writeHead(202).end(JSON.stringify(fake.inBatches ?? { eingriffe }));
      return;
    }
    const { url = '', headers } = request;
    const question = {
      url,
      authorization: headers.authorization,
      tag: headers['if-none-match'],
      gone: false,
    };
    fake.questions.push(question);
    response.once('close', () => {
      question.gone = !response.writableEnded;
    });
    (fake.replies.shift() ?? answer)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  fake.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  cleanups.push(stop);
  return Object.assign(fake, { stop });
}

function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    baseUrl,
    key: 'zw_live_probe',
    retryDelayMs: 1,
    flushIntervalMs: 60_000,
    ...options,
  });
  cleanups.push(() => client.shutdown(0));
  return client;
}

const AGENT = 'support/triage';
/** The least between two questions where the service would not wait. */
const LEAST_PAUSE_MS = 2_500;
const call = { agent: AGENT };
/** Why a call may not be made now, null when it may. */
const refusalOf = (client: Client, of: Parameters<Client['guard']>[0] = call) =>
  client.guard(of).then(
    () => null,
    (error: unknown) => error,
  );
const until = (client: Client, refused: boolean) =>
  expect.poll(async () => (await refusalOf(client)) !== null).toBe(refused);

/** How many questions there may be by then where the service does not wait with its answers: one for each pause that has gone by. */
const mostQuestionsBy = () => {
  const began = performance.now();
  return () => 1 + Math.floor((performance.now() - began) / LEAST_PAUSE_MS);
};

describe('listening', () => {
  test('begins with the first call that is asked for, which knows what is in force; waits for changes by their tag', async () => {
    const service = await serve();
    const block = eingriff({ objekt: 'blocked' });
    service.set([block]);
    const client = clientFor(`${service.baseUrl}/`);
    await delay(50);
    expect(service.questions).toEqual([]);
    expect(client.guardState()).toEqual({ eingriffe: [], silentMs: null, lastError: null });
    expect(await refusalOf(client, { agent: 'blocked' })).toMatchObject({ eingriff: block });
    expect(await refusalOf(client)).toBeNull();
    await expect.poll(() => service.questions.length).toBe(2);
    expect(service.questions).toMatchObject([
      { url: '/v1/eingriffe/aktiv?warten=25', authorization: 'Bearer zw_live_probe', tag: undefined },
      { url: '/v1/eingriffe/aktiv?warten=25', tag: 'W/"2"' },
    ]);
    expect(client.guardState()).toMatchObject({ eingriffe: [block], lastError: null });
  });

  test('what changes is obeyed without another batch, and what is lifted no more', async () => {
    const service = await serve();
    const client = clientFor(service.baseUrl);
    await until(client, false);
    service.set([eingriff()]);
    await until(client, true);
    service.set([]);
    await until(client, false);
  });

  test('a service that does not wait is not asked all the time', async () => {
    const service = await serve();
    service.impatient = true;
    const client = clientFor(service.baseUrl);
    const most = mostQuestionsBy();
    await until(client, false);
    await delay(2_000);
    expect(service.questions.length).toBeLessThanOrEqual(most() + 1);
  });

  test('nor one whose list has no tag', async () => {
    const service = await serve();
    const bare: Reply = (_request, response) => response.writeHead(200).end('{"eingriffe":[]}');
    service.replies = Array.from({ length: 100 }, () => bare);
    const client = clientFor(service.baseUrl);
    const most = mostQuestionsBy();
    await until(client, false);
    await delay(2_000);
    expect(service.questions.length).toBeLessThanOrEqual(most());
  });

  test('ends with the client, at once', async () => {
    const service = await serve();
    const client = clientFor(service.baseUrl);
    service.set([eingriff()]);
    await until(client, true);
    await expect.poll(() => service.questions.length).toBe(2);
    await client.shutdown(0);
    await expect.poll(() => service.questions.at(-1)?.gone).toBe(true);
    // What is known stays in force.
    expect(await refusalOf(client)).toBeInstanceOf(StoppedByIntervention);
    await delay(600);
    expect(service.questions).toHaveLength(2);
  });
});

describe('the answer to a batch', () => {
  test('is obeyed before the next question, forgets nothing about other agents, and the whole list has the last word', async () => {
    const service = await serve();
    const other = eingriff({ objekt: 'other' });
    service.set([other]);
    const client = clientFor(service.baseUrl);
    await until(client, false);
    await expect.poll(() => service.questions.length).toBe(2);
    const block = eingriff();
    service.inBatches = { eingriffe: [block] };
    service.set([block, other], true);
    client.send(call);
    await client.flush();
    expect(await refusalOf(client)).toMatchObject({ eingriff: block });
    expect(await refusalOf(client, { agent: 'other' })).toMatchObject({ eingriff: other });
    // It asks anew, and without a tag.
    await expect.poll(() => service.questions.length).toBe(4);
    expect(service.questions[2]).toMatchObject({ tag: undefined });
    // An answer that is older than what is known.
    service.inBatches = { eingriffe: [] };
    client.send(call);
    await client.flush();
    await expect.poll(() => service.questions.length).toBe(6);
    expect(await refusalOf(client)).toMatchObject({ eingriff: block });
  });

  test('is enough where questions do not get through', async () => {
    const service = await serve();
    const refuse: Reply = (_request, response) => response.writeHead(403).end('{"code":"nein"}');
    service.replies = Array.from({ length: 100 }, () => refuse);
    const client = clientFor(service.baseUrl);
    expect(await refusalOf(client)).toBeNull();
    service.inBatches = { eingriffe: [eingriff()] };
    client.send(call);
    await client.flush();
    expect(await refusalOf(client)).toBeInstanceOf(StoppedByIntervention);
    expect(client.guardState()).toMatchObject({ silentMs: null, lastError: 'HTTP 403: {"code":"nein"}' });
    service.inBatches = { eingriffe: [] };
    client.send(call);
    await client.flush();
    expect(await refusalOf(client)).toBeNull();
  });

  test('says nothing where it has no list', async () => {
    const service = await serve();
    service.set([eingriff()]);
    const client = clientFor(service.baseUrl);
    await until(client, true);
    service.inBatches = {};
    client.send(call);
    await client.flush();
    expect(await refusalOf(client)).toBeInstanceOf(StoppedByIntervention);
  });
});

describe('a service that is away', () => {
  test('nobody is held up by it; what was known stays in force, until it is back and says otherwise', async () => {
    const service = await serve();
    service.set([eingriff()]);
    const client = clientFor(service.baseUrl, { guard: { failure: 'closed', maxSilenceMs: 60_000 } });
    await until(client, true);
    await service.stop();
    await expect.poll(() => client.guardState().lastError).not.toBeNull();
    expect(await refusalOf(client)).toBeInstanceOf(StoppedByIntervention);
    expect(await refusalOf(client, { agent: 'other' })).toBeNull();
    const back = await serve(Number(new URL(service.baseUrl).port));
    await until(client, false);
    expect(client.guardState().lastError).toBeNull();
    expect(back.questions[0]).toMatchObject({ tag: 'W/"2"' });
  });

  test('from the start: open lets every call pass, closed none', async () => {
    expect(await refusalOf(clientFor('http://127.0.0.1:1'))).toBeNull();
    const closed = clientFor('http://127.0.0.1:1', { guard: { failure: 'closed' } });
    expect(await refusalOf(closed)).toMatchObject({
      code: 'eingriffe_unbekannt',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await refusalOf(clientFor('not an address'))).toBeNull();
  });

  test('it is asked no earlier than it wants', async () => {
    const service = await serve();
    const busy: Reply = (_request, response) => response.writeHead(503, { 'retry-after': '60' }).end();
    service.replies = Array.from({ length: 100 }, () => busy);
    const client = clientFor(service.baseUrl);
    expect(await refusalOf(client)).toBeNull();
    await delay(1_500);
    expect(service.questions).toHaveLength(1);
  });

  test('a page of a proxy is no list', async () => {
    const service = await serve();
    service.set([eingriff()]);
    const client = clientFor(service.baseUrl);
    await until(client, true);
    await expect.poll(() => service.questions.length).toBe(2);
    const page: Reply = (_request, response) => response.writeHead(200, { etag: '"x"' }).end('<html>');
    service.replies = [page, () => undefined];
    service.set([eingriff()]);
    await expect.poll(() => service.questions.length).toBeGreaterThanOrEqual(4);
    expect(await refusalOf(client)).toBeInstanceOf(StoppedByIntervention);
  });
});

test('a fetch of the host is used for questions, too', async () => {
  const service = await serve();
  const asked: string[] = [];
  const own: typeof fetch = (input, init) => {
    asked.push(String(input));
    return fetch(input, init);
  };
  await until(clientFor(service.baseUrl, { fetch: own }), false);
  expect(asked[0]).toBe(`${service.baseUrl}/v1/eingriffe/aktiv?warten=25`);
});
