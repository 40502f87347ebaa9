/** The prices of each Mandant: the list, with its price book before it. */
import type { Asking } from '../asking.ts';
import type { BookContent } from '../book/content.ts';
import { withBook } from '../book/priced.ts';
import type { PriceList } from '../price-list.ts';

export interface PricesOfMandant {
  prices: PriceList;
  /** Whether what a call reports as its cost is its cost. */
  reportedCosts: boolean;
  /** The edition of the price book; 0: there is none. */
  fassung: number;
  /** Approved models, and patterns of those they may stand for. */
  approved: BookContent['freigaben'];
}

export interface MandantPrices {
  /** The editions in force; 0 where there is none. */
  editions(db: Asking, mandanten: readonly string[]): Promise<Map<string, number>>;
  /** The prices of a Mandant by this edition, for days of this zone. */
  of(db: Asking, mandant: string, fassung: number, zone: string): Promise<PricesOfMandant>;
  /** The same by the edition in force. */
  current(db: Asking, mandant: string, zone: string): Promise<PricesOfMandant>;
}

const EDITIONS = `SELECT mandant_id, max(fassung) AS fassung FROM preisbuecher WHERE mandant_id = ANY($1::uuid[]) GROUP BY mandant_id`;
const EDITION = 'SELECT inhalt FROM preisbuecher WHERE mandant_id = $1 AND fassung = $2';
/** Mandanten with books that are remembered. */
const MAX_KEPT = 500;

export function createMandantPrices(list: PriceList): MandantPrices {
  const kept = new Map<string, { zone: string; prices: PricesOfMandant }>();
  const without: PricesOfMandant = { prices: list, reportedCosts: false, fassung: 0, approved: [] };

  const editions: MandantPrices['editions'] = async (db, mandanten) => {
    const { rows } = await db.query<{ mandant_id: string; fassung: number }>(EDITIONS, [mandanten]);
    const found = new Map(rows.map(({ mandant_id, fassung }) => [mandant_id, fassung]));
    return new Map(mandanten.map((mandant) => [mandant, found.get(mandant) ?? 0]));
  };

  const of: MandantPrices['of'] = async (db, mandant, fassung, zone) => {
    if (fassung === 0) return without;
    const known = kept.get(mandant);
    if (known?.prices.fassung === fassung && known.zone === zone) return known.prices;
    const { rows } = await db.query<{ inhalt: BookContent }>(EDITION, [mandant, fassung]);
    const [row] = rows;
    // The Mandant has been removed.
    if (!row) return without;
    const prices = {
      prices: withBook(list, { fassung, content: row.inhalt, zone }),
      reportedCosts: row.inhalt.gemeldete_kosten,
      fassung,
      approved: row.inhalt.freigaben,
    };
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(mandant, { zone, prices });
    return prices;
  };

  return {
    editions,
    of,
    async current(db, mandant, zone) {
      return of(db, mandant, (await editions(db, [mandant])).get(mandant) ?? 0, zone);
    },
  };
}
