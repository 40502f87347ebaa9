/** Leaving: cancellation, and the removal of everything after 30 days. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { kuendigenRoute } from './routes/kuendigen.ts';

export { createErinnern } from './jobs/erinnern.ts';
export { kontenLoeschen } from './jobs/loeschen.ts';
export { removeMandant } from './owner/removal.ts';
export { loeschungAb } from './rules.ts';
export { type LeavingContext, revokeKuendigung } from './service.ts';

export const kuendigungRoutes = (context: ServiceContext): Route[] => [kuendigenRoute(context)];
