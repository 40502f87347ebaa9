import { vorfallSchliessen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { close } from '../service.ts';

export const vorfallSchliessenRoute = (context: ServiceContext) =>
  route(vorfallSchliessen, (call) =>
    close(context, call.principal.mandant, akteurOf(call), call.params.vorfall_id, call.query.massnahme),
  );
