import { zweiterFaktorBestaetigen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { confirmSecondFactor } from '../service/zweiter-faktor.ts';
import type { Throttles } from '../throttle.ts';

export const zweiterFaktorBestaetigenRoute = (context: ServiceContext, throttles: Throttles): Route =>
  route(zweiterFaktorBestaetigen, (call) =>
    confirmSecondFactor(context, throttles, call.principal, akteurOf(call), call.body.code),
  );
