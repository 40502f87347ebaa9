import { findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from './test-exchange.ts';
import { toEvents } from './to-events.ts';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const chat = { object: 'chat.completion', model: 'm', choices: [{ message: { content: 'x' } }] };

test.each([
  ['https://api.mistral.ai/v1/chat/completions', 'mistral'],
  ['https://api.together.xyz/v1/chat/completions', 'together'],
  ['https://api.groq.com/openai/v1/chat/completions', 'groq'],
  ['https://haus.openai.azure.com/openai/deployments/d/chat/completions', 'azure'],
  ['https://openrouter.ai/api/v1/chat/completions', 'openrouter'],
])('the provider of %s is %s, as the price list knows it', (uri, anbieter) => {
  expect(eventOf(exchangeOf(uri, chat))?.anbieter).toBe(anbieter);
  expect(findProvider({ providerId: anbieter })?.id).toBe(anbieter);
});

test.each([
  ['openai-chat', chat],
  ['openai-completions', { model: 'm', choices: [{ text: 'x' }] }],
  ['openai-responses', { object: 'response', model: 'm', output: [] }],
  ['openai-embeddings', { model: 'm', data: [{ object: 'embedding' }] }],
  ['anthropic', { type: 'message', model: 'm', content: [] }],
])('an unknown address is recognised by the form of the answer: %s', (_form, answer) => {
  expect(eventOf(exchangeOf('https://proxy.intern:8443/ki', answer))).toStrictEqual({
    ...BLANK,
    anbieter: null,
    modell: 'm',
  });
});

test.each([
  ['gpt-4o-mini', 'openai'],
  ['gpt-4o-mini-2024-07-18', 'openai'],
  ['openai/gpt-5', 'openai'],
  ['text-embedding-3-small', 'openai'],
  ['azure/gpt-4o', 'azure'],
  ['openrouter/anthropic/claude-sonnet-4', 'openrouter'],
  ['claude-sonnet-4-5', 'anthropic'],
  ['vertex_ai/gemini-2.5-pro', 'google'],
  ['gemini-2.5-flash', 'google'],
  ['grok-4', 'x-ai'],
  ['firma/gpt-4o', 'openai'],
  // Their weights are open: they may run on the machine at that address.
  ['gpt-oss-120b', null],
  ['openai/gpt-oss-20b', null],
  ['mistralai/Mistral-7B-Instruct-v0.3', null],
  ['meta-llama/Llama-3.3-70B-Instruct', null],
  ['deepseek-ai/DeepSeek-R1', null],
  ['gemma-3-27b', null],
  ['unser-modell', null],
  ['', null],
])('behind a gateway, %s is of %s, and never of the gateway', (model, anbieter) => {
  for (const uri of [
    'http://127.0.0.1:4000/v1/chat/completions',
    'https://gateway.firma.de/v1/chat/completions',
  ])
    expect(eventOf(exchangeOf(uri, { ...chat, model }))?.anbieter).toBe(anbieter);
});

test('what is no model call gives no event', () => {
  const models = exchangeOf('https://api.openai.com/v1/models', {
    object: 'list',
    data: [{ object: 'model' }],
  });
  for (const exchange of [
    models,
    { ...models, method: 'GET' },
    exchangeOf('https://proxy.intern/', 'nothing'),
  ])
    expect(toEvents(exchange)).toEqual({ events: [], unconverted: [] });
});

test('a proxy may keep a model behind any name', () => {
  expect(
    eventOf(exchangeOf('https://intern/files/ask', { ...chat, usage: { prompt_tokens: 3 } })),
  ).toMatchObject({
    eingabe_token: 3,
  });
});

test('a path alone is enough', () => {
  const event = eventOf(
    exchangeOf('/v1/messages?beta=true', { type: 'message', usage: { input_tokens: 1 } }),
  );
  expect(event).toMatchObject({ anbieter: null, eingabe_token: 1, zusatz: { eingabe_umfasst_cache: false } });
});

test('an error without a code is named by its status, one with a code by that', () => {
  const error = (body: object, status: number) => eventOf(exchangeOf(CHAT, body, { model: 'm' }, status));
  expect(error({}, 502)).toStrictEqual({
    ...BLANK,
    anbieter: 'openai',
    modell: 'm',
    status: 'fehler',
    fehlercode: 'http_502',
  });
  expect(error({ error: { code: 'invalid_api_key', type: 'auth' } }, 401)?.fehlercode).toBe(
    'invalid_api_key',
  );
  expect(error({ error: { code: null, type: 'server_error' } }, 500)?.fehlercode).toBe('server_error');
  expect(error({ object: 'error', type: 'BadRequestError', code: 400 }, 400)?.fehlercode).toBe(
    'BadRequestError',
  );
});

test('an HTML error page and an empty body are errors of the status', () => {
  expect(eventOf(exchangeOf(CHAT, '<html>Bad Gateway</html>', {}, 502))?.fehlercode).toBe('http_502');
  expect(eventOf(exchangeOf(CHAT, '', {}, 504))?.fehlercode).toBe('http_504');
});

test('an error inside a stream that began well', () => {
  const stream = sse({ ...chat }, { error: { message: 'x' } });
  expect(eventOf(exchangeOf(CHAT, stream))).toMatchObject({ status: 'fehler', fehlercode: 'unbekannt' });
});

test('counts that cannot be counts are unknown', () => {
  const usage = { prompt_tokens: -1, completion_tokens: 1.5, total_tokens: '7' };
  expect(eventOf(exchangeOf(CHAT, { ...chat, usage }))).toMatchObject({
    eingabe_token: null,
    ausgabe_token: null,
  });
});

test('time: what the caller says, else the answer; never one that lies ahead or before there were such calls', () => {
  const now = new Date('2025-10-10T00:00:00Z');
  const at = (created: unknown, zeitpunkt?: string) => {
    const exchange = exchangeOf(CHAT, { ...chat, created });
    return eventOf(zeitpunkt === undefined ? exchange : { ...exchange, zeitpunkt }, now)?.zeitpunkt;
  };
  expect(at(1_760_000_000)).toBe('2025-10-09T08:53:20.000Z');
  expect(at(1_760_000_000, '2025-10-08T00:00:00Z')).toBe('2025-10-08T00:00:00Z');
  expect(at(1_860_000_000)).toBe(null);
  expect(at(63_400)).toBe(null);
  expect(at('no time')).toBe(null);
});

test('latency in whole milliseconds', () => {
  expect(eventOf({ ...exchangeOf(CHAT, chat), latenzMs: 812.6 })?.latenz_ms).toBe(813);
});

test('model names that the service would refuse are cleaned', () => {
  expect(eventOf(exchangeOf(CHAT, { ...chat, model: 'a\u0000b\ud800' }))?.modell).toBe('ab\ufffd');
});

test.each([
  ['GET', 'https://api.openai.com/v1/chat/completions/chatcmpl-1', { ...chat, usage: { prompt_tokens: 1 } }],
  ['POST', 'https://api.openai.com/v1/chat/completions/chatcmpl-1', { ...chat, usage: { prompt_tokens: 1 } }],
  ['GET', CHAT, { object: 'list', data: [chat] }],
  [
    'GET',
    'https://api.openai.com/v1/responses/resp_1',
    { object: 'response', model: 'm', usage: { input_tokens: 1 } },
  ],
  ['GET', 'https://proxy.intern/ki', chat],
  ['POST', 'https://api.anthropic.com/v1/messages/count_tokens', { input_tokens: 12 }],
  [
    'POST',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:countTokens',
    { totalTokens: 9 },
  ],
  ['POST', 'https://api.openai.com/v1/files', { object: 'file' }],
  ['POST', 'https://api.openai.com/v1/threads/thread_1/messages', { object: 'thread.message' }],
  ['POST', 'https://api.openai.com/v1/conversations', { object: 'conversation' }],
  ['POST', 'https://api.openai.com/v1/realtime/client_secrets', { value: 'ek_1' }],
  ['POST', 'https://api.mistral.ai/v1/agents', { id: 'ag_1' }],
  [
    'POST',
    'https://api.openai.com/v1/vector_stores/vs_1/search',
    { object: 'vector_store.search_results.page' },
  ],
  ['POST', 'https://storage.googleapis.com/upload/b/o', { kind: 'storage#object' }],
  ['POST', 'https://www.example.org/warenkorb', { ok: true }],
])('%s %s is no call of a model', (method, uri, answer) => {
  expect(toEvents({ ...exchangeOf(uri, answer), method })).toEqual({ events: [], unconverted: [] });
});

test.each([
  'https://api.openai.com/v1/videos',
  'https://eu.api.openai.com/v1/videos',
  'https://api.anthropic.com/v1/complete',
  'https://generativelanguage.googleapis.com/v1beta/models/veo-3.0:predictLongRunning',
])('a call that nobody can convert is said: %s', (uri) => {
  const { host, pathname } = new URL(uri);
  expect(toEvents(exchangeOf(uri, { id: 'x' }))).toEqual({
    events: [],
    unconverted: [`no converter for POST ${host}${pathname}`],
  });
  // What the provider refused was never made.
  expect(toEvents(exchangeOf(uri, { error: {} }, {}, 404))).toEqual({ events: [], unconverted: [] });
});

test.each([
  ['https://eu.api.openai.com/v1/chat/completions', 'openai', { region: 'eu' }],
  ['https://us.api.openai.com/v1/chat/completions', 'openai', { region: 'us' }],
  ['https://haus.services.ai.azure.com/models/chat/completions', 'azure', null],
  ['https://haus.eastus.models.ai.azure.com/v1/chat/completions', 'azure', null],
  ['https://haus.openai.azure.us/openai/deployments/d/chat/completions', 'azure', null],
  ['https://eastus.api.cognitive.microsoft.com/openai/deployments/d/chat/completions', 'azure', null],
  [
    'https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/endpoints/openapi/chat/completions',
    'google',
    null,
  ],
  [
    'https://bedrock-runtime.eu-central-1.amazonaws.com/openai/v1/chat/completions',
    'aws',
    { region: 'eu-central-1' },
  ],
  [
    'https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/openai/v1/chat/completions',
    'aws',
    { region: 'us-gov-west-1' },
  ],
  [
    'https://vpce-1-x.bedrock-runtime.eu-west-1.vpce.amazonaws.com/openai/v1/chat/completions',
    'aws',
    { region: 'eu-west-1' },
  ],
  [
    'https://bedrock-runtime.cn-north-1.amazonaws.com.cn/openai/v1/chat/completions',
    'aws',
    { region: 'cn-north-1' },
  ],
  ['https://bedrock-mantle.us-east-1.api.aws/v1/chat/completions', 'aws', null],
  ['https://us.api.x.ai/v1/chat/completions', 'x-ai', { region: 'us' }],
  ['https://eu.openrouter.ai/api/v1/chat/completions', 'openrouter', null],
  ['https://eu.api.openai.com.example.org/v1/chat/completions', null, null],
])('%s is of %s', (uri, anbieter, zusatz) => {
  expect(eventOf(exchangeOf(uri, chat))).toMatchObject({ anbieter, zusatz });
});

test.each([
  ['gpt-4o-2024-11-20', undefined],
  ['ft:gpt-4.1-mini:firma::x', undefined],
  ['gpt-5', undefined],
  ['gpt-5.2-codex', undefined],
  ['o3', undefined],
  ['gpt-5.4', 'eu'],
  ['gpt-5.10-mini', 'eu'],
  ['gpt-6-sol', 'eu'],
])('%s at a regional end of OpenAI: %s', (model, region) => {
  const exchange = exchangeOf('https://eu.api.openai.com/v1/chat/completions', { ...chat, model });
  expect(eventOf(exchange).zusatz?.region).toBe(region);
});
