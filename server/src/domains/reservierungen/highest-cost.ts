/** What a call can cost at most, in EUR. */
import { type HighestRates, highestRates, type PriceList } from '#domains/preise/index.ts';
import { type Eur, toEur, type Usd, type UsdEurRate } from '#kernel/money.ts';
import { RATE_MARGIN } from './limits.ts';
import { boundsOf, type ModelBounds } from './model-bounds.ts';
import type { Wish } from './tags.ts';

/** By what calls are priced at a moment. */
export interface Prices {
  list: PriceList;
  rate: UsdEurRate;
  epochMs: number;
}

export interface HighestCost {
  /** Of one call; null where nothing bounds it. */
  eur: Eur | null;
  /** Rates in EUR, null where they are not known. */
  rates: { input: Eur; output: Eur; call: Eur; upTo: number | null } | null;
  bounds: ModelBounds | null;
}

const HUNDRED = 100n;

/** What it comes to in EUR, with room for another exchange rate. */
function inEur(usd: bigint, rate: UsdEurRate): Eur {
  const exact = toEur(usd as Usd, rate);
  return ((exact * (HUNDRED + RATE_MARGIN) + HUNDRED - 1n) / HUNDRED) as Eur;
}

const ratesInEur = ({ input, output, call, upTo }: HighestRates, rate: UsdEurRate) => ({
  input: inEur(input, rate),
  output: inEur(output, rate),
  call: inEur(call, rate),
  upTo,
});

export function highestCost(wish: Wish, { list, rate, epochMs }: Prices): HighestCost {
  const modell = wish.modell || null;
  const bounds = boundsOf(modell);
  const input = wish.eingabe_token ?? bounds?.eingabe ?? null;
  const output = wish.ausgabe_token ?? bounds?.ausgabe ?? null;
  const found = highestRates(
    list,
    {
      anbieter: wish.anbieter || null,
      modell,
      preisstufe: wish.preisstufe || null,
      region: wish.region || null,
      eingabe: wish.eingabe_token ?? null,
      cacheSchreiben: wish.cache_schreiben ?? false,
    },
    epochMs,
  );
  const rates = found && ratesInEur(found, rate);
  if (rates === null || input === null || output === null || wish.begrenzt === false)
    return { eur: null, rates, bounds };
  const eur = (rates.input * BigInt(input) + rates.output * BigInt(output) + rates.call) as Eur;
  return { eur, rates, bounds };
}
