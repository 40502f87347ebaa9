/** Input of every kind of malice and clumsiness: refused as a whole, and never a failure of ours. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { MAX_BATCH_BYTES, MAX_EVENTS_PER_BATCH } from '#contracts';
import { isWhole } from '#test/depth.ts';
import { type Account, type Answer, createAccount, request } from '#test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

let service: ServiceProcess;
/** What a Mandant sends is counted twice a second: that of one is counted while another one rests. */
const accounts: Account[] = [];
let turn = 0;
const nextAccount = () => accounts[turn++ % accounts.length] as Account;
let account: Account;

beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
  for (let made = 0; made < 10; made += 1) accounts.push(await createAccount(service));
});
beforeEach(() => {
  account = nextAccount();
});
afterAll(() => service?.dispose());

const good = (more: Ereignis = {}): Ereignis => ({
  ereignis_id: randomUUID(),
  agent: 'gut',
  eingabe_token: 1,
  ...more,
});

/** After each of these tests the service has answered no 5xx; after those of one kind it still counts, and has counted all it took. */
afterEach(() => {
  expect(service.errors().splice(0)).toEqual([]);
});
async function expectCounting(): Promise<void> {
  const another = nextAccount();
  const before = await another.counted();
  const answer = await another.send([good()]);
  expect(answer.status).toBe(202);
  await another.untilNothingWaits();
  expect(await another.counted()).toBe(before + 1);
  expect(await service.sql('SELECT grund FROM eingang_unzaehlbar')).toEqual([]);
}
const describeKind = (kind: string, tests: () => void) =>
  describe(kind, () => {
    tests();
    afterAll(expectCounting);
  });

type Body = string | Uint8Array<ArrayBuffer>;
type Headers = Record<string, string>;
const batch = (event: string) => `{"ereignisse":[${event}]}`;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** The statuses with which the service says no; each with the body it promises. */
function expectRefusal(answer: Answer, statuses: number[]): void {
  expect(statuses, answer.text.slice(0, 300)).toContain(answer.status);
  const { detail } = answer.json<{ detail: unknown }>();
  if (answer.status !== 422) expect(detail).toEqual(expect.any(String));
  else
    for (const fault of detail as object[])
      expect(fault).toMatchObject({
        loc: expect.any(Array),
        msg: expect.any(String),
        type: expect.any(String),
      });
}

describeKind('a batch with one fault', () => {
  const faulty: [name: string, event: string, loc: (string | number)[]][] = [
    ['a negative count', '{"eingabe_token":-1}', ['eingabe_token']],
    ['a fraction of a token', '{"ausgabe_token":1.5}', ['ausgabe_token']],
    ['a count of 2^53', '{"eingabe_token":9007199254740992}', ['eingabe_token']],
    ['a count of 1e400', '{"eingabe_token":1e400}', ['eingabe_token']],
    ['a count of a million digits', `{"eingabe_token":${'9'.repeat(1_000_000)}}`, ['eingabe_token']],
    ['NUL in a text', '{"agent":"a\\u0000b"}', ['agent']],
    ['a lone surrogate', '{"modell":"\\ud800"}', ['modell']],
    ['surrogates the wrong way round', '{"benutzer_ref":"\\udc00\\ud800"}', ['benutzer_ref']],
    ['an agent of 121 characters', `{"agent":"${'😀'.repeat(121)}"}`, ['agent']],
    [
      'a fingerprint of 17 characters',
      '{"prompt_fingerabdruck":"0123456789abcdef0"}',
      ['prompt_fingerabdruck'],
    ],
    ['an id that is none', '{"ereignis_id":"1"}', ['ereignis_id']],
    ['a time that is none', '{"zeitpunkt":"2026-02-30T00:00:00Z"}', ['zeitpunkt']],
    ['a status of null', '{"status":null}', ['status']],
    ['a list as zusatz', '{"zusatz":[1]}', ['zusatz']],
    ['infinity in zusatz', '{"zusatz":{"a":[1e999]}}', ['zusatz', 'a', 0]],
    ['NUL in a key of zusatz', '{"zusatz":{"a\\u0000":1}}', ['zusatz']],
    ['a lone surrogate deep in zusatz', '{"zusatz":{"a":[{"b":"\\udfff"}]}}', ['zusatz', 'a', 0, 'b']],
    ['65 levels of zusatz', `{"zusatz":${objects(65)}}`, ['zusatz']],
    ['text instead of an event', '"ereignis"', []],
  ];
  test.each(faulty)('%s is refused by name, and nothing of it is stored', async (_name, event, loc) => {
    const before = await account.counted();
    const headers = { 'idempotency-key': randomUUID() };
    const events = [good(), good()].map((each) => JSON.stringify(each));
    const answer = await account.post(`{"ereignisse":[${events[0]},${event},${events[1]}]}`, headers);
    expectRefusal(answer, [422]);
    const locs = answer.json<{ detail: { loc: unknown[] }[] }>().detail.map((fault) => fault.loc);
    expect(locs[0]).toEqual(['body', 'ereignisse', 1, ...loc]);
    const again = await account.post(`{"ereignisse":[${events}]}`, headers);
    expect(again.status).toBe(202);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    await account.untilNothingWaits();
    expect(await account.counted()).toBe(before + 2);
  });

  test('all faults are named', async () => {
    const answer = await account.post(
      '{"ereignisse":[{"status":1,"eingabe_token":-1},{},{"geschaetzt":"vielleicht"}]}',
    );
    expectRefusal(answer, [422]);
    expect(answer.json<{ detail: { loc: unknown[] }[] }>().detail.map((fault) => fault.loc.slice(2))).toEqual(
      [
        [0, 'eingabe_token'],
        [0, 'status'],
        [2, 'geschaetzt'],
      ],
    );
  });

  test('more than 24 hours ahead is refused, a little less is taken', async () => {
    const ahead = (ms: number) => [
      good({ zeitpunkt: new Date(Date.now() + 24 * 3_600_000 + ms).toISOString() }),
    ];
    const answer = await account.send(ahead(60_000));
    expectRefusal(answer, [422]);
    expect(answer.json()).toMatchObject({
      detail: [{ loc: ['body', 'ereignisse', 0, 'zeitpunkt'], type: 'value_error' }],
    });
    expect((await account.send(ahead(-60_000))).status).toBe(202);
  });

  test.each(['0001-01-01T00:00:00Z', '1893-03-31T23:06:32Z', '1969-12-31T23:59:59.999999Z', -1])(
    'before 1970 (%s) is refused',
    async (zeitpunkt) => {
      const answer = await account.post(batch(JSON.stringify({ zeitpunkt })));
      expectRefusal(answer, [422]);
      expect(answer.json()).toMatchObject({
        detail: [{ loc: ['body', 'ereignisse', 0, 'zeitpunkt'], type: 'value_error' }],
      });
    },
  );

  test.each(['1970-01-01T00:00:00Z', '1999-12-31T23:59:59.999999Z', 0])(
    'of long ago (%s) is counted in its time',
    async (zeitpunkt) => {
      const before = await account.counted();
      expect((await account.post(batch(JSON.stringify({ zeitpunkt })))).status).toBe(202);
      await account.untilNothingWaits();
      expect(await account.counted()).toBe(before + 1);
    },
  );
});

describeKind('bombs', () => {
  type Bomb = [name: string, body: () => Body, statuses: number[], headers?: Headers];
  const bodies: Bomb[] = [
    ['100 brackets', () => nested(100), [422]],
    ['100,000 brackets', () => nested(100_000), [400, 422]],
    ['5 million brackets', () => nested(2_500_000), [400, 422]],
    ['5 million opening brackets', () => '['.repeat(5_000_000), [400]],
    ['a million open objects', () => '{"a":'.repeat(1_000_000), [400]],
    ['100,000 brackets for events', () => `{"ereignisse":${nested(100_000)}}`, [400, 422]],
    ['100,000 brackets in an unknown field', () => batch(`{"fremd":${nested(100_000)}}`), [400]],
    ['100,000 objects in zusatz', () => batch(`{"zusatz":${objects(100_000)}}`), [400, 422]],
    ['100,000 brackets in an id', () => batch(`{"ereignis_id":${nested(100_000)}}`), [400, 422]],
    ['a million faults', () => `{"ereignisse":[${'1,'.repeat(1_000_000)}1]}`, [413, 422]],
    ['three million empty lists', () => `{"ereignisse":[${'[],'.repeat(3_000_000)}[]]}`, [413, 422]],
    ['10,001 events', () => JSON.stringify({ ereignisse: Array(MAX_EVENTS_PER_BATCH + 1).fill({}) }), [413]],
    ['gzip of a gigabyte', () => gzipBomb(1024), [413], { 'content-encoding': 'gzip' }],
    ['brotli of 200 MB', () => brotliBomb(200), [413], { 'content-encoding': 'br' }],
    [
      'deflate of 100 MB',
      () => bytes(deflateSync(Buffer.alloc(100_000_000, ' '))),
      [413],
      { 'content-encoding': 'deflate' },
    ],
    ['gzip in gzip', () => bytes(gzipSync(gzipSync('{}'))), [400, 422], { 'content-encoding': 'gzip' }],
  ];
  test.each(bodies)('%s', async (_name, body, statuses, headers) => {
    expectRefusal(await account.post(body(), headers), statuses);
  });

  test('an unknown field may nest deeper than what is kept: it is not looked at, and not in the way', async () => {
    const laufId = randomUUID();
    const answer = await account.post(batch(`{"agent":"gut","lauf_id":"${laufId}","fremd":${nested(900)}}`));
    expect(answer.status).toBe(202);
    await account.untilNothingWaits();
    expect((await account.lauf(laufId)).ereignisse).toHaveLength(1);
  });

  test('exactly 10,000 events in exactly 10 MiB are taken', async () => {
    const before = await account.counted();
    const events = JSON.stringify({ ereignisse: Array(MAX_EVENTS_PER_BATCH).fill({ agent: 'viele' }) });
    const answer = await account.post(events.padEnd(MAX_BATCH_BYTES, ' '));
    expect(answer.status).toBe(202);
    await account.untilCounted(before + MAX_EVENTS_PER_BATCH);
  });
});

const bytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);
/** A gzip file may consist of many members; each of these unpacks to one megabyte. */
const gzipBomb = (megabytes: number) =>
  bytes(Buffer.concat(Array(megabytes).fill(gzipSync(Buffer.alloc(1024 * 1024, ' ')))));
const brotliBomb = (megabytes: number) =>
  bytes(
    brotliCompressSync(Buffer.alloc(megabytes * 1_000_000, ' '), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    }),
  );

describeKind('bytes that are not what they are said to be', () => {
  const valid = JSON.stringify({ ereignisse: [good()] });
  const bodies: [name: string, body: Body, headers: Headers, status: number][] = [
    ['truncated gzip', bytes(gzipSync(valid).subarray(0, 40)), { 'content-encoding': 'gzip' }, 400],
    [
      'gzip with a wrong checksum',
      bytes(gzipSync(valid).fill(0, gzipSync(valid).length - 8)),
      { 'content-encoding': 'gzip' },
      400,
    ],
    ['nothing as gzip', new Uint8Array(1), { 'content-encoding': 'gzip' }, 400],
    ['JSON as gzip', valid, { 'content-encoding': 'gzip' }, 400],
    ['truncated brotli', bytes(brotliCompressSync(valid).subarray(0, 20)), { 'content-encoding': 'br' }, 400],
    ['gzip as brotli', bytes(gzipSync(valid)), { 'content-encoding': 'br' }, 400],
    ['gzip as JSON', bytes(gzipSync(valid)), {}, 400],
    ['zstd', valid, { 'content-encoding': 'zstd' }, 415],
    ['two encodings', bytes(gzipSync(gzipSync(valid))), { 'content-encoding': 'gzip, gzip' }, 415],
    ['UTF-16', bytes(Buffer.from(valid, 'utf16le')), {}, 422],
    ['UTF-16 with its mark', bytes(Buffer.from(`\ufeff${valid}`, 'utf16le')), {}, 400],
    ['Latin-1', bytes(Buffer.from('{"ereignisse":[{"agent":"\xfc"}]}', 'latin1')), {}, 400],
    ['overlong UTF-8', bytes(Buffer.from([0x22, 0xc0, 0x80, 0x22])), {}, 400],
    ['a surrogate in UTF-8', bytes(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), {}, 400],
    ['a raw NUL', `{"ereignisse":[{"agent":"a\0"}]}`, {}, 422],
    ['text', valid, { 'content-type': 'text/plain' }, 422],
    ['a form', 'ereignisse=1', { 'content-type': 'application/x-www-form-urlencoded' }, 422],
    ['half a batch', valid.slice(0, -5), {}, 422],
    ['two batches', `${valid}${valid}`, {}, 422],
    ['a list', '[]', {}, 422],
    ['null', 'null', {}, 422],
    ['nothing', '', {}, 422],
    ['NaN', batch('{"eingabe_token":NaN}'), {}, 422],
  ];
  test.each(bodies)('%s', async (_name, body, headers, status) => {
    expectRefusal(await account.post(body, headers), [status]);
  });

  test('a byte-order mark does not hurt', async () => {
    const laufId = randomUUID();
    const body = `\ufeff${JSON.stringify({ ereignisse: [good({ lauf_id: laufId, agent: 'mit Marke' })] })}`;
    expect((await account.post(body)).status).toBe(202);
    await account.untilNothingWaits();
    expect((await account.lauf(laufId)).lauf.agent).toBe('mit Marke');
  });
});

/** Begins a request by hand, and sends what is given of its body. */
function openRequest(length: string, body: string): Promise<Socket> {
  const { hostname, port } = new URL(service.address());
  const head = `POST /v1/ereignisse HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${account.key}\r\ncontent-type: application/json`;
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const socket = connect(Number(port), hostname, () => {
    socket.write(`${head}\r\n${length}\r\n\r\n${body}`, () => resolve(socket));
  });
  socket.on('error', () => undefined);
  return promise;
}

const statusOf = (socket: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    socket.once('data', (data) => resolve(Number(data.toString('latin1').split(' ')[1])));
    socket.once('close', () => reject(new Error('closed without an answer')));
  });

describeKind('a batch larger than any may be', () => {
  const large = new Uint8Array(MAX_BATCH_BYTES + 2 * 1024 * 1024);
  const withoutLength = () =>
    request(`${service.address()}/v1/ereignisse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
  const SENDERS = isWhole ? 40 : 6;
  /** How many at once: each holds what it has sent until it has sent too much, and all must find room for that. */
  const shapes: [name: string, atOnce: number, send: () => Promise<Answer>][] = [
    ['with its length', SENDERS, () => account.post(large)],
    ['without', 3, withoutLength],
  ];
  test.each(shapes)(
    '%s: each of many senders gets that for an answer, though it is still sending',
    async (_name, atOnce, send) => {
      for (let sent = 0; sent < SENDERS; sent += atOnce)
        for (const answer of await Promise.all(Array.from({ length: atOnce }, send)))
          expectRefusal(answer, [413]);
    },
  );
});

describeKind('requests by hand', () => {
  test('a body announced as too large is refused before it comes', async () => {
    const socket = await openRequest(`content-length: ${MAX_BATCH_BYTES + 1}`, '');
    expect(await statusOf(socket)).toBe(413);
    socket.destroy();
  });

  test('a body of unknown length is refused at the first byte too many', async () => {
    const size = (MAX_BATCH_BYTES + 1).toString(16);
    const socket = await openRequest(
      'transfer-encoding: chunked',
      `${size}\r\n${' '.repeat(MAX_BATCH_BYTES + 1)}`,
    );
    expect(await statusOf(socket)).toBe(413);
    socket.destroy();
  });

  test.each([
    'content-length: 2\r\ntransfer-encoding: chunked',
    'content-length: -1',
    'content-length: 2\r\ncontent-length: 3',
    'content-length: 0x10',
    'transfer-encoding: gzip, unsinn',
  ])('a length that is none is refused: %j', async (length) => {
    const socket = await openRequest(length, '{}');
    expect(await statusOf(socket)).toBe(400);
    socket.destroy();
  });

  test('senders that stop half-way do not hold up anybody', async () => {
    const before = await account.counted();
    const most = `content-length: ${MAX_BATCH_BYTES}`;
    const sockets = await Promise.all([
      ...Array.from({ length: 50 }, () => openRequest(most, '{"ereignisse":[')),
      ...Array.from({ length: 50 }, () => openRequest('transfer-encoding: chunked', '5\r\n{"ere')),
    ]);
    expect((await account.send([good()])).status).toBe(202);
    await account.untilCounted(before + 1);
    for (const socket of sockets) socket.destroy();
    expect(await account.counted()).toBe(before + 1);
  });

  test('a Mandant that fills all the room it gets holds up no other', async () => {
    const neighbour = await createAccount(service);
    const body = '{"ereignisse":['.padEnd(MAX_BATCH_BYTES - 1, ' ');
    const sockets = await Promise.all(
      [1, 2, 3].map(() => openRequest(`content-length: ${MAX_BATCH_BYTES}`, body)),
    );
    const events = JSON.stringify({ ereignisse: [good()] }).padEnd(MAX_BATCH_BYTES, ' ');
    expect((await neighbour.post(events)).status).toBe(202);
    await neighbour.untilCounted(1);
    for (const socket of sockets) socket.destroy();
  });
});

describeKind('answers that nobody reads', () => {
  /** What the process has of the machine, in bytes. */
  async function resident(): Promise<number> {
    const { text } = await request(`${service.address()}/metrics`);
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
  }

  test('many requests in one packet make no heap of answers, and hold up nobody', async () => {
    const before = await resident();
    const { hostname, port } = new URL(service.address());
    const packet = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_400);
    const sockets = Array.from({ length: 5 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on('error', () => undefined).write(packet);
    // Who has too many requests waiting is cut off instead.
    await Promise.all(
      sockets
        .map((socket) => Promise.race([once(socket, 'readable'), once(socket, 'close')]))
        .map((first) => first.catch(() => undefined)),
    );
    // Seven thousand answers of half a megabyte would be under way by now.
    for (let asked = 0; asked < 20; asked += 1)
      expect((await request(`${service.address()}/v1/gesund`)).status).toBe(200);
    expect((await resident()) - before).toBeLessThan(256 * 1024 * 1024);
    for (const socket of sockets) socket.destroy();
  });

  test('who reads them gets all, in order', async () => {
    const { hostname, port } = new URL(service.address());
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    const paths = Array.from({ length: 300 }, (_, index) =>
      index % 2 === 0 ? '/v1/gesund' : '/v1/gibt-es-nicht',
    );
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
    await until('all answers', () => statuses().length === paths.length);
    expect(statuses()).toEqual(paths.map((path) => (path === '/v1/gesund' ? 200 : 404)));
    socket.destroy();
  });
});
