import { type Exact, exact, plus, written } from '../exact.ts';
import { at, objectAt } from '../json.ts';

/** Decimals that the service takes; what is smaller is no money. */
const DECIMALS = 18;

const AMOUNT = /^\d{1,14}(\.\d{1,30})?(e-[12]?\d)?$/i;

/** An amount as it was sent (`parseJson` keeps its digits), null where it is none. */
function amount(value: unknown): Exact | null {
  return typeof value === 'string' && AMOUNT.test(value) ? exact(value) : null;
}

/** Perplexity: tokens, searches and fees together. */
function perplexityCost(usage: object): Exact | null {
  const currency = at(usage, 'cost', 'currency') ?? 'USD';
  return currency === 'USD' ? amount(at(usage, 'cost', 'total_cost')) : null;
}

/**
 * OpenRouter: `cost` is what it takes from the caller's credits. With the caller's own key of the provider behind it
 * (`is_byok`) that is its fee alone, and the caller owes the provider `upstream_inference_cost` besides: the call cost
 * both. Without an own key the two are the same amount. With one whose cost is not said, the fee alone would pass for
 * the cost of the call, so nothing is reported.
 */
function openRouterCost(usage: object): Exact | null {
  const charged = amount(at(usage, 'cost'));
  if (at(usage, 'is_byok') !== true) return charged;
  const upstream = amount(at(usage, 'cost_details', 'upstream_inference_cost'));
  return charged === null || upstream === null ? null : plus(charged, upstream);
}

/** xAI counts in ticks of 10^-10 USD. */
function ticks(usage: object): Exact | null {
  const sent = at(usage, 'cost_in_usd_ticks');
  return typeof sent === 'string' && /^\d{1,18}$/.test(sent) ? exact(`${sent}e-10`) : null;
}

/**
 * What the provider itself says that the call cost the caller, in USD as decimal text: Perplexity's `cost.total_cost`,
 * OpenRouter's `cost`, xAI's ticks; exact to 18 decimals. Other gateways write a `cost` too, in a currency and of a meaning unknown: one is
 * taken for OpenRouter's where the call went there or the block has OpenRouter's details.
 */
export function reportedCost(usage: object, host: string): string | null {
  const isOpenRouter = host.includes('openrouter') || objectAt(usage, 'cost_details') !== null;
  const cost = perplexityCost(usage) ?? ticks(usage) ?? (isOpenRouter ? openRouterCost(usage) : null);
  return cost === null ? null : written(cost, DECIMALS);
}
