import { berichtaboSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setOwnAbo } from '../service/abo.ts';

export const aboSetzenRoute = (context: ServiceContext): Route =>
  route(berichtaboSetzen, (call) => setOwnAbo(context, call.principal, akteurOf(call), call.body));
