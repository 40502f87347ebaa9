import { listeGewechselt, type PriceList, preisbuchGeaendert } from '#domains/preise/index.ts';
import { handle, type JobContext, onSchedule } from '#jobs/index.ts';
import { applyLatePrices, applyLatePricesOf } from '../late-prices.ts';

type Context = Pick<JobContext, 'owner' | 'log'>;

async function priceLate(context: Context, prices: PriceList): Promise<{ bepreist: number }> {
  await prices.refresh?.();
  return { bepreist: await applyLatePrices(context, prices) };
}

/** A newer price list, or supplement to it, may know models that had no price when they were counted. */
export const nachpreisenJob = (context: Context, prices: PriceList) =>
  onSchedule({
    id: 'zaehlung.nachpreisen',
    cron: '41 4 * * *',
    atStart: true,
    run: () => priceLate(context, prices),
  });

/** The same as soon as another edition of the list holds. */
export const nachListePreisenJob = (context: Context, prices: PriceList) =>
  handle(listeGewechselt, () => priceLate(context, prices));

/** The same for a Mandant as soon as it has changed its price book. */
export const nachPreisbuchPreisenJob = ({ owner }: Pick<JobContext, 'owner'>, prices: PriceList) =>
  handle(preisbuchGeaendert, async ({ mandant }) => ({
    bepreist: await applyLatePricesOf(owner, prices, mandant),
  }));
