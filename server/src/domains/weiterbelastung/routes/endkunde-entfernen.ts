import { endkundeEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeEndkunde } from '../service/endkunden.ts';
import { requireNothingOpen } from '../service/open-months.ts';

export const endkundeEntfernenRoute = (context: ServiceContext): Route =>
  route(endkundeEntfernen, async (call) => {
    const { mandant } = call.principal;
    const { endkunde_id } = call.params;
    if (!call.query.bestaetigt) await requireNothingOpen(context, mandant, endkunde_id);
    return removeEndkunde(context, mandant, akteurOf(call), endkunde_id);
  });
