/** A price list as a Mandant sees it: with its own prices before it, and its discounts taken off. */
import { Decimal } from 'decimal.js';
import { bucketRates, type ModelRates, type PriceList, type RatesAt, type Variant } from '../price-list.ts';
import { type Rates, timesFactor } from '../rates.ts';
import type { BookContent, BookPrice, Discount } from './content.ts';
import { fittingDiscounts, fittingPrices, type Named, readyDiscounts, readyPrices } from './matching.ts';
import { ratesOfPrice } from './rates.ts';

/** A price book with its number, and the time zone of its days. */
export interface PriceBook {
  fassung: number;
  content: BookContent;
  zone: string;
}

const midnight = (day: string | null, zone: string, otherwise: number) =>
  day === null ? otherwise : Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;

/** An entry from its first millisecond to the first one after. */
interface Timed<Entry> {
  entry: Entry;
  from: number;
  to: number;
}

const timed =
  (zone: string) =>
  <Entry extends { gilt_ab: string | null; gilt_bis: string | null }>(entry: Entry): Timed<Entry> => ({
    entry,
    from: midnight(entry.gilt_ab, zone, Number.NEGATIVE_INFINITY),
    to: midnight(entry.gilt_bis, zone, Number.POSITIVE_INFINITY),
  });

const holding = <Entry>(entries: readonly Timed<Entry>[], epochMs: number): Entry[] =>
  entries.filter(({ from, to }) => from <= epochMs && epochMs < to).map(({ entry }) => entry);

/** What is the same for all models of a book, made once. */
const toReady = ({ content, zone }: PriceBook) => ({
  prices: readyPrices(content.preise.map(timed(zone)), ({ entry }) => entry),
  discounts: readyDiscounts(content.rabatte.map(timed(zone)), ({ entry }) => entry),
});

const NO_RATES: Rates = new Map();

const nameOf = ({ anbieter, modell, preisstufe }: BookPrice) =>
  `${anbieter === null ? '' : `${anbieter}/`}${modell}${preisstufe === null ? '' : ` ${preisstufe}`}`;

/** The rates of an own price. `listed` are those of the list, null where it has none. */
function ownRates(price: BookPrice, listed: ModelRates | null, fassung: number): ModelRates {
  const rates: ModelRates = {
    ...bucketRates(ratesOfPrice(price, listed?.all ?? NO_RATES)),
    leastSeconds: 0,
    source: `preisbuch ${fassung} ${nameOf(price)}`,
    listed: listed?.listed ?? null,
    origin: 'preisbuch',
    discount: null,
    variant: () => ({ rates, known: true }),
  };
  return rates;
}

/** How the source of a price names the book, as patterns of SQL: an own price, a discount. */
export const BOOK_SOURCES = ['preisbuch %', '% (preisbuch %)'] as const;

function discounted(rates: ModelRates, { prozent }: Discount, fassung: number): ModelRates {
  const factor = new Decimal(100).minus(prozent).div(100).toFixed();
  return {
    ...rates,
    ...bucketRates(timesFactor(rates.all, factor)),
    source: `${rates.source} - ${prozent} % (preisbuch ${fassung})`,
    discount: prozent,
  };
}

/** Remembers what is made of each of a few things. */
function remembered<Of, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new Map<Of, Made>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const fresh = make(of);
    made.set(of, fresh);
    return fresh;
  };
}

/** What holds of a book at an instant, of one model. */
interface Held {
  /** The best first. */
  prices: readonly BookPrice[];
  discount: Discount | undefined;
}

/** The rates of a model where these entries hold. */
function compose({ prices, discount }: Held, listed: ModelRates | null, fassung: number): ModelRates | null {
  if (prices.length === 0 && !(listed && discount)) return listed;
  const lessDiscount = remembered((rates: ModelRates) =>
    discount ? discounted(rates, discount, fassung) : rates,
  );
  const own = remembered((price: BookPrice) => ownRates(price, listed, fassung));
  const ofTier = remembered((tier: string | null) =>
    prices.find(({ preisstufe }) => preisstufe === null || preisstufe === tier),
  );
  const variant: ModelRates['variant'] = (facts, epochMs): Variant => {
    const price = ofTier(facts.preisstufe);
    if (price) return { rates: own(price), known: true };
    if (!listed) return { rates: null, known: false };
    const { rates, known } = listed.variant(facts, epochMs);
    return { rates: rates && lessDiscount(rates), known };
  };
  const usual = ofTier(null);
  if (usual) return { ...own(usual), variant };
  if (listed) return { ...lessDiscount(listed), variant };
  // Only some tiers have a price: the usual one is unknown.
  const [some] = prices;
  return some ? { ...own(some), byBuckets: false, variant } : null;
}

type ReadyBook = ReturnType<typeof toReady> & Pick<PriceBook, 'fassung'>;

function createRatesAt(list: PriceList, ready: ReadyBook, anbieter: string | null, modell: string): RatesAt {
  const listedAt = list.model(anbieter, modell);
  const entriesOf = remembered((listed: ModelRates | null) => {
    const named: Named = { anbieter, modell, listed: listed?.listed ?? null };
    const prices = fittingPrices(ready.prices, named);
    const discounts = fittingDiscounts(ready.discounts, named);
    const borders = [...prices, ...discounts].flatMap(({ from, to }) => [from, to]);
    /** By when a stretch begins in which the same entries hold. */
    const composed = remembered((from: number) => {
      const held = { prices: holding(prices, from), discount: holding(discounts, from)[0] };
      return compose(held, listed, ready.fassung);
    });
    return { borders, composed };
  });
  return (epochMs) => {
    const { borders, composed } = entriesOf(listedAt(epochMs));
    let from = Number.NEGATIVE_INFINITY;
    for (const border of borders) if (border <= epochMs && border > from) from = border;
    return composed(from);
  };
}

const MAX_MODELS = 10_000;

/** The list with a price book before it; remembers this number of models. */
export function withBook(list: PriceList, book: PriceBook, most = MAX_MODELS): PriceList {
  const { preise, rabatte } = book.content;
  if (preise.length === 0 && rabatte.length === 0) return list;
  const ready: ReadyBook = { fassung: book.fassung, ...toReady(book) };
  const models = new Map<string, RatesAt>();
  let { edition } = list;
  return {
    ...(list.refresh && { refresh: list.refresh }),
    get edition() {
      return list.edition;
    },
    model(anbieter, modell) {
      if (modell === null || modell === '') return list.model(anbieter, modell);
      if (list.edition !== edition) {
        edition = list.edition;
        models.clear();
      }
      const key = `${anbieter ?? ''}\n${modell}`;
      const known = models.get(key);
      if (known) return known;
      const ratesAt = createRatesAt(list, ready, anbieter === '' ? null : anbieter, modell);
      if (models.size >= most) models.clear();
      models.set(key, ratesAt);
      return ratesAt;
    },
  };
}
