import { eingriffAnlegen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { InForce } from '../in-force.ts';
import { intervene } from '../service.ts';

export const eingriffAnlegenRoute = (context: ServiceContext, inForce: InForce) =>
  route(eingriffAnlegen, async (call) => {
    const made = await intervene(context, call.principal.mandant, akteurOf(call), call.body);
    // Other processes hear of it; who asks this one next must not be told what was before.
    inForce.forget(call.principal.mandant);
    return made;
  });
