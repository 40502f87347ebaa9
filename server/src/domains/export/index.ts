/** Everything of a Mandant as one archive. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { allesRoute } from './routes/alles.ts';

export const exportRoutes = (context: ServiceContext): Route[] => [allesRoute(context)];
