/** The models of the newest genai-prices list, each with a plain call and one that reads from the cache, and what they cost by it. */
import { Decimal } from 'decimal.js';
import { USUAL_DAY } from '#test/price-cases.ts';
import type { SweptCall } from './litellm.ts';

const Exact = Decimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 });

type Price = number | { base: number };
type Prices = Record<string, Price | undefined>;
interface Conditional {
  constraint?: { start_date?: string; start_time?: string };
  prices: Prices;
}
interface Provider {
  id: string;
  models: { id: string; prices: Prices | Conditional[] }[];
}

/** The last that holds on the usual day, outside the hours that cost something else. */
function pricesOf(prices: Prices | Conditional[]): Prices | null {
  if (!Array.isArray(prices)) return prices;
  const day = USUAL_DAY.slice(0, 10);
  const holds = ({ constraint }: Conditional) =>
    constraint === undefined || (constraint.start_time === undefined && (constraint.start_date ?? '') <= day);
  return prices.findLast(holds)?.prices ?? null;
}

/** Whether hours of the day decide, which are not tried here. */
const isByHours = (prices: Prices | Conditional[]) =>
  Array.isArray(prices) && prices.some(({ constraint }) => constraint?.start_time !== undefined);

const TRIES = [
  { fact: 'text', tokens: { eingabe: 1_000, ausgabe: 500 }, units: { input_mtok: 1_000, output_mtok: 500 } },
  {
    fact: 'cache read',
    tokens: { eingabe: 10_000, lesen: 8_000, ausgabe: 500 },
    units: { input_mtok: 2_000, cache_read_mtok: 8_000, output_mtok: 500 },
  },
];

function expectedOf(prices: Prices, units: Record<string, number>): Decimal | null {
  let sum = new Exact(0);
  for (const [key, count] of Object.entries(units)) {
    const price = prices[key];
    if (price === undefined) return null;
    sum = sum.plus(
      new Exact(String(typeof price === 'number' ? price : price.base)).mul(count).div(1_000_000),
    );
  }
  const call = prices.requests_kcount;
  return call === undefined
    ? sum
    : sum.plus(new Exact(String(typeof call === 'number' ? call : call.base)).div(1_000));
}

/** Calls of all models, by the list as JSON. */
export const callsOfGenai = (json: string): SweptCall[] =>
  (JSON.parse(json) as Provider[]).flatMap(({ id: anbieter, models }) =>
    models.flatMap(({ id: modell, prices }) => {
      const held = isByHours(prices) ? null : pricesOf(prices);
      return TRIES.flatMap(({ fact, tokens, units }): SweptCall[] => {
        const expected = held && expectedOf(held, units);
        if (!expected) return [];
        const zusatz = { eingabe_umfasst_cache: true };
        return [{ anbieter, modell, tokens, zusatz, fact, listed: `${anbieter}/${modell}`, expected }];
      });
    }),
  );
