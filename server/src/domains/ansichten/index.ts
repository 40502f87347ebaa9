/** Views of the cockpit that users keep under a name. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { ansichtAendernRoute } from './routes/aendern.ts';
import { ansichtAnlegenRoute } from './routes/anlegen.ts';
import { ansichtEntfernenRoute } from './routes/entfernen.ts';
import { ansichtenRoute } from './routes/liste.ts';

export const ansichtenRoutes = (context: ServiceContext): Route[] => [
  ansichtenRoute(context),
  ansichtAnlegenRoute(context),
  ansichtAendernRoute(context),
  ansichtEntfernenRoute(context),
];
