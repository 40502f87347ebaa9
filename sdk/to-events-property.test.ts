import fc from 'fast-check';
import { expect, test } from 'vitest';
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
  cacheDetails ttl inputTokens meta billed_units search_units inlinedResponses`.split(/\s+/);
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
];

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(...TEXTS, null, true, 0, -1, 1.5, 1e-7, 7, Number.MAX_SAFE_INTEGER, 1e300),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 8 }),
  ),
}));

const COUNT = /_token$|suchen$|ausfuehrungen$|^(zeichen|seiten|bilder)$/;

test('whatever a provider answers, nothing throws, and what comes of it can be sent', () => {
  const method = fc.constantFrom('GET', 'POST');
  fc.assert(
    fc.property(fc.constantFrom(...ADDRESSES), method, value, value, (uri, called, answer, request) => {
      const body = { ...exchangeOf(uri, { answer }, { request }), body: JSON.stringify(answer), request };
      for (const event of toEvents({ ...body, method: called }).events) {
        for (const [name, found] of [...Object.entries(event), ...Object.entries(event.zusatz ?? {})])
          if (COUNT.test(name) && found !== null)
            expect(found, name).toSatisfy((n: number) => Number.isSafeInteger(n) && n >= 0);
        expect(event.zusatz?.gemeldete_kosten_usd ?? '0').toMatch(/^\d+(\.\d+)?$/);
      }
    }),
    { numRuns: 2_000 * Number(process.env.ZW_FUZZ ?? 1) },
  );
});
