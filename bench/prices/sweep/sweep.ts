/** All models of the newest lists beside the service's prices: what differs without a mark, and why. */
import { priceOfCall } from '#test/price-of-call.ts';
import type { SweptCall } from './litellm.ts';
import { SWEPT_REASONS, type SweptReason } from './swept-reasons.ts';

export const OUTCOMES = ['equal', 'marked', 'unknown here', 'differs'] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface Swept {
  list: string;
  call: SweptCall;
  outcome: Outcome;
  /** USD here, and the entry; null where it has no price. */
  own: { usd: string; source: string } | null;
  reason: SweptReason | null;
}

/** Less than this part of a price is a digit that a list has rounded. */
const ROUNDED = '0.0005';

function outcomeOf(call: SweptCall): { outcome: Outcome; own: Swept['own'] } {
  const price = priceOfCall(call);
  if (!price) return { outcome: 'unknown here', own: null };
  const own = { usd: price.usd.toFixed(), source: price.source };
  if (price.partial) return { outcome: 'marked', own };
  const isNear = price.usd.minus(call.expected).abs().lte(call.expected.mul(ROUNDED));
  return { outcome: isNear ? 'equal' : 'differs', own };
}

/** Every call of a list by the service. */
export const sweep = (list: string, calls: readonly SweptCall[]): Swept[] =>
  calls.map((call) => {
    const { outcome, own } = outcomeOf(call);
    const reason =
      outcome === 'differs' ? (SWEPT_REASONS.find((each) => covers(each, list, call)) ?? null) : null;
    return { list, call, outcome, own, reason };
  });

const covers = ({ list, models, facts }: SweptReason, name: string, { anbieter, listed, fact }: SweptCall) =>
  (list === null || list === name) && models.test(`${anbieter} ${listed}`) && (!facts || facts.test(fact));

/** Entries of the supplement against which both lists say the same without a reason that they are wrong, each as a sentence. */
export function contested(swept: readonly Swept[]): string[] {
  const said = new Map<string, Map<string, Set<string>>>();
  for (const { list, call, outcome, own, reason } of swept) {
    if (outcome !== 'differs' || reason?.right === 'here' || !own?.source.startsWith('zaehlwerk')) continue;
    const key = `${own.source}, ${call.fact}: ${own.usd} here`;
    const lists = said.get(key) ?? new Map<string, Set<string>>();
    said.set(key, lists.set(list, (lists.get(list) ?? new Set()).add(call.expected.toFixed())));
  }
  return [...said].flatMap(([what, lists]) => {
    const [first, second] = [...lists.values()];
    const agreed = [...(first ?? [])].filter((usd) => second?.has(usd));
    return agreed.map((usd) => `${what}, ${usd} in ${[...lists.keys()].join(' and ')}`);
  });
}
