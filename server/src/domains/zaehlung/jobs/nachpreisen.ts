import type { PriceList } from '#domains/preise/index.ts';
import { type JobContext, onSchedule } from '#jobs/index.ts';
import { applyLatePrices } from '../late-prices.ts';

/** A newer price list may know models that had no price when they were counted; it comes with a start of the service. */
export const nachpreisenJob = (context: Pick<JobContext, 'owner' | 'log'>, prices: PriceList) =>
  onSchedule({
    id: 'zaehlung.nachpreisen',
    cron: '41 4 * * *',
    atStart: true,
    run: async () => ({ bepreist: await applyLatePrices(context, prices) }),
  });
