import { neubepreisungAbbrechen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { endEarly } from '../service.ts';

export const neubepreisungAbbrechenRoute = (context: ServiceContext): Route =>
  route(neubepreisungAbbrechen, (call) =>
    endEarly(context, call.principal.mandant, akteurOf(call), call.params.neubepreisung_id),
  );
