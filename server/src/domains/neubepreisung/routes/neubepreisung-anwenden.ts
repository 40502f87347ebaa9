import { neubepreisungAnwenden } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { applyRepricing } from '../service.ts';

export const neubepreisungAnwendenRoute = (context: ServiceContext): Route =>
  route(neubepreisungAnwenden, (call) =>
    applyRepricing(context, call.principal.mandant, akteurOf(call), call.params.neubepreisung_id),
  );
