import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf } from '../test-exchange.ts';

const HOST = 'https://bedrock-runtime.eu-central-1.amazonaws.com/model';
const CLAUDE = 'global.anthropic.claude-sonnet-4-5-20250929-v1:0';
const claudeUri = `${HOST}/${encodeURIComponent(CLAUDE)}`;

/** Frames of an AWS event stream as they look once decoded as text: lengths and checksums are broken bytes. */
function frames(eventType: string, ...events: object[]): string {
  const junk = '\u0000\u0000\ufffd{\u0000\ufffd';
  const header = `\u000b:event-type\u0007\u0000\u0005${eventType}\r:content-type\u0007\u0000\u0010application/json`;
  return events.map((event) => `${junk}${header}${JSON.stringify(event)}\ufffd"\u0001`).join('');
}

test('Anthropic model: input excludes the cache, which is said; the priced id is the one in the address', () => {
  const answer = {
    type: 'message',
    model: 'claude-sonnet-4-5-20250929',
    content: [{ type: 'tool_use', id: 't', name: 'wetter', input: {} }],
    usage: {
      input_tokens: 5,
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: 0,
      output_tokens: 33,
    },
  };
  expect(eventOf(exchangeOf(`${claudeUri}/invoke`, answer))).toStrictEqual({
    ...BLANK,
    anbieter: 'aws',
    modell: CLAUDE,
    eingabe_token: 5,
    ausgabe_token: 33,
    cache_lese_token: 0,
    cache_schreib_token: 900,
    werkzeugaufrufe: 1,
    zusatz: { eingabe_umfasst_cache: false },
  });
});

const converse = {
  inputTokens: 18,
  outputTokens: 70,
  totalTokens: 1588,
  cacheReadInputTokens: 1500,
  cacheWriteInputTokens: 0,
};
const converseExpected = {
  ...BLANK,
  anbieter: 'aws',
  modell: 'eu.amazon.nova-pro-v1:0',
  eingabe_token: 18,
  ausgabe_token: 70,
  cache_lese_token: 1500,
  cache_schreib_token: 0,
  werkzeugaufrufe: 1,
  zusatz: { eingabe_umfasst_cache: false },
};
const profile = `${HOST}/arn%3Aaws%3Abedrock%3Aeu-central-1%3A1%3Ainference-profile%2Feu.amazon.nova-pro-v1%3A0`;

test('Converse', () => {
  const answer = {
    output: { message: { role: 'assistant', content: [{ text: 'x' }, { toolUse: { toolUseId: 'a' } }] } },
    stopReason: 'tool_use',
    usage: converse,
  };
  expect(eventOf(exchangeOf(`${profile}/converse`, answer))).toStrictEqual(converseExpected);
});

test('Converse stream', () => {
  const stream = [
    frames('contentBlockStart', {
      contentBlockIndex: 0,
      start: { toolUse: { toolUseId: 'a', name: 'wetter' } },
    }),
    frames('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '{"a":"}"}' } } }),
    frames('metadata', { metrics: { latencyMs: 900 }, usage: converse }),
  ].join('');
  expect(eventOf(exchangeOf(`${profile}/converse-stream`, stream))).toStrictEqual(converseExpected);
});

test('invoke stream: chunks in base64, Anthropic counts inside', () => {
  const chunk = (event: object) => ({
    bytes: Buffer.from(JSON.stringify(event)).toString('base64'),
    p: 'abc',
  });
  const stream = frames(
    'chunk',
    chunk({
      type: 'message_start',
      message: { model: 'claude', usage: { input_tokens: 7, output_tokens: 1 } },
    }),
    chunk({ type: 'message_delta', usage: { output_tokens: 44 } }),
    chunk({
      type: 'message_stop',
      'amazon-bedrock-invocationMetrics': { inputTokenCount: 7, outputTokenCount: 44 },
    }),
  );
  expect(eventOf(exchangeOf(`${claudeUri}/invoke-with-response-stream`, stream))).toMatchObject({
    eingabe_token: 7,
    ausgabe_token: 44,
  });
});

test('invoke stream of a family without counts of its own: the invocation metrics', () => {
  const metrics = { inputTokenCount: 16, outputTokenCount: 20, invocationLatency: 800, firstByteLatency: 90 };
  const last = { outputs: [{ text: '' }], 'amazon-bedrock-invocationMetrics': metrics };
  const bytes = Buffer.from(JSON.stringify(last)).toString('base64');
  const uri = `${HOST}/mistral.mistral-7b-instruct-v0:2/invoke-with-response-stream`;
  expect(eventOf(exchangeOf(uri, frames('chunk', { bytes })))).toStrictEqual({
    ...BLANK,
    anbieter: 'aws',
    modell: 'mistral.mistral-7b-instruct-v0:2',
    eingabe_token: 16,
    ausgabe_token: 20,
    zusatz: { region: 'eu-central-1' },
  });
});

test('Titan sums its results, its embeddings have none; Llama has names of its own', () => {
  const titan = { inputTextTokenCount: 11.0, results: [{ tokenCount: 5 }, { tokenCount: 6 }] };
  expect(eventOf(exchangeOf(`${HOST}/amazon.titan-text-lite-v1/invoke`, titan))).toMatchObject({
    eingabe_token: 11,
    ausgabe_token: 11,
  });
  const embedded = { embedding: [0.1], inputTextTokenCount: 3 };
  expect(eventOf(exchangeOf(`${HOST}/amazon.titan-embed-text-v2:0/invoke`, embedded))).toMatchObject({
    eingabe_token: 3,
    ausgabe_token: 0,
  });
  const llama = { generation: 'x', prompt_token_count: 25, generation_token_count: 31 };
  expect(eventOf(exchangeOf(`${HOST}/meta.llama3-70b-instruct-v1:0/invoke`, llama))).toMatchObject({
    eingabe_token: 25,
    ausgabe_token: 31,
  });
});

test("OpenAI's models: own form with own rules; in a Converse stream the input contains the cache", () => {
  const own = {
    choices: [{ message: {} }],
    usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
  };
  expect(eventOf(exchangeOf(`${HOST}/openai.gpt-oss-120b-1:0/invoke`, own))).toMatchObject({
    eingabe_token: 8,
    zusatz: null,
  });
  const usage = { inputTokens: 500, outputTokens: 9, cacheReadInputTokens: 480, cacheWriteInputTokens: 0 };
  const stream = frames('metadata', { usage });
  expect(eventOf(exchangeOf(`${HOST}/openai.gpt-oss-120b-1:0/converse-stream`, stream))).toMatchObject({
    cache_lese_token: 480,
    zusatz: null,
  });
});

test('an endpoint of one’s own: the answer names the model', () => {
  const arn = encodeURIComponent('arn:aws:bedrock:eu-central-1:1:application-inference-profile/abc');
  const answer = { type: 'message', model: 'claude-haiku-4-5', usage: { input_tokens: 1, output_tokens: 1 } };
  expect(eventOf(exchangeOf(`${HOST}/${arn}/invoke`, answer))?.modell).toBe('claude-haiku-4-5');
});

test('errors: by type in the body, by exception frame in a stream, else by status', () => {
  const typed = { __type: 'com.amazon.coral#ThrottlingException', message: 'x' };
  expect(eventOf(exchangeOf(`${claudeUri}/invoke`, typed, {}, 429))?.fehlercode).toBe('ThrottlingException');
  const frame = `\u0000:exception-type\u0007\u0000\u0013throttlingException{"message":"x"}`;
  expect(
    eventOf(exchangeOf(`${claudeUri}/converse-stream`, frames('messageStart', {}) + frame)),
  ).toMatchObject({
    status: 'fehler',
    fehlercode: 'throttlingException',
  });
  expect(eventOf(exchangeOf(`${claudeUri}/invoke`, { message: 'x' }, {}, 403))?.fehlercode).toBe('http_403');
});

test('Converse: what was written to the cache for an hour, and the tier, plain and streamed', () => {
  const usage = {
    ...converse,
    cacheWriteInputTokens: 10_000,
    cacheDetails: [
      { ttl: '1h', inputTokens: 9_000 },
      { ttl: '5m', inputTokens: 1_000 },
    ],
  };
  const zusatz = { cache_schreib_1h_token: 9_000, preisstufe: 'flex' };
  const answer = { output: {}, usage, serviceTier: { type: 'flex' } };
  expect(eventOf(exchangeOf(`${profile}/converse`, answer)).zusatz).toMatchObject(zusatz);
  const stream = frames('metadata', { usage, serviceTier: { type: 'flex' } });
  expect(eventOf(exchangeOf(`${profile}/converse-stream`, stream)).zusatz).toMatchObject(zusatz);
});

test.each([
  ['amazon.nova-lite-v1:0', 'eu-central-1', 'eu-central-1'],
  ['amazon.nova-lite-v1:0', 'us-east-1', undefined],
  ['eu.amazon.nova-lite-v1:0', 'eu-central-1', undefined],
  ['global.anthropic.claude-sonnet-4-5', 'eu-central-1', undefined],
  ['anthropic.claude-sonnet-4-5', 'eu-central-1', undefined],
])('%s in %s: the region is said where the id does not tell the price', (id, place, region) => {
  const uri = `https://bedrock-runtime.${place}.amazonaws.com/model/${encodeURIComponent(id)}/converse`;
  expect(eventOf(exchangeOf(uri, { output: {}, usage: converse })).zusatz?.region).toBe(region);
});
