import { expect, test } from 'vitest';
import { BLANK, exchangeOf, sse } from '../test-exchange.ts';
import { toEvent } from '../to-event.ts';

const OPENAI = 'https://api.openai.com/v1/chat/completions';
const call = (id: string) => ({ id, type: 'function', function: { name: 'wetter', arguments: '{}' } });
const chunk = (delta: object, more: object = {}) => ({
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'gpt-5-mini-2025-08-07',
  choices: [{ index: 0, delta }],
  usage: null,
  ...more,
});

test('JSON answer: input includes the cache, output the reasoning', () => {
  const answer = {
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'gpt-5-mini-2025-08-07',
    service_tier: 'flex',
    choices: [
      { index: 0, message: { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] } },
    ],
    usage: {
      prompt_tokens: 1200,
      completion_tokens: 340,
      total_tokens: 1540,
      prompt_tokens_details: { cached_tokens: 1024, cache_write_tokens: 100, audio_tokens: 7 },
      completion_tokens_details: { reasoning_tokens: 256, audio_tokens: 0 },
    },
  };
  expect(toEvent(exchangeOf(OPENAI, answer, { model: 'gpt-5-mini' }))).toStrictEqual({
    ...BLANK,
    zeitpunkt: '2025-10-09T08:53:20.000Z',
    anbieter: 'openai',
    modell: 'gpt-5-mini-2025-08-07',
    eingabe_token: 1200,
    ausgabe_token: 340,
    cache_lese_token: 1024,
    cache_schreib_token: 100,
    denk_token: 256,
    werkzeugaufrufe: 2,
    zusatz: { eingabe_audio_token: 7, preisstufe: 'flex' },
  });
});

test('stream: usage from the last chunk, two tool calls out of five pieces', () => {
  const stream = sse(
    chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call('a') }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"ort"' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ':"Ulm"}' } }] }),
    chunk({ tool_calls: [{ index: 1, ...call('b') }] }),
    chunk({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
    chunk({}, { choices: [], usage: { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 } }),
  );
  expect(toEvent(exchangeOf(OPENAI, `${stream}data: [DONE]\n\n`))).toStrictEqual({
    ...BLANK,
    zeitpunkt: '2025-10-09T08:53:20.000Z',
    anbieter: 'openai',
    modell: 'gpt-5-mini-2025-08-07',
    eingabe_token: 50,
    ausgabe_token: 20,
    werkzeugaufrufe: 2,
  });
});

test('stream without a usage block: counts unknown; Azure names the model in its second chunk', () => {
  const uri =
    'https://haus.openai.azure.com/openai/deployments/mein-modell/chat/completions?api-version=2024-10-21';
  const stream = sse(
    { model: '', created: 0, choices: [], prompt_filter_results: [] },
    chunk({ content: 'Hallo' }),
  );
  expect(toEvent(exchangeOf(uri, stream, { model: 'mein-modell' }))).toStrictEqual({
    ...BLANK,
    zeitpunkt: '2025-10-09T08:53:20.000Z',
    anbieter: 'azure',
    modell: 'gpt-5-mini-2025-08-07',
  });
});

test('an Azure answer that names no model: the deployment stands for it', () => {
  const uri = 'https://haus.openai.azure.com/openai/deployments/mein%20modell/chat/completions';
  expect(toEvent(exchangeOf(uri, { choices: [] }))?.modell).toBe('mein modell');
});

test('old function call in a stream counts once', () => {
  const stream = sse(
    chunk({ function_call: { name: 'wetter', arguments: '' } }),
    chunk({ function_call: { arguments: '{}' } }),
  );
  expect(toEvent(exchangeOf(OPENAI, stream))?.werkzeugaufrufe).toBe(1);
});

test('DeepSeek counts cache hits in a field of its own, Groq nests the usage of a stream', () => {
  const hit = {
    prompt_tokens: 90,
    completion_tokens: 5,
    prompt_cache_hit_tokens: 64,
    prompt_cache_miss_tokens: 26,
  };
  const deepseek = toEvent(
    exchangeOf('https://api.deepseek.com/chat/completions', { choices: [], usage: hit }),
  );
  expect(deepseek).toMatchObject({ anbieter: 'deepseek', eingabe_token: 90, cache_lese_token: 64 });

  const stream = sse({ choices: [], x_groq: { usage: { prompt_tokens: 11, completion_tokens: 3 } } });
  const groq = toEvent(exchangeOf('https://api.groq.com/openai/v1/chat/completions', stream));
  expect(groq).toMatchObject({ anbieter: 'groq', eingabe_token: 11, ausgabe_token: 3 });
});

test('reasoning on top of the output shows in the total and is said to the service', () => {
  const usage = {
    prompt_tokens: 12,
    completion_tokens: 2,
    total_tokens: 331,
    completion_tokens_details: { reasoning_tokens: 317 },
  };
  const xai = toEvent(
    exchangeOf('https://api.x.ai/v1/chat/completions', { model: 'grok-4', choices: [], usage }),
  );
  expect(xai).toMatchObject({ ausgabe_token: 2, denk_token: 317, zusatz: { ausgabe_umfasst_denken: false } });

  const google = 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions';
  // On top is what the service assumes of Google, so nothing needs saying.
  expect(toEvent(exchangeOf(google, { choices: [], usage }))).toMatchObject({
    anbieter: 'google',
    zusatz: null,
  });
});

test("Anthropic's compatible endpoint includes the cache, against the service's rule for Anthropic", () => {
  const usage = { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 };
  const event = toEvent(exchangeOf('https://api.anthropic.com/v1/chat/completions', { choices: [], usage }));
  expect(event).toMatchObject({ anbieter: 'anthropic', zusatz: { eingabe_umfasst_cache: true } });
});
