/** What happens to those who ask and do not read, over real connections; what is asserted is work and bytes, not time. */
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { until } from '#test/until.ts';
import { createLog } from '../log.ts';
import { createBoundedServer, OUTGOING, type OutgoingLimits } from './index.ts';

const MB = 1024 * 1024;
/** More than the buffers of the system take of a connection. */
const LARGE = Buffer.alloc(24 * MB, 'x');

let server: Server;
let clients: Socket[] = [];
/** The ends of the connections that are the server's. */
let ends: Socket[] = [];
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  ends = [];
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});

async function listen(handle: RequestListener, limits: Partial<OutgoingLimits> = {}): Promise<void> {
  server = createBoundedServer({ requireHostHeader: false }, handle, {
    log: createLog('fatal'),
    limits: { ...OUTGOING, ...limits },
  });
  server.on('connection', (socket) => ends.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

const gets = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `GET /${from + index} HTTP/1.1\r\n\r\n`).join('');

const unsent = () => ends.reduce((sum, end) => sum + end.writableLength, 0);

/** The numbers in the answers, which are those of the requests. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/\r\n\r\n<(\d+)>/g)].map(([, number]) => Number(number));
}
const sayNumber: RequestListener = ({ url }, response) => response.end(`<${url?.slice(1)}>`);

describe('many requests in one packet', () => {
  test('the next one is not begun before the answer to the one before has gone out', async () => {
    let begun = 0;
    await listen((_request, response) => {
      begun += 1;
      response.end(LARGE);
    });
    for (let count = 0; count < 3; count += 1) (await open()).write(gets(1_400));
    await until('one answer on each connection', () => begun >= 3 && unsent() > 0);
    // As many turns as it would take to begin all of them.
    for (let turn = 0; turn < 10_000; turn += 1) await new Promise(setImmediate);
    expect(begun).toBe(3);
    expect(unsent()).toBeLessThan(3 * LARGE.length + MB);
  });

  test('who reads gets all answers, in order', async () => {
    let atOnce = 0;
    let most = 0;
    await listen(async (request, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      sayNumber(request, response as never);
    });
    const client = await open();
    let text = '';
    client.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    client.write(gets(1_400));
    await until('all answers', () => text.endsWith('<1399>'));
    expect(numbersIn(text)).toEqual(Array.from({ length: 1_400 }, (_, index) => index));
    expect(most).toBe(1);
  });

  test('so does who sends on and on while reading: what was not answered is not read', async () => {
    const count = 2_000;
    // What is read at once of a connection fits; what it sends by far does not.
    await listen(
      (request, response) => {
        setImmediate(() => sayNumber(request, response as never));
      },
      { waiting: 300 },
    );
    const client = await open();
    let text = '';
    client.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    const note = 'n'.repeat(600);
    const numbers = Array.from({ length: count }, (_, index) => index);
    client.write(numbers.map((index) => `GET /${index} HTTP/1.1\r\nNote: ${note}\r\n\r\n`).join(''));
    await until('all answers', () => text.endsWith(`<${count - 1}>`));
    expect(numbersIn(text)).toEqual(numbers);
  });

  test('bodies in between belong to their requests', async () => {
    await listen(async (request, response) => {
      let body = '';
      for await (const part of request.setEncoding('latin1')) body += part;
      response.end(`<${request.url?.slice(1)}>${body.length}|`);
    });
    const client = await open();
    let text = '';
    client.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    const bodies = Array.from({ length: 60 }, (_, index) => 'b'.repeat(index * 700));
    for (const [index, body] of bodies.entries())
      client.write(`POST /${index} HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await until('all answers', () => numbersIn(text).length === bodies.length);
    expect([...text.matchAll(/<(\d+)>(\d+)\|/g)].map((match) => Number(match[2]))).toEqual(
      bodies.map((body) => body.length),
    );
  });

  test('those of all connections that wait are bounded: who brings more than its share is cut off, others are not', async () => {
    const gate = Promise.withResolvers<void>();
    await listen(
      async (request, response) => {
        await gate.promise;
        sayNumber(request, response as never);
      },
      { waiting: 300 },
    );
    const [greedy, modest] = [await open(), await open()];
    let text = '';
    modest.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    const gone = once(greedy, 'close');
    greedy.resume().write(gets(202));
    modest.write(gets(20));
    await gone;
    gate.resolve();
    await until('all answers', () => text.endsWith('<19>'));
    // The places of the one that is gone are free again.
    modest.write(gets(190, 20));
    await until('all answers', () => text.endsWith('<209>'));
  });

  test('after an answer that ends the connection nothing more is done on it', async () => {
    const done: string[] = [];
    await listen(({ url = '' }, response) => {
      done.push(url);
      if (url === '/1') response.setHeader('connection', 'close');
      setImmediate(() => response.end());
    });
    const client = await open();
    const closed = once(client.resume(), 'close');
    client.write(gets(5));
    await closed;
    expect(done).toEqual(['/0', '/1']);
  });

  test('one that hangs up leaves nothing to be done', async () => {
    let begun = 0;
    const gate = Promise.withResolvers<void>();
    await listen(async (_request, response) => {
      begun += 1;
      await gate.promise;
      response.end(LARGE);
    });
    const client = await open();
    client.write(gets(50));
    await until('the first to begin', () => begun === 1);
    gate.resolve();
    await until('something to be unsent', () => unsent() > 0);
    client.destroy();
    await until('the connection to be gone', () => ends[0]?.destroyed === true);
    await new Promise(setImmediate);
    expect(begun).toBe(1);
  });
});

describe('answers that nobody takes', () => {
  test('are cut off', async () => {
    await listen((_request, response) => response.end(LARGE), { patience: 100 });
    const client = await open();
    client.pause().write(gets(1));
    await until('the end of it', () => ends[0]?.destroyed === true);
    // The connection says so with its `close`, which comes after it is destroyed.
    await until('nothing to be unsent', () => unsent() === 0);
  });

  test('are not cut off while they are taken, however slowly', async () => {
    await listen((_request, response) => response.end(LARGE), { patience: 100 });
    const client = await open();
    // The clock goes on as something is taken, nearly as far as patience goes, and not with the machine.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const left = () => {
      const end = ends[0] as (Socket & { _handle?: { writeQueueSize: number } | null }) | undefined;
      return `${end?.writableLength} ${end?._handle?.writeQueueSize}`;
    };
    let taken = 0;
    client.on('data', (part) => {
      taken += part.length;
      client.pause();
      setTimeout(() => client.resume(), 5);
    });
    client.write(gets(1));
    let [now, before] = [0, left()];
    while (taken <= LARGE.length && ends[0]?.destroyed !== true) {
      await new Promise(setImmediate);
      if (left() !== before) now += 90;
      before = left();
      clock.mockReturnValue(now);
    }
    clock.mockRestore();
    expect(taken).toBeGreaterThan(LARGE.length);
  });

  test('nor is who waits long for an answer', async () => {
    await listen(
      (_request, response) => {
        setTimeout(() => response.end('late'), 500);
      },
      { patience: 50 },
    );
    const client = await open();
    client.write(gets(1));
    const [answer] = await once(client, 'data');
    expect(String(answer)).toMatch(/late$/);
  });

  test('of all connections hold few bytes: with too many, who has taken nothing for longest is cut off', async () => {
    await listen((_request, response) => response.end(LARGE), { bytes: 3 * LARGE.length });
    for (let count = 1; count <= 12; count += 1) {
      const client = await open();
      client.pause().write(gets(1));
      await until('an answer', () => (ends[count - 1]?.bytesWritten ?? 0) > 0);
      expect(unsent()).toBeLessThanOrEqual(3 * LARGE.length);
    }
    await until('the first ones to be gone', () => ends[0]?.destroyed === true);
    expect(ends.filter((end) => !end.destroyed)).not.toContain(ends[0]);
    expect(ends.at(-1)?.destroyed).toBe(false);
  });

  test('a stream holds what it has at hand, and is cut off as well', async () => {
    let written = 0;
    await listen(
      async (_request, response) => {
        response.on('error', () => undefined);
        while (!response.destroyed) {
          written += 1;
          if (!response.write(Buffer.alloc(MB)))
            await Promise.race([once(response, 'drain'), once(response, 'close')]);
        }
      },
      { patience: 100 },
    );
    const client = await open();
    client.pause().write(gets(1));
    await until('the end of it', () => ends[0]?.destroyed === true);
    expect(written).toBeLessThan(32);
  });
});
