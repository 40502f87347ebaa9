import { eingriffAufheben } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { InForce } from '../in-force.ts';
import { lift } from '../service.ts';

export const eingriffAufhebenRoute = (context: ServiceContext, inForce: InForce) =>
  route(eingriffAufheben, async (call) => {
    const lifted = await lift(context, call.principal.mandant, akteurOf(call), call.params.eingriff_id);
    inForce.forget(call.principal.mandant);
    return lifted;
  });
