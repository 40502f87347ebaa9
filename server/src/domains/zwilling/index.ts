/** The twin: what a period would have cost with every rule in force and with the cheaper choices. */
import type { PriceList } from '#domains/preise/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alteEntfernenJob } from './jobs/alte-entfernen.ts';
import { tageLesenJob } from './jobs/tage-lesen.ts';
import { zwillingRoute } from './routes/zwilling.ts';

export { readSavings } from './service.ts';

export const zwillingRoutes = (context: ServiceContext): Route[] => [zwillingRoute(context)];

export const zwillingJobs = (context: Pick<JobContext, 'owner' | 'log'>, prices: PriceList): Job[] => [
  tageLesenJob(context, prices),
  alteEntfernenJob(context),
];
