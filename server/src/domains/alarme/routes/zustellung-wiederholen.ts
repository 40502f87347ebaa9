import { zustellungWiederholen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { REPEATS } from '../limits.ts';
import { repeatDelivery } from '../service/log.ts';

export const zustellungWiederholenRoute = (context: ServiceContext): Route =>
  route(zustellungWiederholen, async (call) => {
    const { mandant } = call.principal;
    await context.throttle.countErrand(REPEATS, mandant, call.request.ip);
    return repeatDelivery(context, mandant, akteurOf(call), call.params.zustellung_id);
  });
