import { endkundeEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeEndkunde } from '../service/endkunden.ts';

export const endkundeEntfernenRoute = (context: ServiceContext): Route =>
  route(endkundeEntfernen, (call) =>
    removeEndkunde(context, call.principal.mandant, akteurOf(call), call.params.endkunde_id),
  );
