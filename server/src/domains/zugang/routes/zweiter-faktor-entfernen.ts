import { zweiterFaktorEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeSecondFactor } from '../service/zweiter-faktor.ts';

export const zweiterFaktorEntfernenRoute = (context: ServiceContext): Route =>
  route(zweiterFaktorEntfernen, async (call) => {
    await removeSecondFactor(context, call.principal, akteurOf(call), call.body);
    return { zweiter_faktor: false };
  });
