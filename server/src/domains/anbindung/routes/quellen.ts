import { cockpitQuellen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readSourcesPage } from '../service.ts';

/** GET /v1/cockpit/anbindung/quellen. */
export const quellenRoute = (context: ServiceContext): Route =>
  route(cockpitQuellen, ({ principal }) => readSourcesPage(context, principal));
