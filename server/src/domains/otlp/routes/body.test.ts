/** Large bodies at the real door: they are read in the thread, and hold up nobody. */
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { READERS } from './body.ts';

const NOW = Date.parse('2026-11-27T00:00:00.000Z');

let service: TestService;
let account: Account;
let secret: string;
beforeAll(async () => {
  service = await startService();
  service.clock.set(new Date(NOW).toISOString());
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await registerAccount(service);
  secret = (await createKey(service, account, ['Senden'])).secret;
});

const post = (payload: Buffer | string, encoding = 'identity') =>
  service.app.inject({
    method: 'POST',
    url: '/v1/traces',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'content-encoding': encoding,
    },
    payload,
  });

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** A body with as many calls, each a trace of its own, with the words of a prompt. */
function bodyOf(calls: number, promptOf: ((n: number) => string) | null): string {
  const spans = Array.from({ length: calls }, (_, n) => ({
    traceId: n.toString(16).padStart(32, '0'),
    spanId: '1'.repeat(16),
    startTimeUnixNano: `${NOW - 2_000}000000`,
    endTimeUnixNano: `${NOW - 1_000}000000`,
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      ...(promptOf === null ? [] : [attribute('gen_ai.input.messages', promptOf(n))]),
    ],
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

const ordinaryPrompt = (n: number): string => {
  const said = Array.from({ length: 250 }, (_, at) => `wort${(n * 7 + at * 13) % 3_000}`);
  return JSON.stringify([{ role: 'user', content: said.join(' ') }]);
};

/** Milliseconds of CPU time that reading takes here. */
function costHere(body: string): number {
  const known = { key: 'ab'.repeat(32), names: { endkunde: [], funktion: [], projekt: [] }, annahmeAb: null };
  const circumstances = { header: {}, receivedAt: new Date(NOW), known };
  const before = process.threadCpuUsage();
  READERS.spans['application/json'](Buffer.from(body), {} as never, circumstances);
  return milliseconds(process.threadCpuUsage(before));
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** The longest stretch of work, in milliseconds of CPU time, for which the event loop answers nothing else. */
async function longestStretch(during: Promise<unknown>): Promise<number> {
  let done = false;
  const end = during.finally(() => {
    done = true;
  });
  let longest = 0;
  let last = process.threadCpuUsage();
  while (!done) {
    await setImmediate();
    longest = Math.max(longest, milliseconds(process.threadCpuUsage(last)));
    last = process.threadCpuUsage();
  }
  await end;
  return longest;
}

const told = (table: string) =>
  service
    .sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE mandant_id = $1`, [account.mandantId])
    .then(([row]) => row?.n);

test('a whole trace is due in a second, one whose parent is elsewhere in six', async () => {
  const whole = bodyOf(1, null);
  const part = whole
    .replace(`"traceId":"${'0'.repeat(32)}"`, `"traceId":"${'f'.repeat(32)}"`)
    .replace(
      `"spanId":"${'1'.repeat(16)}"`,
      `"spanId":"${'1'.repeat(16)}","parentSpanId":"${'2'.repeat(16)}"`,
    );
  for (const body of [whole, part]) expect((await post(body)).statusCode).toBe(200);
  const due = await service.sql<{ ab: string }>(
    'SELECT ab FROM otlp_faellig WHERE mandant_id = $1 ORDER BY ab',
    [account.mandantId],
  );
  expect(due.map(({ ab }) => Date.parse(ab) - NOW)).toEqual([1_000, 6_000]);
});

describe('a large body', () => {
  const large = bodyOf(4_000, ordinaryPrompt);

  test.each(['identity', 'gzip'])('with prompts leaves the event loop to others (%s)', async (encoding) => {
    expect(large.length).toBeGreaterThan(9_000_000);
    const readHere = costHere(large);
    const payload = encoding === 'gzip' ? gzipSync(large) : Buffer.from(large);
    const sent = post(payload, encoding).then((answer) => expect(answer.statusCode, answer.body).toBe(200));
    expect(await longestStretch(sent)).toBeLessThan(readHere / 3);
    expect(await told('otlp_spuren')).toBe(4_000);
  });

  test('of as many traces as a request may hold is taken', async () => {
    expect((await post(bodyOf(20_000, null))).statusCode).toBe(200);
    expect([await told('otlp_spuren'), await told('otlp_faellig')]).toEqual([20_000, 20_000]);
    expect((await post(bodyOf(20_001, null))).statusCode).toBe(413);
  });

  test('whose prompts are dear on purpose is taken without them', async () => {
    const pieces = ['[', '[],', '{"a":', '{},', "'a',", '"\\u0061",', '{"a":1},'];
    const ordinary = costHere(large);
    for (const piece of pieces) {
      const most = Math.floor(9_000_000 / (JSON.stringify(piece).length - 2));
      const body = bodyOf(1, () => `[${piece.repeat(most)}`);
      expect(costHere(body), piece).toBeLessThan(ordinary);
      secret = (await createKey(service, await registerAccount(service), ['Senden'])).secret;
      expect((await post(body)).statusCode, piece).toBe(200);
    }
  });

  test('that is dear on purpose is refused, and others are read as before', async () => {
    const filled = (head: string, piece: string, tail: string) =>
      head + piece.repeat(9_900_000 / piece.length) + tail;
    const answers = [
      await post(filled('{"resourceSpans":', '[', '')),
      await post(filled('{"resourceSpans":[{}', ',{}', ']}')),
      await post(filled('{"resourceSpans":[{}', ' ', 'x]}')),
      await post(gzipSync(filled('{"resourceSpans":[{}', ' ', ']}')), 'gzip'),
      await post('kein gzip', 'gzip'),
      await post('{}', 'zip'),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 413, 400, 413, 400, 415]);
    expect((await post(gzipSync(bodyOf(3, ordinaryPrompt)), 'gzip')).statusCode).toBe(200);
    // Commas in prompts are no values.
    const commas = bodyOf(1, null).replace(
      '"chat"',
      `"chat"}},{"key":"llm.prompts","value":{"stringValue":"${','.repeat(500_000)}"`,
    );
    expect((await post(commas)).statusCode).toBe(200);
  });
});
