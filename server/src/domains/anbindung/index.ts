/** Getting connected: the check of a key, the connection page, the first-start checklist. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { erststartRoute } from './routes/erststart.ts';
import { pruefenRoute } from './routes/pruefen.ts';
import { quellenRoute } from './routes/quellen.ts';
import { seiteRoute } from './routes/seite.ts';

export const anbindungRoutes = (context: ServiceContext): Route[] => [
  pruefenRoute(context),
  seiteRoute(context),
  quellenRoute(context),
  erststartRoute(context),
];
