import { zuordnungSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setZuordnung } from '../service/zuordnung.ts';

export const zuordnungSetzenRoute = (context: ServiceContext): Route =>
  route(zuordnungSetzen, (call) => setZuordnung(context, call.principal.mandant, akteurOf(call), call.body));
