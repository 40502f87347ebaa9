/** Licences of self-hosted installations: so far the public revocation list. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { sperrlisteRoute } from './routes/sperrliste.ts';

export const lizenzenRoutes = (context: ServiceContext): Route[] => [sperrlisteRoute(context)];
