import { cockpitAnbindung } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readConnectionPage } from '../service.ts';

export const seiteRoute = (context: ServiceContext): Route =>
  route(cockpitAnbindung, ({ principal, query }) => readConnectionPage(context, principal, query));
