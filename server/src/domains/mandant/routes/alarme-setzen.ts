import { alarmeSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setAlarme } from '../service/alarme.ts';

export const alarmeSetzenRoute = (context: ServiceContext): Route =>
  route(alarmeSetzen, (call) => setAlarme(context, call.principal.mandant, akteurOf(call), call.body));
