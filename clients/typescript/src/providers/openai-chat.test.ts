import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';
import { toEvents } from '../to-events.ts';

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
  expect(eventOf(exchangeOf(OPENAI, answer, { model: 'gpt-5-mini' }))).toStrictEqual({
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
    zusatz: { audio_eingabe_token: 7, preisstufe: 'flex' },
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
  expect(eventOf(exchangeOf(OPENAI, `${stream}data: [DONE]\n\n`))).toStrictEqual({
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
  expect(eventOf(exchangeOf(uri, stream, { model: 'mein-modell' }))).toStrictEqual({
    ...BLANK,
    zeitpunkt: '2025-10-09T08:53:20.000Z',
    anbieter: 'azure',
    modell: 'gpt-5-mini-2025-08-07',
  });
});

test('an Azure answer that names no model: the deployment stands for it', () => {
  const uri = 'https://haus.openai.azure.com/openai/deployments/mein%20modell/chat/completions';
  expect(eventOf(exchangeOf(uri, { choices: [] }))?.modell).toBe('mein modell');
});

test('old function call in a stream counts once', () => {
  const stream = sse(
    chunk({ function_call: { name: 'wetter', arguments: '' } }),
    chunk({ function_call: { arguments: '{}' } }),
  );
  expect(eventOf(exchangeOf(OPENAI, stream))?.werkzeugaufrufe).toBe(1);
});

test('DeepSeek counts cache hits in a field of its own, Groq nests the usage of a stream', () => {
  const hit = {
    prompt_tokens: 90,
    completion_tokens: 5,
    prompt_cache_hit_tokens: 64,
    prompt_cache_miss_tokens: 26,
  };
  const deepseek = eventOf(
    exchangeOf('https://api.deepseek.com/chat/completions', { choices: [], usage: hit }),
  );
  expect(deepseek).toMatchObject({ anbieter: 'deepseek', eingabe_token: 90, cache_lese_token: 64 });

  const stream = sse({ choices: [], x_groq: { usage: { prompt_tokens: 11, completion_tokens: 3 } } });
  const groq = eventOf(exchangeOf('https://api.groq.com/openai/v1/chat/completions', stream));
  expect(groq).toMatchObject({ anbieter: 'groq', eingabe_token: 11, ausgabe_token: 3 });
});

test('reasoning on top of the output shows in the total and is said to the service', () => {
  const usage = {
    prompt_tokens: 12,
    completion_tokens: 2,
    total_tokens: 331,
    completion_tokens_details: { reasoning_tokens: 317 },
  };
  const xai = eventOf(
    exchangeOf('https://api.x.ai/v1/chat/completions', { model: 'grok-4', choices: [], usage }),
  );
  expect(xai).toMatchObject({ ausgabe_token: 2, denk_token: 317, zusatz: { ausgabe_umfasst_denken: false } });

  const google = 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions';
  // On top is what the service assumes of Google, so nothing needs saying.
  expect(eventOf(exchangeOf(google, { choices: [], usage }))).toMatchObject({
    anbieter: 'google',
    zusatz: null,
  });
});

test("Anthropic's compatible endpoint includes the cache, against the service's rule for Anthropic", () => {
  const usage = { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 };
  const event = eventOf(exchangeOf('https://api.anthropic.com/v1/chat/completions', { choices: [], usage }));
  expect(event).toMatchObject({ anbieter: 'anthropic', zusatz: { eingabe_umfasst_cache: true } });
});

const used = (uri: string, usage: object | string, model = 'm') => {
  const text = typeof usage === 'string' ? usage : JSON.stringify(usage);
  const body = `{"model":"${model}","choices":[{"message":{"content":"x"}}],"usage":${text}}`;
  return eventOf({ ...exchangeOf(uri, {}), body });
};

test('audio and pictures in the input, in the cache and in the output', () => {
  const event = used(OPENAI, {
    prompt_tokens: 1000,
    completion_tokens: 500,
    prompt_tokens_details: {
      audio_tokens: 800,
      image_tokens: 90,
      cached_tokens: 300,
      cached_tokens_details: { audio_tokens: 200, image_tokens: 50 },
    },
    completion_tokens_details: { audio_tokens: 400 },
  });
  expect(event.zusatz).toEqual({
    audio_eingabe_token: 800,
    bild_eingabe_token: 90,
    audio_cache_lese_token: 200,
    bild_cache_lese_token: 50,
    audio_ausgabe_token: 400,
  });
});

test('a model that searches for every answer has searched once', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5 };
  expect(used(OPENAI, usage, 'gpt-4o-mini-search-preview-2025-03-11').zusatz).toEqual({ websuchen: 1 });
  expect(used(OPENAI, usage, 'gpt-5-search-api').zusatz).toEqual({ websuchen: 1 });
});

test('Perplexity, deep research: citations, searches, reasoning beside the output', () => {
  const usage = `{"prompt_tokens":19,"completion_tokens":498,"total_tokens":517,"citation_tokens":10175,
    "num_search_queries":48,"reasoning_tokens":300,"cost":{"total_cost":0.82}}`;
  expect(used('https://api.perplexity.ai/chat/completions', usage)).toMatchObject({
    anbieter: 'perplexity',
    ausgabe_token: 498,
    denk_token: 300,
    zusatz: {
      gemeldete_kosten_usd: '0.82',
      zitat_token: 10_175,
      websuchen: 48,
      ausgabe_umfasst_denken: false,
    },
  });
});

test('xAI: cost in ticks, its own tools', () => {
  const usage = {
    prompt_tokens: 9212,
    completion_tokens: 3417,
    cost_in_usd_ticks: 318_319_001,
    server_side_tool_usage_details: { web_search_calls: 1, x_search_calls: 3, code_interpreter_calls: 2 },
  };
  expect(used('https://eu-west-1.api.x.ai/v1/chat/completions', usage)).toMatchObject({
    anbieter: 'x-ai',
    zusatz: { gemeldete_kosten_usd: '0.0318319001', websuchen: 4, codeausfuehrungen: 2 },
  });
});

test('Groq: a system of several models is billed as those that answered, its searches once', () => {
  const answer = {
    model: 'groq/compound',
    choices: [{ message: { executed_tools: [{ type: 'search' }, { type: 'python' }] } }],
    usage: { prompt_tokens: 110, completion_tokens: 12 },
    usage_breakdown: {
      models: [
        { model: 'llama-3.3-70b-versatile', usage: { prompt_tokens: 100, completion_tokens: 10 } },
        { model: 'openai/gpt-oss-120b', usage: { prompt_tokens: 10, completion_tokens: 2 } },
      ],
    },
  };
  expect(
    toEvents(exchangeOf('https://api.groq.com/openai/v1/chat/completions', answer)).events,
  ).toMatchObject([
    { modell: 'llama-3.3-70b-versatile', eingabe_token: 100, zusatz: { websuchen: 1 } },
    { modell: 'openai/gpt-oss-120b', eingabe_token: 10, zusatz: null },
  ]);
});

test("Gemini's compatible endpoint: thoughts that only the total has; the tier on Vertex AI", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 };
  const google = 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions';
  expect(used(google, usage)).toMatchObject({ ausgabe_token: 5, denk_token: 100, zusatz: null });
  // Elsewhere nobody says what the rest is.
  expect(used(OPENAI, usage)).toMatchObject({ ausgabe_token: 5, denk_token: null, zusatz: null });
  const vertex =
    'https://aiplatform.googleapis.com/v1/projects/p/locations/global/endpoints/openapi/chat/completions';
  const flex = { ...usage, extra_properties: { google: { traffic_type: 'ON_DEMAND_FLEX' } } };
  expect(used(vertex, flex)).toMatchObject({
    anbieter: 'google',
    zusatz: { preisstufe: 'flex' },
  });
});

test('parts that are together more than their whole are left out: the service would refuse them with the counts', () => {
  const event = used(OPENAI, {
    prompt_tokens: 100,
    completion_tokens: 50,
    prompt_tokens_details: { audio_tokens: 60, image_tokens: 41 },
    completion_tokens_details: { audio_tokens: 50 },
  });
  expect(event).toMatchObject({ eingabe_token: 100, zusatz: { audio_ausgabe_token: 50 } });
  expect(event.zusatz).not.toHaveProperty('audio_eingabe_token');
});

test.each([
  [
    'a Claude served by Amazon',
    'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/chat/completions',
    'anthropic.claude-x',
  ],
  ['a Claude nobody names the server of', '/v1/chat/completions', 'claude-x'],
  ['a Claude behind a gateway', 'https://openrouter.ai/api/v1/chat/completions', 'anthropic/claude-x'],
])('%s in this form: the input includes the cache, and that is said', (_name, uri, model) => {
  const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 80 } };
  expect(used(uri, usage, model).zusatz).toEqual({ eingabe_umfasst_cache: true });
});

test('a Gemini nobody names the server of: thoughts are in the output, and that is said', () => {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 5,
    completion_tokens_details: { reasoning_tokens: 4 },
  };
  expect(used('/v1/chat/completions', usage, 'gemini-2.5-pro').zusatz).toEqual({
    ausgabe_umfasst_denken: true,
  });
});
