import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ereignis } from './event.ts';
import { exchangeOf } from './test-exchange.ts';
import { toEvents } from './to-events.ts';

const ADDRESSES = [
  'https://api.openai.com/v1/chat/completions',
  'https://api.openai.com/v1/responses',
  'https://api.openai.com/v1/threads/t/runs/r',
  'https://api.openai.com/v1/images/generations',
  'https://api.openai.com/v1/audio/transcriptions',
  'https://api.openai.com/v1/audio/speech',
  'https://api.openai.com/v1/files/f/content',
  'https://openrouter.ai/api/v1/chat/completions',
  'https://api.anthropic.com/v1/messages',
  'https://api.cohere.com/v2/rerank',
  'https://api.mistral.ai/v1/conversations',
  'https://api.mistral.ai/v1/ocr',
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent',
  'https://europe-west4-aiplatform.googleapis.com/v1/models/imagen-4:predict',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/eu.amazon.nova/converse',
  'https://proxy.intern/',
];

/** Names that converters look for, so that chance gets anywhere near them. */
const NAMES =
  `object type id status model background usage response result custom_id key error choices message output tools tool_usage
  image_gen prompt_tokens input_tokens completion_tokens output_tokens total_tokens input_tokens_details cached_tokens cost total_cost
  cost_details upstream_inference_cost is_byok cost_in_usd_ticks iterations cache_creation ephemeral_1h_input_tokens server_tool_use
  usageMetadata promptTokenCount toolUsePromptTokenCount candidatesTokensDetails modality tokenCount groundingMetadata
  webSearchQueries billedToolCalls candidates data predictions connectors connector_tokens usage_info pages_processed duration
  cacheDetails ttl inputTokens service_tier speed inference_geo audio_tokens image_tokens seconds cache_creation_input_tokens meta billed_units search_units inlinedResponses`.split(
    /\s+/,
  );
const TEXTS = [
  'response',
  'thread.run',
  'completed',
  'message',
  'compaction',
  '1h',
  'IMAGE',
  'web_search_call',
  'search',
  '',
  '1e9',
  `${'x'.repeat(39)}🦜🦜`,
];

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(...TEXTS, null, true, 0, -1, 1.5, 1e-7, 7, Number.MAX_SAFE_INTEGER, 1e300),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 8 }),
  ),
}));

const COUNTS =
  `prompt_tokens input_tokens completion_tokens output_tokens total_tokens cached_tokens audio_tokens image_tokens
  cache_read_input_tokens cache_creation_input_tokens ephemeral_1h_input_tokens promptTokenCount candidatesTokenCount
  cachedContentTokenCount toolUsePromptTokenCount inputTokens outputTokens cacheWriteInputTokens cost`.split(
    /\s+/,
  );
const DETAILS =
  `prompt_tokens_details completion_tokens_details input_tokens_details output_tokens_details cached_tokens_details
  cache_creation promptTokensDetails candidatesTokensDetails cacheTokensDetails cacheDetails iterations`.split(
    /\s+/,
  );

const number = fc.oneof(fc.nat({ max: 9 }), fc.constant(Number.MAX_SAFE_INTEGER), fc.constant(1e-7));
const counts = fc.dictionary(fc.constantFrom(...COUNTS), number, { maxKeys: 10 });
const entry = fc.record({
  modality: fc.constantFrom('AUDIO', 'IMAGE'),
  tokenCount: number,
  ttl: fc.constant('1h'),
  inputTokens: number,
  type: fc.constantFrom('compaction', 'advisor_message'),
  cached_tokens_details: counts,
});
const details = fc.dictionary(
  fc.constantFrom(...DETAILS),
  fc.oneof(counts, fc.array(entry, { maxLength: 3 }), entry),
  {
    maxKeys: 6,
  },
);
/** An answer that has the form of one, with counts by chance. */
const answered = fc.tuple(counts, details).map(([numbers, more]) => {
  const usage = { ...numbers, ...more };
  return {
    type: 'message',
    object: 'response',
    output: {},
    usage,
    usageMetadata: usage,
    meta: { billed_units: usage },
  };
});

/** The parts of one count, which are together not more than it. */
const PARTS = {
  eingabe_token: /^(audio|bild|video)_eingabe_token$/,
  ausgabe_token: /^(audio|bild|video)_ausgabe_token$/,
  cache_lese_token: /^(audio|bild)_cache_lese_token$/,
  cache_schreib_token: /^cache_schreib_1h_token$/,
} as const;

function contradictionsIn(event: Ereignis): string[] {
  const facts = Object.entries(event.zusatz ?? {});
  const includesCache = event.zusatz?.eingabe_umfasst_cache ?? event.anbieter !== 'anthropic';
  const cache = includesCache ? 0 : (event.cache_lese_token ?? 0) + (event.cache_schreib_token ?? 0);
  return Object.entries(PARTS).flatMap(([name, pattern]) => {
    const own = event[name as keyof typeof PARTS] ?? null;
    const whole = (own ?? 0) + (name === 'eingabe_token' ? cache : 0);
    const sum = facts.reduce((total, [key, found]) => total + (pattern.test(key) ? Number(found) : 0), 0);
    return own !== null && sum > whole ? [`${name} ${own} < ${sum}`] : [];
  });
}

const DECIMAL = /^\d{1,15}(\.\d{1,18})?$/;
const COUNT = /_token$|suchen$|ausfuehrungen$|^(zeichen|seiten|bilder)$/;

/** Whatever the answer was, the event is one that the service takes. */
function expectSendable(event: Ereignis): void {
  for (const [name, found] of [...Object.entries(event), ...Object.entries(event.zusatz ?? {})])
    if (COUNT.test(name) && found !== null)
      expect(found, name).toSatisfy((n: number) => Number.isSafeInteger(n) && n >= 0);
  expect(contradictionsIn(event)).toEqual([]);
  for (const name of ['gemeldete_kosten_usd', 'sekunden'])
    expect(String(event.zusatz?.[name] ?? 0)).toMatch(DECIMAL);
  for (const name of ['preisstufe', 'region'])
    expect([...String(event.zusatz?.[name] ?? '')].length).toBeLessThanOrEqual(40);
}

test('whatever a provider answers, nothing throws, and what comes of it can be sent', () => {
  const method = fc.constantFrom('GET', 'POST');
  fc.assert(
    fc.property(
      fc.constantFrom(...ADDRESSES),
      method,
      fc.oneof(answered, value),
      value,
      (uri, called, answer, request) => {
        const body = { ...exchangeOf(uri, { answer }, { request }), body: JSON.stringify(answer), request };
        for (const event of toEvents({ ...body, method: called }).events) expectSendable(event);
      },
    ),
    { numRuns: 2_000 * Number(process.env.ZW_FUZZ ?? 1) },
  );
});
