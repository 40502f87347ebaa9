/** Findings and incidents: what rules have found, and what follows from it. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { befundRoute } from './routes/befund.ts';
import { befundStatusRoute } from './routes/befund-status.ts';
import { befundeRoute } from './routes/befunde.ts';
import { vorfaelleRoute } from './routes/vorfaelle.ts';
import { vorfallSchliessenRoute } from './routes/vorfall-schliessen.ts';

export type { Candidate } from './candidate.ts';
export { type Recorded, recordFindings } from './owner/record.ts';
export { withdrawFindings } from './owner/withdraw.ts';

export const befundeRoutes = (context: ServiceContext): Route[] => [
  befundeRoute(context),
  befundRoute(context),
  befundStatusRoute(context),
  vorfaelleRoute(context),
  vorfallSchliessenRoute(context),
];
