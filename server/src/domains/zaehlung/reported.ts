/** Calls whose cost is what they reported, beside what price book and list say of them. */
import type pg from 'pg';
import { type PricesOfMandant, REPORTED } from '#domains/preise/index.ts';
import { type Eur, rateFrom, toEur, usdFrom } from '#kernel/money.ts';
import { PRICED_ROW, type PricedRow, priceAgain } from './price-again.ts';
import type { Place, Stretch } from './reprice.ts';

interface Row extends PricedRow {
  kosten_usd: string;
}

/** Amounts at the exchange rate the call was counted with. */
export interface ReportedCall {
  /** '' where it names none. */
  anbieter: string;
  reported: Eur;
  /** Null where no whole price is known. */
  list: Eur | null;
}

const READ = `SELECT ${PRICED_ROW}, trim_scale(kosten_usd)::text AS kosten_usd FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2 AND zeitpunkt < $3 AND (zeitpunkt, ereignis_id) > ($4::timestamptz, $5::uuid)
    AND preis_quelle = '${REPORTED}'
  ORDER BY zeitpunkt, ereignis_id LIMIT $6`;
const BEFORE_ALL: Place = { zeitpunkt: '-infinity', ereignis_id: '00000000-0000-0000-0000-000000000000' };

function toReported(row: Row, prices: PricesOfMandant): ReportedCall {
  const rate = rateFrom(row.kurs_usd_eur);
  const { usd, partial } = priceAgain(row, prices);
  return {
    anbieter: row.anbieter ?? '',
    reported: toEur(usdFrom(row.kosten_usd), rate),
    list: usd === null || partial ? null : toEur(usd, rate),
  };
}

/** The next ones of a stretch, and the last of them; null: there are no more. */
export async function readReported(
  client: pg.ClientBase,
  { mandant, from, to, after, limit }: Omit<Stretch, 'zone'>,
  prices: PricesOfMandant,
): Promise<{ calls: ReportedCall[]; last: Place | null }> {
  const behind = after ?? BEFORE_ALL;
  const values = [mandant, after?.zeitpunkt ?? from, to, behind.zeitpunkt, behind.ereignis_id, limit];
  const { rows } = await client.query<Row>(READ, values);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    calls: rows.map((row) => toReported(row, { ...prices, reportedCosts: false })),
    last: last ? { zeitpunkt: last.zeitpunkt, ereignis_id: last.ereignis_id } : null,
  };
}
