/** What single calls cost by the providers' published prices, to the last digit. */
import { describe, expect, test } from 'vitest';
import { type Call, PRICE_CASES } from '#test/price-cases.ts';
import { priceOfCall } from '#test/price-of-call.ts';

/** USD, with `+` behind it where some of the call has no rate; null when it has no price. */
function costOfCall(call: Call): string | null {
  const price = priceOfCall(call);
  return price && `${price.usd.toFixed()}${price.partial ? '+' : ''}`;
}

describe.each(Object.entries(PRICE_CASES))('%s', (_what, cases) => {
  test.each(cases)('$usd USD: $anbieter $modell $tokens $zusatz', (priceCase) => {
    expect(costOfCall(priceCase)).toBe(priceCase.usd);
  });
});

describe('the source of a price', () => {
  test('names the list, its version and the entry, and what was added to it', () => {
    const source = (anbieter: string, modell: string, zusatz: Record<string, unknown>) =>
      priceOfCall({ anbieter, modell, tokens: { eingabe: 1 }, zusatz })?.source;
    const own = 'zaehlwerk \\d{4}-\\d{2}-\\d{2}';
    const version = 'genai-prices \\d+\\.\\d+\\.\\d+';
    expect(source('openai', 'gpt-5', {})).toMatch(new RegExp(`^${version} openai/gpt-5$`));
    expect(source('openai', 'gpt-5', { preisstufe: 'flex' })).toMatch(
      new RegExp(`^${version} openai/gpt-5 \\+ ${own} flex$`),
    );
    expect(source('deepseek', 'deepseek-chat', {})).toMatch(new RegExp(`^${own} deepseek/deepseek-chat$`));
  });
});
