import { kurseSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setKurse } from '../service/kurse.ts';

export const kurseSetzenRoute = (context: ServiceContext): Route =>
  route(kurseSetzen, (call) => setKurse(context, call.principal.mandant, akteurOf(call), call.body));
