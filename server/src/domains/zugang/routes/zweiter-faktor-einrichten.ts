import { zweiterFaktorEinrichten } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { beginSecondFactor } from '../service/zweiter-faktor.ts';

export const zweiterFaktorEinrichtenRoute = (context: ServiceContext): Route =>
  route(zweiterFaktorEinrichten, (call) => beginSecondFactor(context, call.principal, akteurOf(call)));
