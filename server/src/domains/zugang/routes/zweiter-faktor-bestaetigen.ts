import { zweiterFaktorBestaetigen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { confirmSecondFactor } from '../service/zweiter-faktor.ts';

export const zweiterFaktorBestaetigenRoute = (context: ServiceContext): Route =>
  route(zweiterFaktorBestaetigen, (call) =>
    confirmSecondFactor(context, call.principal, akteurOf(call), call.body.code),
  );
