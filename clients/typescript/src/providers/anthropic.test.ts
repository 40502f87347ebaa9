import { describe, expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';
import { toEvents } from '../to-events.ts';

const URI = 'https://api.anthropic.com/v1/messages?beta=true';
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [
    { type: 'thinking', thinking: '…' },
    { type: 'tool_use', id: 't1', name: 'wetter', input: {} },
    { type: 'server_tool_use', id: 't2', name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: 't2', content: [] },
  ],
  usage: {
    input_tokens: 12,
    cache_read_input_tokens: 2048,
    cache_creation_input_tokens: 700,
    cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 500 },
    output_tokens: 150,
    output_tokens_details: { thinking_tokens: 90 },
    service_tier: 'standard',
  },
};

test('JSON answer: input excludes the cache, which is the rule for this provider', () => {
  expect(eventOf(exchangeOf(URI, message, { model: 'claude-sonnet-4-5' }))).toStrictEqual({
    ...BLANK,
    anbieter: 'anthropic',
    modell: 'claude-sonnet-4-5-20250929',
    eingabe_token: 12,
    ausgabe_token: 150,
    cache_lese_token: 2048,
    cache_schreib_token: 700,
    denk_token: 90,
    werkzeugaufrufe: 2,
    zusatz: { cache_schreib_1h_token: 500, eingabe_ist_summe: true },
  });
});

const start = {
  type: 'message_start',
  message: {
    type: 'message',
    model: 'claude-haiku-4-5',
    content: [],
    usage: {
      input_tokens: 25,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 0,
      output_tokens: 2,
    },
  },
};
const toolBlock = {
  type: 'content_block_start',
  index: 1,
  content_block: { type: 'tool_use', id: 't1', input: {} },
};

test('stream: input from the start, output from the end', () => {
  const delta = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 61 } };
  expect(
    eventOf(exchangeOf(URI, sse(start, { type: 'ping' }, toolBlock, delta, { type: 'message_stop' }))),
  ).toStrictEqual({
    ...BLANK,
    anbieter: 'anthropic',
    modell: 'claude-haiku-4-5',
    eingabe_token: 25,
    ausgabe_token: 61,
    cache_lese_token: 10,
    cache_schreib_token: 0,
    werkzeugaufrufe: 1,
  });
});

test('stream that broke off: input known, output not', () => {
  expect(eventOf(exchangeOf(URI, sse(start, toolBlock)))).toMatchObject({
    eingabe_token: 25,
    ausgabe_token: null,
  });
});

test('error in the middle of a stream', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  expect(eventOf(exchangeOf(URI, sse(start, error)))).toMatchObject({
    status: 'fehler',
    fehlercode: 'overloaded_error',
  });
});

test('on Vertex AI the provider is Google, and what differs from its rules is said', () => {
  const uri =
    'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/';
  expect(eventOf(exchangeOf(`${uri}claude-sonnet-4-5:rawPredict`, message))).toMatchObject({
    anbieter: 'google',
    zusatz: { eingabe_umfasst_cache: false, ausgabe_umfasst_denken: true },
  });
});

const used = (usage: object) => {
  const answer = { ...message, content: [], usage: { input_tokens: 1000, output_tokens: 500, ...usage } };
  return eventOf(exchangeOf(URI, answer)).zusatz;
};

test.each([
  [
    'cache writes for an hour beside others',
    { cache_creation: { ephemeral_5m_input_tokens: 6_000, ephemeral_1h_input_tokens: 4_000 } },
    { cache_schreib_1h_token: 4_000 },
  ],
  ['a batch', { service_tier: 'batch' }, { preisstufe: 'batch' }],
  [
    'searches; fetching a page is free',
    { server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 } },
    { websuchen: 3 },
  ],
  ['inference bound to a place', { inference_geo: 'us' }, { region: 'us' }],
  ['inference bound to none', { inference_geo: 'not_available' }, null],
  ['fast mode, whatever the tier', { speed: 'fast', service_tier: 'standard' }, { preisstufe: 'fast' }],
  ['the usual speed', { speed: 'standard' }, null],
])('what a price depends on: %s', (_name, usage, zusatz) => {
  expect(used(usage)).toEqual(zusatz);
});

test('stream: searches and speed are those of the end', () => {
  const delta = {
    type: 'message_delta',
    usage: { output_tokens: 9, server_tool_use: { web_search_requests: 2 }, speed: 'fast' },
  };
  expect(eventOf(exchangeOf(URI, sse(start, delta))).zusatz).toEqual({ websuchen: 2, preisstufe: 'fast' });
});

test('a context summed up on the way is billed and in no other count', () => {
  const iterations = [
    {
      type: 'compaction',
      input_tokens: 180_000,
      output_tokens: 3_500,
      cache_creation: { ephemeral_1h_input_tokens: 70 },
    },
    { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
  ];
  const answer = { ...message, usage: { input_tokens: 23_000, output_tokens: 1_000, iterations } };
  expect(eventOf(exchangeOf(URI, answer))).toMatchObject({
    eingabe_token: 203_000,
    ausgabe_token: 4_500,
    cache_lese_token: null,
    zusatz: { cache_schreib_1h_token: 70 },
  });
});

test('a model asked for advice on the way is an event of its own', () => {
  const advice = {
    type: 'advisor_message',
    model: 'claude-opus-4-6',
    input_tokens: 800,
    output_tokens: 90,
    cache_read_input_tokens: 5,
  };
  const answer = {
    ...message,
    usage: { ...message.usage, iterations: [{ type: 'message', input_tokens: 12 }, advice] },
  };
  expect(toEvents(exchangeOf(URI, answer)).events).toMatchObject([
    { modell: 'claude-sonnet-4-5-20250929', eingabe_token: 12, ausgabe_token: 150 },
    {
      modell: 'claude-opus-4-6',
      eingabe_token: 800,
      ausgabe_token: 90,
      cache_lese_token: 5,
      werkzeugaufrufe: 0,
      zusatz: null,
    },
  ]);
});

test("OpenRouter in Anthropic's form reports the cost, too", () => {
  const usage = { input_tokens: 10, output_tokens: 5, cost: 0.0001, is_byok: false };
  expect(eventOf(exchangeOf('https://openrouter.ai/api/v1/messages', { ...message, usage }))).toMatchObject({
    anbieter: 'openrouter',
    zusatz: { gemeldete_kosten_usd: '0.0001', eingabe_umfasst_cache: false },
  });
});

describe('who is asked is not always who answers', () => {
  const fallback = { type: 'fallback', from: { model: 'claude-fable-5' }, to: { model: 'claude-opus-4-8' } };
  const iterations = [
    { type: 'message', model: 'claude-fable-5', input_tokens: 408, output_tokens: 0 },
    { type: 'fallback_message', model: 'claude-opus-4-8', input_tokens: 408, output_tokens: 250 },
  ];
  const usage = { input_tokens: 408, output_tokens: 250 };
  const answered = { modell: 'claude-opus-4-8', eingabe_token: 408, ausgabe_token: 250 };

  test('a stream whose start names the model that refused', () => {
    const start = {
      type: 'message_start',
      message: { model: 'claude-fable-5', usage: { input_tokens: 408 } },
    };
    const block = { type: 'content_block_start', content_block: fallback };
    const end = (more: object) => ({ type: 'message_delta', delta: {}, usage: { ...usage, ...more } });
    for (const stream of [sse(start, end({ iterations })), sse(start, block, end({}))])
      expect(eventOf(exchangeOf(URI, stream))).toMatchObject(answered);
  });

  test('an answer in one piece', () => {
    const whole = {
      type: 'message',
      model: 'claude-opus-4-8',
      content: [fallback],
      usage: { ...usage, iterations },
    };
    expect(eventOf(exchangeOf(URI, whole))).toMatchObject(answered);
  });
});

describe('a model that had written something before another answered', () => {
  const declined = { type: 'message', model: 'claude-fable-5', input_tokens: 408, output_tokens: 37 };
  const served = {
    type: 'fallback_message',
    model: 'claude-opus-4-8',
    input_tokens: 445,
    output_tokens: 250,
  };
  const message = (usage: object, iterations: object[]) => ({
    type: 'message',
    id: 'msg_01XFUDYJgAACzvnptvVoYELx',
    model: 'claude-opus-4-8',
    content: [],
    usage: { ...usage, iterations },
  });

  test.each([
    ['of the one that answered', { input_tokens: 445, output_tokens: 250 }],
    ['of both', { input_tokens: 853, output_tokens: 287 }],
  ])('counts beside it, whether the totals are those %s', (_whose, usage) => {
    const { events } = toEvents(exchangeOf(URI, message(usage, [declined, served])));
    expect(events).toMatchObject([
      { modell: 'claude-opus-4-8', eingabe_token: 445, ausgabe_token: 250 },
      { modell: 'claude-fable-5', eingabe_token: 408, ausgabe_token: 37 },
    ]);
    expect(new Set(events.map(({ ereignis_id }) => ereignis_id)).size).toBe(2);
  });

  test('steps of the one that answered are its own, and the longest prompt is one of them', () => {
    const step = { type: 'message', model: 'claude-opus-4-8', input_tokens: 500, output_tokens: 9 };
    const usage = { input_tokens: 945, output_tokens: 259 };
    const { events } = toEvents(exchangeOf(URI, message(usage, [declined, step, step, served])));
    expect(events[0]).toMatchObject({
      eingabe_token: 1_445,
      ausgabe_token: 268,
      zusatz: { laengste_eingabe_token: 500 },
    });
  });
});

describe('what was refused before a word was written', () => {
  const usage = { input_tokens: 408, cache_read_input_tokens: 9_000, output_tokens: 0 };
  const refused = { type: 'message', model: 'claude-fable-5', stop_reason: 'refusal', content: [] };

  test('is not billed', () => {
    expect(eventOf(exchangeOf(URI, { ...refused, usage }))).toMatchObject({
      eingabe_token: 0,
      ausgabe_token: 0,
      cache_lese_token: 0,
      zusatz: { verarbeitet: { eingabe_token: 408, cache_lese_token: 9_000 } },
    });
  });

  test('is billed once there was a word', () => {
    const spoken = { ...refused, usage: { ...usage, output_tokens: 3 } };
    expect(eventOf(exchangeOf(URI, spoken))).toMatchObject({ eingabe_token: 408, ausgabe_token: 3 });
  });
});

describe('an input that is the sum of several prompts', () => {
  const tool = { type: 'server_tool_use', name: 'code_execution' };
  const message = (usage: object, content: object[] = [tool]) =>
    eventOf(exchangeOf(URI, { type: 'message', model: 'claude-sonnet-4-5', content, usage })).zusatz;
  const step = (input: number, read: number) => ({
    type: 'message',
    input_tokens: input,
    cache_read_input_tokens: read,
    output_tokens: 10,
  });

  test('says how long the longest was, with what came from the cache', () => {
    const usage = {
      input_tokens: 90_000,
      output_tokens: 20,
      iterations: [step(40_000, 0), step(30_000, 20_000)],
    };
    expect(message(usage)).toEqual({ laengste_eingabe_token: 50_000 });
  });

  test('says that it is one where the steps are not told', () => {
    expect(message({ input_tokens: 950_000, output_tokens: 20 })).toEqual({ eingabe_ist_summe: true });
  });

  test('is none without tools', () => {
    expect(message({ input_tokens: 950_000, output_tokens: 20 }, [])).toBeNull();
    expect(message({ input_tokens: 9, output_tokens: 2, iterations: [step(9, 0)] })).toBeNull();
  });
});
