import { geldgrenzenSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setLimits } from '../set-limits.ts';

export const geldgrenzenSetzenRoute = (context: ServiceContext) =>
  route(geldgrenzenSetzen, (call) => setLimits(context, call.principal.mandant, akteurOf(call), call.body));
