import { sitzungBeenden } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { endOwnSession } from '../service/sitzungen.ts';

export const sitzungBeendenRoute = (context: ServiceContext): Route =>
  route(sitzungBeenden, (call) =>
    endOwnSession(context, call.principal, akteurOf(call), call.params.sitzung_id),
  );
