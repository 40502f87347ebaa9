import { expect, test } from 'vitest';
import { eventOf, exchangeOf } from '../test-exchange.ts';

/** The event of a call whose usage block is sent digit by digit. */
const used = (uri: string, usage: string) =>
  eventOf({ ...exchangeOf(uri, {}), body: `{"model":"m","choices":[{"message":{}}],"usage":${usage}}` });

test('Perplexity: its own cost, exact to 18 decimals; a request costs by the size of its search context', () => {
  const usage = `{"prompt_tokens":1000,"completion_tokens":500,"total_tokens":1500,"search_context_size":"low","num_search_queries":1,
    "cost":{"currency":"USD","request_cost":0.005,"total_cost":0.0065000000000000010049}}`;
  expect(used('https://api.perplexity.ai/chat/completions', usage).zusatz).toEqual({
    gemeldete_kosten_usd: '0.006500000000000001',
    preisstufe: 'low',
  });
});

test.each([
  [
    'its credits',
    '{"prompt_tokens":1,"cost":0.00482,"is_byok":false,"cost_details":{"upstream_inference_cost":0.00482}}',
    '0.00482',
  ],
  ['a small amount', '{"prompt_tokens":1,"cost":3.75e-7}', '0.000000375'],
  ['a free model', '{"prompt_tokens":1,"cost":0}', '0'],
  [
    'an own key: its fee and what the provider behind it takes',
    '{"prompt_tokens":1,"cost":0.000375,"is_byok":true,"cost_details":{"upstream_inference_cost":0.0075}}',
    '0.007875',
  ],
  ['an own key whose cost is not said', '{"prompt_tokens":1,"cost":0.000375,"is_byok":true}', undefined],
  ['no number', '{"prompt_tokens":1,"cost":"free"}', undefined],
  ['less than nothing', '{"prompt_tokens":1,"cost":-0.1}', undefined],
])('OpenRouter reports the cost: %s', (_name, usage, kosten) => {
  const event = used('https://openrouter.ai/api/v1/chat/completions', usage);
  expect(event.zusatz?.gemeldete_kosten_usd).toBe(kosten);
});

test('a cost of a gateway whose currency nobody knows is not taken', () => {
  expect(used('https://gateway.intern/v1/chat/completions', '{"prompt_tokens":1,"cost":0.5}').zusatz).toBe(
    null,
  );
});
