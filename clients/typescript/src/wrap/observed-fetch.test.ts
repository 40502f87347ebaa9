/** What passes, whatever the server or the caller does. */
import { expect, test, vi } from 'vitest';
import { RunContext } from '../context/run.ts';
import { StoppedByIntervention } from '../eingriffe/errors.ts';
import type { Exchange } from '../event.ts';
import { type Fetch, observedFetch } from './observed-fetch.ts';
import { Observer } from './observer.ts';
import { CountsOut } from './usage-asked.ts';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const request = (more = {}) => ({
  method: 'POST',
  body: JSON.stringify({ model: 'gpt-5.1', messages: [], ...more }),
});
const answer = {
  id: 'chatcmpl-1',
  model: 'gpt-5.1',
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 2 },
};
const sse = (...events: object[]) =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

function setUp(inner: Fetch, options = { guards: true, asksCounts: false }) {
  const sender = {
    guard: vi.fn(async () => undefined),
    forbids: vi.fn(() => null),
    record: vi.fn((_exchange: Exchange, _call?: object) => ['id']),
    reserver: { isNeeded: () => false, admit: async () => null, keep: () => undefined, claim: () => null },
  };
  const observer = new Observer(sender, new RunContext({ agent: 'a' }));
  return { sender, observer, fetch: observedFetch(inner, observer, options) };
}

test('what is no call of a model passes unasked', async () => {
  const { fetch, sender } = setUp(async () => Response.json({ fine: true }));
  expect(await (await fetch('https://example.org/orders', { method: 'POST', body: '{}' })).json()).toEqual({
    fine: true,
  });
  await (await fetch('https://api.openai.com/v1/models')).json();
  expect(sender.guard).not.toHaveBeenCalled();
});

test('a call is asked for and recorded, and the caller gets what came', async () => {
  const own = Response.json(answer, { status: 201, statusText: 'Made', headers: { 'x-own': '1' } });
  Object.defineProperty(own, 'url', { value: CHAT });
  const { fetch, sender } = setUp(async () => own);
  const got = await fetch(new URL(CHAT), request());
  expect([got.status, got.statusText, got.headers.get('x-own'), got.url]).toEqual([201, 'Made', '1', CHAT]);
  expect(got).toBeInstanceOf(Response);
  expect(await got.json()).toEqual(answer);
  expect(sender.guard).toHaveBeenCalledTimes(1);
  expect(sender.record.mock.calls).toMatchObject([
    [
      { uri: CHAT, method: 'POST', status: 201, request: { model: 'gpt-5.1' }, body: JSON.stringify(answer) },
      { agent: 'a' },
    ],
  ]);
});

test('two of them around each other count once, in whichever order they were put', async () => {
  const { fetch, sender, observer } = setUp(async () => Response.json(answer));
  expect(observedFetch(fetch, observer, { guards: false })).toBe(fetch);
  const around = observedFetch(((...args) => fetch(...args)) as Fetch, observer, { guards: true });
  await (await around(CHAT, request())).text();
  expect(sender.guard).toHaveBeenCalledTimes(1);
  expect(sender.record).toHaveBeenCalledTimes(1);
});

test('a forbidden call reaches nobody', async () => {
  const inner = vi.fn(async () => Response.json(answer));
  const { fetch, sender } = setUp(inner);
  const eingriff = { stufe: 'sperren', objekt_art: 'agent', objekt: 'a', grund: '', grund_en: '', bis: null };
  sender.guard.mockRejectedValue(new StoppedByIntervention(eingriff as never));
  await expect(fetch(CHAT, request())).rejects.toBeInstanceOf(StoppedByIntervention);
  expect(inner).not.toHaveBeenCalled();
  expect(sender.record).not.toHaveBeenCalled();
});

test('a connection that fails is the caller’s error, and no call', async () => {
  const own = new TypeError('fetch failed');
  const { fetch, sender } = setUp(async () => Promise.reject(own));
  await expect(fetch(CHAT, request())).rejects.toBe(own);
  expect(sender.record).not.toHaveBeenCalled();
});

test.each(['guard that throws nothing but its refusals', 'record'])(
  'a fault of the %s is not the caller’s',
  async () => {
    const { fetch, sender } = setUp(async () => Response.json(answer));
    sender.record.mockImplementation(() => {
      throw new Error('ours');
    });
    expect(await (await fetch(CHAT, request())).json()).toEqual(answer);
  },
);

test('a refusal that its caller throws away is recorded with its reason', async () => {
  const refused = () => Response.json({ error: { code: 'rate_limit_exceeded' } }, { status: 429 });
  const { fetch, sender } = setUp(async () => refused());
  const dropped = await fetch(CHAT, request());
  await dropped.body?.cancel();
  await fetch(CHAT, request());
  await expect.poll(() => sender.record.mock.calls.length).toBe(2);
  for (const [exchange] of sender.record.mock.calls) expect(exchange.body).toContain('rate_limit_exceeded');
});

test('a stream that breaks says what passed', async () => {
  const own = new TypeError('terminated');
  let pulls = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (pulls++ > 0) return controller.error(own);
      controller.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Water"}}]}\n\n'));
    },
  });
  const { fetch, sender } = setUp(
    async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  );
  await expect((await fetch(CHAT, request())).text()).rejects.toBe(own);
  expect(sender.record.mock.calls).toMatchObject([
    [
      { aborted: true, body: expect.stringContaining('Water') },
      { status: 'fehler', fehlercode: 'verbindung_abgebrochen' },
    ],
  ]);
});

test.each([
  ['text/event-stream', /^data: \{\}\n\n\n\ndata: \{"error":\{"message":".+"/],
  ['application/x-ndjson', /^data: \{\}\n\n\n\{"error":".+"\}\n$/],
  ['application/json', /^data: \{\}\n\ndata: \{\}\n\n$/],
])('what is stopped on its way ends in the words of its kind: %s', async (type, end) => {
  let left = 2;
  const body = new ReadableStream(
    {
      pull(controller) {
        if (left-- > 0) controller.enqueue(new TextEncoder().encode('data: {}\n\n'));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const { fetch, sender } = setUp(async () => new Response(body, { headers: { 'content-type': type } }));
  const eingriff = {
    stufe: 'anhalten',
    objekt_art: 'agent',
    objekt: 'a',
    grund: '',
    grund_en: '',
    bis: null,
  };
  sender.forbids.mockReturnValueOnce(null).mockReturnValue(eingriff as never);
  expect(await (await fetch(CHAT, request())).text()).toMatch(end);
});

test('of an answer without end its beginning and its end are kept', async () => {
  const piece = new Uint8Array(1_048_576).fill(120);
  let left = 12;
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) return controller.enqueue(piece);
      controller.enqueue(new TextEncoder().encode('the end'));
      controller.close();
    },
  });
  const { fetch, sender } = setUp(
    async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
  );
  expect((await (await fetch(CHAT, request())).arrayBuffer()).byteLength).toBe(12 * piece.length + 7);
  const kept = sender.record.mock.calls[0]?.[0].body ?? '';
  expect(kept.length).toBeLessThan(6.1 * piece.length);
  expect(kept).toMatch(/the end$/);
});

const asks = { guards: true, asksCounts: true };
const part = { id: 'c', choices: [{ delta: { content: 'a,"usage":null' } }], usage: null };
const counts = { id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } };

test('counts of a stream are asked for, read, and kept from a caller who did not ask', async () => {
  const inner = vi.fn(async (..._args: Parameters<Fetch>) => sse(part, counts));
  const { fetch, sender } = setUp(inner, asks);
  const got = await (await fetch(CHAT, request({ stream: true }))).text();
  expect(got).toBe('data: {"id":"c","choices":[{"delta":{"content":"a,\\"usage\\":null"}}]}\n\n');
  expect(JSON.parse(String(inner.mock.calls[0]?.[1]?.body)).stream_options).toEqual({ include_usage: true });
  expect(sender.record.mock.calls[0]?.[0].body).toContain('"prompt_tokens":3');
});

test('who asks for counts gets them; who asks for something else is not asked for', async () => {
  const inner = vi.fn(async (..._args: Parameters<Fetch>) => sse(part, counts));
  const { fetch } = setUp(inner, asks);
  for (const stream_options of [{ include_usage: true }, { include_usage: false }]) {
    const got = await (await fetch(CHAT, request({ stream: true, stream_options }))).text();
    expect(got).toContain('"prompt_tokens":3');
    expect(inner.mock.lastCall?.[1]).toEqual(request({ stream: true, stream_options }));
  }
});

test('a piece without choices that says no counts is the caller’s', async () => {
  const filtered = { id: '', choices: [], prompt_filter_results: [] };
  const { fetch } = setUp(async () => sse({ ...filtered, usage: null }, counts), asks);
  expect(await (await fetch(CHAT, request({ stream: true }))).text()).toBe(
    `data: ${JSON.stringify(filtered)}\n\n`,
  );
});

test('an observer counts in any case, and whose headers go by the body, is not asked for', async () => {
  const inner = vi.fn(async (..._args: Parameters<Fetch>) => sse(part, counts));
  const { fetch } = setUp(inner, asks);
  const sent = request({ stream: true });
  const bound = [{ 'content-length': String(sent.body.length) }, { authorization: 'AWS4-HMAC-SHA256 x' }];
  for (const [uri, init] of [
    ['https://openrouter.ai/api/v1/chat/completions', sent] as const,
    ...bound.map((headers) => [CHAT, { ...sent, headers }] as const),
  ]) {
    expect(await (await fetch(uri, init)).text()).toContain('"prompt_tokens":3');
    expect(inner.mock.lastCall?.[1]).toEqual(init);
  }
});

test('a server that does not know the question is asked without it, once with it in all', async () => {
  const bodies: string[] = [];
  const { fetch, sender } = setUp(async (_input, init) => {
    bodies.push(String(init?.body));
    const isAsked = bodies.at(-1)?.includes('stream_options');
    return isAsked ? Response.json({ error: 'unknown field stream_options' }, { status: 400 }) : sse(part);
  }, asks);
  for (const _call of [1, 2])
    expect((await fetch('https://old.example/v1/chat/completions', request({ stream: true }))).status).toBe(
      200,
    );
  expect(bodies.map((body) => body.includes('stream_options'))).toEqual([true, false, false]);
  await expect.poll(() => sender.record.mock.calls.length).toBe(0);
});

test('counts are taken out wherever the network cuts a stream, and a piece without any is passed as it is', () => {
  const [before, after] = ['data: {"choices":[{"delta":{"content":"ü€😀"}}]}', 'data: [DONE]'];
  const stream = [before, `data: ${JSON.stringify(counts)}`, after].map((event) => `${event}\n\n`).join('');
  const bytes = new TextEncoder().encode(stream);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const out = new CountsOut();
    const passed = [out.pass(bytes.subarray(0, cut)), out.pass(bytes.subarray(cut)), out.rest()];
    expect(Buffer.concat(passed.filter((piece) => piece !== null)).toString()).toBe(
      `${before}\n\n${after}\n\n`,
    );
  }
  const piece = new TextEncoder().encode(`${before}\n\n`);
  expect(new CountsOut().pass(piece)).toBe(piece);
});
