/**
 * What the free data of an event say of its price, as far as a door can judge it: whether each value is of its kind, and
 * whether the parts are not more than the counts they are parts of.
 */
import {
  type FactKind,
  MAX_COUNT,
  PRICE_FACTS,
  type PriceFact,
  type PriceFactName,
  type SentNameOf,
} from '#contracts';
import { countingRule, toPlainDecimal } from '#domains/preise/index.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { EventIn } from './packed/write.ts';

const FACTS = new Map<string, PriceFact>(Object.entries(PRICE_FACTS));

/** A whole count that others are parts of. */
type Whole = SentNameOf<'count'>;

/** How many tokens the parts of each whole are together, of those that have some. */
export type Parts = ReadonlyMap<Whole, number>;

const NO_PARTS: Parts = new Map();

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;

/** Whether a value is of its kind; null is. */
function isFact(value: unknown, { kind, max = Infinity }: PriceFact): boolean {
  if (value === null) return true;
  const kinds: Record<FactKind, () => boolean> = {
    count: () => isCount(value),
    flag: () => typeof value === 'boolean',
    text: () => typeof value === 'string' && [...value].length <= max,
    decimal: () => toPlainDecimal(value) !== null,
  };
  return kinds[kind]();
}

/** The parts that free data name; null when a value is not of its kind. Most free data name none. */
export function partsOf(zusatz: object): Parts | null {
  let parts: Map<Whole, number> | null = null;
  for (const name in zusatz) {
    const fact = FACTS.get(name);
    if (!fact) continue;
    const value = (zusatz as Record<string, unknown>)[name];
    if (!isFact(value, fact)) return null;
    if (!fact.partOf || !value) continue;
    parts ??= new Map();
    parts.set(fact.partOf, (parts.get(fact.partOf) ?? 0) + (value as number));
  }
  return parts ?? NO_PARTS;
}

/** What is wrong with a fact of an event. */
export interface WrongFact {
  index: number;
  name: PriceFactName;
  input: unknown;
  reason: Sentence;
}

const KINDS: Record<FactKind, (fact: PriceFact) => Sentence> = {
  count: () => ({
    de: 'ist keine ganze Zahl von 0 bis 2^53 - 1',
    en: 'is no whole number from 0 to 2^53 - 1',
  }),
  decimal: () => ({
    de: 'ist keine Dezimalzahl ab 0 (als Zahl, oder als Text ohne Exponent; höchstens 15 Stellen vor und 40 nach dem Punkt)',
    en: 'is no decimal from 0 on (a number, or a text without exponent; at most 15 digits before and 40 behind the point)',
  }),
  flag: () => ({ de: 'ist weder true noch false', en: 'is neither true nor false' }),
  text: ({ max }) => ({
    de: `ist kein Text von höchstens ${max} Zeichen`,
    en: `is no text of at most ${max} characters`,
  }),
};

/** The count that parts must stay within; null when it is unknown. */
function wholeOf(event: EventIn, whole: Whole): number | null {
  // One of these left out is 0, as the description of the fields has it.
  if (whole === 'cache_lese_token' || whole === 'cache_schreib_token')
    return event[whole] === undefined ? 0 : event[whole];
  const count = event[whole] ?? null;
  if (count === null || whole !== 'eingabe_token') return count;
  const said = event.zusatz?.eingabe_umfasst_cache;
  const rule = countingRule(event.anbieter ?? null, event.modell ?? null);
  const includesCache = typeof said === 'boolean' ? said : rule.eingabeUmfasstCache;
  return includesCache ? count : count + (event.cache_lese_token ?? 0) + (event.cache_schreib_token ?? 0);
}

/** The facts of one event that contradict its counts. */
function* tooLarge(event: EventIn, zusatz: Record<string, unknown>, parts: Parts) {
  for (const [whole, sum] of parts) {
    const count = wholeOf(event, whole);
    if (count === null || sum <= count) continue;
    for (const [name, fact] of FACTS) {
      if (fact.partOf !== whole || !zusatz[name]) continue;
      yield {
        name: name as PriceFactName,
        input: zusatz[name],
        reason: {
          de: `ist mit den anderen Teilen zusammen mehr als ${whole} (${count})`,
          en: `is together with the other parts more than ${whole} (${count})`,
        },
      };
    }
  }
}

function* wrongFactsOf(event: EventIn, zusatz: Record<string, unknown>) {
  const parts = partsOf(zusatz);
  if (parts) return yield* tooLarge(event, zusatz, parts);
  for (const [name, fact] of FACTS)
    if (Object.hasOwn(zusatz, name) && !isFact(zusatz[name], fact))
      yield { name: name as PriceFactName, input: zusatz[name], reason: KINDS[fact.kind](fact) };
}

/** What is wrong with the facts of checked events, in their order. */
export function wrongFacts(events: readonly EventIn[]): WrongFact[] {
  const found: WrongFact[] = [];
  for (const [index, event] of events.entries()) {
    if (!event.zusatz) continue;
    for (const wrong of wrongFactsOf(event, event.zusatz)) found.push({ index, ...wrong });
  }
  return found;
}
