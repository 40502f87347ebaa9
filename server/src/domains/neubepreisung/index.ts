/** Pricing past calls anew: what would change, then the change. */
import type { PriceList } from '#domains/preise/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { rechnenJob } from './jobs/rechnen.ts';
import { neubepreisungRoute } from './routes/neubepreisung.ts';
import { neubepreisungAbbrechenRoute } from './routes/neubepreisung-abbrechen.ts';
import { neubepreisungAnlegenRoute } from './routes/neubepreisung-anlegen.ts';
import { neubepreisungAnwendenRoute } from './routes/neubepreisung-anwenden.ts';
import { neubepreisungenRoute } from './routes/neubepreisungen.ts';

export const neubepreisungRoutes = (context: ServiceContext): Route[] => [
  neubepreisungAnlegenRoute(context),
  neubepreisungenRoute(context),
  neubepreisungRoute(context),
  neubepreisungAnwendenRoute(context),
  neubepreisungAbbrechenRoute(context),
];

export const neubepreisungJobs = (
  context: Pick<JobContext, 'owner' | 'clock' | 'log'>,
  list: PriceList,
): Job[] => [rechnenJob(context, list)];
