import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { holdTime } from '#test/held-time.ts';
import { createOutbound, ForbiddenAddress, type Network, parseNetwork, readAtMost } from './outbound.ts';

const networks = (...texts: string[]): Network[] => texts.map((text) => parseNetwork(text) as Network);
const LOOPBACK = networks('127.0.0.1');

/** A resolver that gives the listed addresses, one per look-up; the last one from then on. */
function resolverOf(...answers: string[][]): typeof lookup {
  const left = [...answers];
  const resolve = (_host: string, _options: object, callback: (error: null, addresses: object[]) => void) => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return resolve as unknown as typeof lookup;
}

let server: Server;
let port: number;
let connections = 0;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  connections = 0;
  answer = (_request, response) => response.setHeader('connection', 'close').end('da');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What a fetch was refused for: the error itself, or what lies beneath `fetch failed`. */
async function refusal(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof TypeError ? error.cause : error;
}

describe('addresses that lead inside', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '0x7f000001',
    '0x7f.1',
    '2130706433',
    '①②⑦.⓪.⓪.①',
    '127.0.0.1.',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    'localhost',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[ff02::1]',
    '[4000::1]',
  ])('%s is refused when it is given and when it is fetched', async (host) => {
    const outbound = createOutbound([]);
    const url = `http://${host}:${port}/`;
    expect(outbound.problemOf(url)?.de ?? null).toBe(
      'liegt in einem Netz, das der Dienst nicht erreichen darf',
    );
    expect(await refusal(outbound.fetch(url))).toBeInstanceOf(ForbiddenAddress);
    expect(connections).toBe(0);
  });

  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['::7f00:1'],
    ['169.254.169.254'],
    // One of several is enough.
    ['8.8.8.8', '127.0.0.1'],
    ['2001:4860:4860::8888', 'fd00::1'],
  ])('a name that leads to %s is refused when it is fetched', async (...addresses) => {
    const outbound = createOutbound([], { resolve: resolverOf(addresses) });
    const url = `http://harmlos.example:${port}/`;
    expect(outbound.problemOf(url)).toBeNull();
    expect(await refusal(outbound.fetch(url))).toBeInstanceOf(ForbiddenAddress);
    expect(connections).toBe(0);
  });

  it('a name is looked at for every connection, whatever it led to before', async () => {
    const resolve = resolverOf(['127.0.0.1'], ['127.0.0.2']);
    const outbound = createOutbound(LOOPBACK, { resolve });
    const url = `http://wankelmut.example:${port}/`;
    expect((await outbound.fetch(url)).status).toBe(200);
    expect(await refusal(outbound.fetch(url))).toBeInstanceOf(ForbiddenAddress);
    expect(connections).toBe(1);
  });

  it.each(['LOCALHOST', 'localhost.', 'irgendwas.localhost'])(
    '%s, a name of this machine, is refused when it is given',
    (host) => {
      expect(createOutbound([]).problemOf(`http://${host}/`)?.de).toMatch(/^liegt in einem Netz/);
    },
  );

  it.each([
    ['8.8.8.8', null],
    ['1.1.1.1', null],
    ['100.128.0.1', null],
    ['172.32.0.1', null],
    ['[2001:4860:4860::8888]', null],
    ['example.org', null],
    ['localhost.example.org', null],
  ])('%s is left to be fetched', (host, problem) => {
    expect(createOutbound([]).problemOf(`https://${host}/`)?.de ?? null).toBe(problem);
  });
});

describe('addresses that are none to fetch', () => {
  it.each([
    ['', 'ist keine Adresse'],
    ['kein Link', 'ist keine Adresse'],
    ['//example.org/', 'ist keine Adresse'],
    ['ftp://example.org/', 'muss mit https:// oder http:// beginnen'],
    ['file:///etc/passwd', 'muss mit https:// oder http:// beginnen'],
    ['data:text/plain,da', 'muss mit https:// oder http:// beginnen'],
    ['javascript:alert(1)', 'muss mit https:// oder http:// beginnen'],
    ['https://name:wort@example.org/', 'darf keine Zugangsdaten enthalten'],
    ['https://name@example.org/', 'darf keine Zugangsdaten enthalten'],
  ])('%s', async (url, problem) => {
    const outbound = createOutbound([]);
    expect(outbound.problemOf(url)?.de ?? null).toBe(problem);
    expect(await refusal(outbound.fetch(url))).toBeInstanceOf(ForbiddenAddress);
  });
});

describe('networks that are allowed besides', () => {
  it.each([
    ['127.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1', '127.1'],
    ['127.0.0.0/8', '[::ffff:127.0.0.1]'],
  ])('%s lets %s through', async (network, host) => {
    const outbound = createOutbound(networks(network));
    const url = `http://${host}:${port}/`;
    expect(outbound.problemOf(url)).toBeNull();
    expect(await (await outbound.fetch(url)).text()).toBe('da');
  });

  it('lets names through that lead there', async () => {
    const outbound = createOutbound(LOOPBACK, { resolve: resolverOf(['127.0.0.1']) });
    expect(outbound.problemOf(`http://localhost:${port}/`)).toBeNull();
    expect(await (await outbound.fetch(`http://localhost:${port}/`)).text()).toBe('da');
  });

  it('opens nothing else', async () => {
    const outbound = createOutbound(networks('10.1.0.0/16', 'fd00:1::/32'));
    expect(outbound.problemOf('http://10.1.2.3/')).toBeNull();
    expect(outbound.problemOf('http://[fd00:1::7]/')).toBeNull();
    for (const host of ['10.2.0.1', '[fd00:2::1]', '127.0.0.1', 'localhost', '169.254.169.254'])
      expect(await refusal(outbound.fetch(`http://${host}:${port}/`))).toBeInstanceOf(ForbiddenAddress);
    expect(connections).toBe(0);
  });

  it.each(['10.0.0.0/33', '10.0.0', 'example.org', '', '10.0.0.0/8/8', '::1/129'])(
    '%j is no network',
    (text) => {
      expect(parseNetwork(text)).toBeNull();
    },
  );
});

describe('an answer', () => {
  const outbound = createOutbound(LOOPBACK);
  const url = () => `http://127.0.0.1:${port}/`;

  it('that leads elsewhere is not followed', async () => {
    const paths: string[] = [];
    answer = (request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(302, { location: '/geheim' }).end();
    };
    const response = await outbound.fetch(url(), { redirect: 'follow' });
    expect(response.status).toBe(302);
    expect(paths).toEqual(['/']);
  });

  it('that does not come is given up', async () => {
    const time = holdTime();
    answer = time.isUp;
    await expect(outbound.fetch(url())).rejects.toThrow(/timeout/i);
    time.goOn();
    expect(time.asked).toEqual([10_000]);
  });

  it('that never ends is given up, though it began', async () => {
    const time = holdTime();
    answer = (_request, response) => void response.write('erst');
    const response = await outbound.fetch(url());
    const reading = expect(readAtMost(response, 1_000)).rejects.toThrow(/timeout/i);
    time.isUp();
    await reading;
    time.goOn();
  });

  it('is given up at the limit also when the caller brings a signal of their own', async () => {
    const time = holdTime();
    answer = time.isUp;
    await expect(outbound.fetch(url(), { signal: new AbortController().signal })).rejects.toThrow(/timeout/i);
    time.goOn();
  });

  it('is given up before the limit when the caller wants it', async () => {
    const controller = new AbortController();
    answer = () => controller.abort(new Error('genug'));
    await expect(outbound.fetch(url(), { signal: controller.signal })).rejects.toThrow('genug');
  });

  it.each([0, 9, 10])('is read whole up to the limit: %i of 10 bytes', async (length) => {
    answer = (_request, response) => response.end('x'.repeat(length));
    expect((await readAtMost(await outbound.fetch(url()), 10))?.toString()).toBe('x'.repeat(length));
  });

  it('that is too long is not read on', async () => {
    let stopped = () => {};
    const stop = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    answer = (_request, response) => {
      const send = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', send);
      };
      response.once('close', stopped);
      send();
    };
    expect(await readAtMost(await outbound.fetch(url()), 10)).toBeNull();
    await stop;
  });

  it('is counted as it unpacks', async () => {
    answer = (_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(1_000_000)));
    expect(await readAtMost(await outbound.fetch(url()), 100_000)).toBeNull();
  });
});
