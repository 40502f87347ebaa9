/** Reports: a week in figures, to be read in the browser, as a PDF, and by mail. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { wocheVersendenJob } from './jobs/woche-versenden.ts';
import { aboLesenRoute } from './routes/abo-lesen.ts';
import { aboSetzenRoute } from './routes/abo-setzen.ts';
import { wocheRoute } from './routes/woche.ts';
import { wochePdfRoute } from './routes/woche-pdf.ts';

export const berichteRoutes = (context: ServiceContext): Route[] => [
  wocheRoute(context),
  wochePdfRoute(context),
  aboLesenRoute(context),
  aboSetzenRoute(context),
];

export const berichteJobs = (context: JobContext): Job[] => [wocheVersendenJob(context)];
