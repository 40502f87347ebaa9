/** Imports: calls of the past that people bring along from files. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alteEntfernenJob } from './jobs/alte-entfernen.ts';
import { arbeitenJob } from './jobs/arbeiten.ts';
import { importAbschliessenRoute } from './routes/import-abschliessen.ts';
import { importAnlegenRoute } from './routes/import-anlegen.ts';
import { importAnwendenRoute } from './routes/import-anwenden.ts';
import { importEinzelnRoute } from './routes/import-einzeln.ts';
import { importTeilRoute } from './routes/import-teil.ts';
import { importVerwerfenRoute } from './routes/import-verwerfen.ts';
import { importZuruecknehmenRoute } from './routes/import-zuruecknehmen.ts';
import { importeRoute } from './routes/importe.ts';

export const importeRoutes = (context: ServiceContext): Route[] => [
  importAnlegenRoute(context),
  importTeilRoute(context),
  importAbschliessenRoute(context),
  importAnwendenRoute(context),
  importVerwerfenRoute(context),
  importZuruecknehmenRoute(context),
  importeRoute(context),
  importEinzelnRoute(context),
];

export const importeJobs = (context: Pick<JobContext, 'owner' | 'clock' | 'log'>): Job[] => [
  arbeitenJob(context),
  alteEntfernenJob(context),
];
