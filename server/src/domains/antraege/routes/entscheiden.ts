import { antragEntscheiden } from '#contracts';
import type { InForce } from '#domains/eingriffe/index.ts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { decide } from '../service.ts';

export const antragEntscheidenRoute = (context: ServiceContext, inForce: InForce) =>
  route(antragEntscheiden, async (call) => {
    const { mandant } = call.principal;
    const decided = await decide(context, mandant, akteurOf(call), call.params.antrag_id, call.body);
    inForce.forget(mandant);
    return decided;
  });
