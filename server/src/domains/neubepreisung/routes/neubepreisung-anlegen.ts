import { neubepreisungAnlegen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { prepareRepricing } from '../service.ts';

export const neubepreisungAnlegenRoute = (context: ServiceContext): Route =>
  route(neubepreisungAnlegen, (call) =>
    prepareRepricing(context, call.principal.mandant, akteurOf(call), call.body),
  );
