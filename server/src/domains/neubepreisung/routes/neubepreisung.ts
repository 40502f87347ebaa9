import { neubepreisung } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readOneRepricing } from '../service.ts';

export const neubepreisungRoute = (context: ServiceContext): Route =>
  route(neubepreisung, ({ principal, params, query }) =>
    readOneRepricing(context, principal.mandant, params.neubepreisung_id, query),
  );
