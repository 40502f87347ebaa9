/** The prices of a Mandant, for requests: the list, with its price book before it. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { withBook } from '../book/priced.ts';
import type { PriceList } from '../price-list.ts';
import { currentEdition, readEdition } from '../store/books.ts';

/** Mandanten whose prices are remembered. */
const MAX_KEPT = 50;
/** Models of each that are. */
const MAX_MODELS = 500;

export type PricesOf = (tx: MandantTx, zone: string) => Promise<PriceList>;

/** Answers the prices of a Mandant; what its book makes of the list is remembered, since an edition never changes. */
export function createPricesOf(list: PriceList): PricesOf {
  const kept = new Map<MandantId, { fassung: number; zone: string; prices: PriceList }>();
  return async (tx, zone) => {
    const fassung = await currentEdition(tx);
    const known = kept.get(tx.mandant);
    if (known?.fassung === fassung && known.zone === zone) return known.prices;
    const edition = fassung === 0 ? undefined : await readEdition(tx, fassung);
    if (!edition) return list;
    const prices = withBook(list, { fassung, content: edition.inhalt, zone }, MAX_MODELS);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(tx.mandant, { fassung, zone, prices });
    return prices;
  };
}
