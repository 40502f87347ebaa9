/** What the free data of an event say of its price. The door has checked them; what waits from before that may hold anything. */
import { Decimal } from 'decimal.js';
import { MAX_COUNT, PRICE_FACTS, type PriceFactName, type PriceFactOf } from '#contracts';
import { USD_SCALE, type Usd, usdFrom } from '#kernel/money.ts';

export type CountFact = PriceFactOf<'count'>;

export interface PriceFacts {
  /** Null: the usual one. */
  preisstufe: string | null;
  /** Null: none that has a price of its own. */
  region: string | null;
  /** Those above 0. */
  counts: ReadonlyMap<CountFact, number>;
  /** Whether the input is the sum of several prompts; null where nobody said it. */
  eingabeIstSumme: boolean | null;
  /** Plain decimal; null when nobody said it or it is 0. */
  sekunden: string | null;
}

const USUAL_TIERS = new Set(['default', 'standard', 'auto', 'on_demand']);
const USUAL_REGIONS = new Set(['global', 'default', 'not_available']);
const DECIMAL = /^\d{1,15}(\.\d{1,40})?$/;
const NOTHING = /^0+(\.0+)?$/;

const COUNTS = (Object.keys(PRICE_FACTS) as PriceFactName[]).filter(
  (name): name is CountFact => PRICE_FACTS[name].kind === 'count',
);
const NAMES: ReadonlySet<string> = new Set<string>([
  'preisstufe',
  'region',
  'sekunden',
  'eingabe_ist_summe',
  ...COUNTS,
]);

/** Most free data name nothing of it: they are asked this much only. */
function namesAny(free: object): boolean {
  for (const name in free) if (NAMES.has(name)) return true;
  return false;
}

/** A word in lower case; null when it is none or one of the usual. */
function wordOf(value: unknown, usual: ReadonlySet<string>): string | null {
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  return word === '' || usual.has(word) ? null : word;
}

/** An exact decimal from 0 on, plain; null when the value is none, or longer than any amount of a call. */
export function toPlainDecimal(value: unknown): string | null {
  // JavaScript writes small numbers with an exponent.
  const text = typeof value === 'number' && Number.isFinite(value) ? new Decimal(value).toFixed() : value;
  return typeof text === 'string' && DECIMAL.test(text) ? text : null;
}

/** What stands as the source of a cost that the call itself reports. */
export const REPORTED = 'gemeldet';

/** What a call says that it cost, to the nearest 10^-24 USD; null when it says nothing. */
export function toReportedCost(free: Record<string, unknown>): Usd | null {
  if (free.gemeldete_kosten_usd === undefined) return null;
  const said = toPlainDecimal(free.gemeldete_kosten_usd);
  return said === null ? null : usdFrom(new Decimal(said).toDecimalPlaces(USD_SCALE).toFixed());
}

function secondsOf(value: unknown): string | null {
  const seconds = toPlainDecimal(value);
  return seconds === null || NOTHING.test(seconds) ? null : seconds;
}

/** Reads the facts; null when there are none, as in most events. What is not of its kind says nothing. */
export function toPriceFacts(free: Record<string, unknown>): PriceFacts | null {
  if (!namesAny(free)) return null;
  const counts = new Map<CountFact, number>();
  for (const name of COUNTS) {
    const value = free[name];
    if (Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_COUNT)
      counts.set(name, value as number);
  }
  const facts: PriceFacts = {
    preisstufe: wordOf(free.preisstufe, USUAL_TIERS),
    region: wordOf(free.region, USUAL_REGIONS),
    counts,
    eingabeIstSumme: typeof free.eingabe_ist_summe === 'boolean' ? free.eingabe_ist_summe : null,
    sekunden: secondsOf(free.sekunden),
  };
  const isEmpty =
    counts.size === 0 &&
    facts.preisstufe === null &&
    facts.region === null &&
    facts.sekunden === null &&
    facts.eingabeIstSumme !== true;
  return isEmpty ? null : facts;
}

/** What is billed instead of tokens. */
const INSTEAD_OF_TOKENS = ['zeichen', 'seiten', 'bilder', 'reranksuchen'] as const;

/** Whether the facts say what was used of a model that is not billed by tokens. */
export const saysUse = ({ counts, sekunden }: PriceFacts): boolean =>
  sekunden !== null || INSTEAD_OF_TOKENS.some((name) => counts.has(name));
