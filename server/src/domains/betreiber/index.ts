/** What operators of the installation see and do, over all Mandanten: figures and sums, never what a Mandant has in it. */
import type { AsOperator } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { grenzenMeldenJob } from './jobs/grenzen-melden.ts';
import { kurseEinlesenRoute } from './routes/kurse-einlesen.ts';
import { mandantAendernRoute } from './routes/mandant-aendern.ts';
import { mandantenRoute } from './routes/mandanten.ts';
import { protokollRoute } from './routes/protokoll.ts';
import { uebersichtRoute } from './routes/uebersicht.ts';

export { changeMandant } from './service.ts';
export { takeRatesFile } from './take-rates.ts';
export { readWish } from './wish.ts';

export const betreiberRoutes = (context: ServiceContext, asOperator: AsOperator): Route[] => [
  uebersichtRoute(context, asOperator),
  mandantenRoute(context, asOperator),
  mandantAendernRoute(context, asOperator),
  kurseEinlesenRoute(context, asOperator),
  protokollRoute(asOperator),
];

export const betreiberJobs = (context: JobContext): Job[] => [grenzenMeldenJob(context)];
