/** What the service says that a call costs, on the list as installed. */
import { Decimal } from 'decimal.js';
import { countingRule, createPriceList, priceCall, toBuckets, toPriceFacts } from '#domains/preise/index.ts';
import { USD_SCALE } from '#kernel/money.ts';
import { type Call, USUAL_DAY } from './price-cases.ts';

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100 });
const list = createPriceList();
const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** The counts of a call taken apart; null where it says none. */
export function bucketsOf({ anbieter, modell, tokens, zusatz = {} }: Call) {
  return toBuckets({
    rule: countingRule(anbieter, modell),
    eingabe: tokens.eingabe ?? null,
    ausgabe: tokens.ausgabe ?? null,
    cacheLese: tokens.lesen ?? null,
    cacheSchreib: tokens.schreiben ?? null,
    denk: tokens.denk ?? null,
    eingabeUmfasstCache: flag(zusatz.eingabe_umfasst_cache),
    ausgabeUmfasstDenken: flag(zusatz.ausgabe_umfasst_denken),
  });
}

const NO_TOKENS = { eingabeOhneCache: 0, cacheLese: 0, cacheSchreib: 0, ausgabeGesamt: 0 };

export interface PriceOfCall {
  usd: Decimal;
  /** Whether some of the call has no rate. */
  partial: boolean;
  /** Price list, version and entry. */
  source: string;
}

/** Exact USD; null when the call has no price. A call without tokens is one that used something else. */
export function priceOfCall(call: Call): PriceOfCall | null {
  const epochMs = Date.parse(call.at ?? USUAL_DAY);
  const rates = list.model(call.anbieter, call.modell)(epochMs);
  if (!rates) return null;
  const buckets = bucketsOf(call) ?? NO_TOKENS;
  const facts = toPriceFacts(call.zusatz ?? {});
  const { usd, partial, source } = priceCall(buckets, call.tokens.denk ?? 0, facts, rates, epochMs);
  if (usd === null || source === null) return null;
  return { usd: new Exact(usd.toString()).div(new Exact(10).pow(USD_SCALE)), partial, source };
}
