/** Calls whose cost is not that of the list, because they reported it or by the price book, beside what they cost otherwise. */
import type pg from 'pg';
import { BOOK_SOURCES, type PricesOfMandant, REPORTED } from '#domains/preise/index.ts';
import { type Eur, rateFrom, toEur, usdFrom } from '#kernel/money.ts';
import type { CountedRow } from './counted-row.ts';
import { priceAgain } from './price-again.ts';
import { type Place, readNextCalls, type Stretch } from './reprice.ts';

/** Amounts at the exchange rate the call was counted with. */
export interface CallBesideList {
  /** '' where it names none. */
  anbieter: string;
  /** Whether its cost is what it reported, or of the price book. */
  by: 'gemeldet' | 'preisbuch';
  cost: Eur;
  /** Of a call that reported its cost by price book and list, of the others at the list price. Null where no whole price is known. */
  other: Eur | null;
}

/** What costs are held against. */
export interface OtherPrices {
  /** Price book and list. */
  book: PricesOfMandant;
  list: PricesOfMandant;
}

const patterns = BOOK_SOURCES.map((pattern) => `'${pattern}'`).join(', ');
const IS_BESIDE = `(preis_quelle = '${REPORTED}' OR preis_quelle LIKE ANY (ARRAY[${patterns}]))`;

function fromRow(row: CountedRow, { book, list }: OtherPrices): CallBesideList {
  const rate = rateFrom(row.kurs_usd_eur);
  const isReported = row.preis_quelle === REPORTED;
  const { usd, partial } = priceAgain(row, isReported ? { ...book, reportedCosts: false } : list);
  return {
    anbieter: row.anbieter ?? '',
    by: isReported ? 'gemeldet' : 'preisbuch',
    cost: toEur(usdFrom(row.kosten_usd as string), rate),
    other: usd === null || partial ? null : toEur(usd, rate),
  };
}

/** The next ones of a stretch, and the last of them; null: there are no more. */
export async function readBesideList(
  client: pg.ClientBase,
  stretch: Omit<Stretch, 'zone'>,
  prices: OtherPrices,
): Promise<{ calls: CallBesideList[]; last: Place | null }> {
  const { rows, last } = await readNextCalls(client, stretch, IS_BESIDE);
  return {
    calls: rows.map((row) => fromRow(row, prices)),
    last: rows.length < stretch.limit ? null : last,
  };
}
