/** Reconciliation: what was counted beside what providers invoice. */
import type { PriceList } from '#domains/preise/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { gemeldeteVergleichenJob } from './jobs/gemeldete-vergleichen.ts';
import { abgleichRoute } from './routes/abgleich.ts';
import { nutzungVergleichenRoute } from './routes/nutzung-vergleichen.ts';
import { rechnungAendernRoute } from './routes/rechnung-aendern.ts';
import { rechnungEntfernenRoute } from './routes/rechnung-entfernen.ts';
import { rechnungErfassenRoute } from './routes/rechnung-erfassen.ts';

export { nutzungBody } from './routes/nutzung-vergleichen.ts';

export const abgleichRoutes = (context: ServiceContext): Route[] => [
  abgleichRoute(context),
  nutzungVergleichenRoute(context),
  rechnungErfassenRoute(context),
  rechnungAendernRoute(context),
  rechnungEntfernenRoute(context),
];

export const abgleichJobs = (context: Pick<JobContext, 'owner' | 'log'>, list: PriceList): Job[] => [
  gemeldeteVergleichenJob(context, list),
];
