import { findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { BLANK, exchangeOf, sse } from './test-exchange.ts';
import { toEvent } from './to-event.ts';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const chat = { object: 'chat.completion', model: 'm', choices: [{ message: { content: 'x' } }] };

test.each([
  ['https://api.mistral.ai/v1/chat/completions', 'mistral'],
  ['https://api.together.xyz/v1/chat/completions', 'together'],
  ['https://api.groq.com/openai/v1/chat/completions', 'groq'],
  ['https://haus.openai.azure.com/openai/deployments/d/chat/completions', 'azure'],
  ['https://openrouter.ai/api/v1/chat/completions', 'openrouter'],
])('the provider of %s is %s, as the price list knows it', (uri, anbieter) => {
  expect(toEvent(exchangeOf(uri, chat))?.anbieter).toBe(anbieter);
  expect(findProvider({ providerId: anbieter })?.id).toBe(anbieter);
});

test.each([
  ['openai-chat', chat],
  ['openai-completions', { model: 'm', choices: [{ text: 'x' }] }],
  ['openai-responses', { object: 'response', model: 'm', output: [] }],
  ['openai-embeddings', { model: 'm', data: [{ object: 'embedding' }] }],
  ['anthropic', { type: 'message', model: 'm', content: [] }],
])('an unknown address is recognised by the form of the answer: %s', (_form, answer) => {
  expect(toEvent(exchangeOf('https://proxy.intern:8443/ki', answer))).toStrictEqual({
    ...BLANK,
    anbieter: 'proxy.intern',
    modell: 'm',
  });
});

test('what is no model call gives no event', () => {
  expect(
    toEvent(exchangeOf('https://api.openai.com/v1/models', { object: 'list', data: [{ object: 'model' }] })),
  ).toBe(null);
  expect(toEvent(exchangeOf('https://proxy.intern/', 'nothing of the kind'))).toBe(null);
});

test('a path alone is enough', () => {
  const event = toEvent(
    exchangeOf('/v1/messages?beta=true', { type: 'message', usage: { input_tokens: 1 } }),
  );
  expect(event).toMatchObject({ anbieter: null, eingabe_token: 1, zusatz: { eingabe_umfasst_cache: false } });
});

test('an error without a code is named by its status, one with a code by that', () => {
  const error = (body: object, status: number) => toEvent(exchangeOf(CHAT, body, { model: 'm' }, status));
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
  expect(toEvent(exchangeOf(CHAT, '<html>Bad Gateway</html>', {}, 502))?.fehlercode).toBe('http_502');
  expect(toEvent(exchangeOf(CHAT, '', {}, 504))?.fehlercode).toBe('http_504');
});

test('an error inside a stream that began well', () => {
  const stream = sse({ ...chat }, { error: { message: 'x' } });
  expect(toEvent(exchangeOf(CHAT, stream))).toMatchObject({ status: 'fehler', fehlercode: 'unbekannt' });
});

test('counts that cannot be counts are unknown', () => {
  const usage = { prompt_tokens: -1, completion_tokens: 1.5, total_tokens: '7' };
  expect(toEvent(exchangeOf(CHAT, { ...chat, usage }))).toMatchObject({
    eingabe_token: null,
    ausgabe_token: null,
  });
});

test('time: what the caller says, else the answer; never one that lies ahead or before there were such calls', () => {
  const now = new Date('2025-10-10T00:00:00Z');
  const at = (created: unknown, zeitpunkt?: string) => {
    const exchange = exchangeOf(CHAT, { ...chat, created });
    return toEvent(zeitpunkt === undefined ? exchange : { ...exchange, zeitpunkt }, now)?.zeitpunkt;
  };
  expect(at(1_760_000_000)).toBe('2025-10-09T08:53:20.000Z');
  expect(at(1_760_000_000, '2025-10-08T00:00:00Z')).toBe('2025-10-08T00:00:00Z');
  expect(at(1_860_000_000)).toBe(null);
  expect(at(63_400)).toBe(null);
  expect(at('no time')).toBe(null);
});

test('latency in whole milliseconds', () => {
  expect(toEvent({ ...exchangeOf(CHAT, chat), latenzMs: 812.6 })?.latenz_ms).toBe(813);
});

test('model names that the service would refuse are cleaned', () => {
  expect(toEvent(exchangeOf(CHAT, { ...chat, model: 'a\u0000b\ud800' }))?.modell).toBe('ab\ufffd');
});
