/** The exchange rates that costs are converted at. */
import type { preisKurse, ResponseOf } from '#contracts';
import { toInstant } from '#kernel/instant.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readShownRates } from '../store/shown-rates.ts';

/** The latest reference rates and the substitute; the same for every Mandant. */
export async function showRates({
  db,
  config,
}: Pick<ServiceContext, 'db' | 'config'>): Promise<ResponseOf<typeof preisKurse>> {
  const rates = await readShownRates({ db });
  return {
    referenzkurse: rates.map(({ tag, usd_eur }) => ({ tag, usd_eur })),
    geholt_am: rates[0] ? toInstant(rates[0].geholt_am) : null,
    ersatzkurs: { usd_eur: config.usdEurRate, tag: config.usdEurRateDay },
  };
}
