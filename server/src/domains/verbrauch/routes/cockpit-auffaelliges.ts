import { cockpitAuffaelliges } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { extraordinary } from '../service/auffaelliges.ts';

export const cockpitAuffaelligesRoute = (context: ServiceContext) =>
  route(cockpitAuffaelliges, ({ principal, query }) =>
    extraordinary(context, principal.mandant, query.zeitraum),
  );
