import { buchungBerichtigen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { amendBooking } from '../service/amendments.ts';

export const buchungBerichtigenRoute = (context: ServiceContext): Route =>
  route(buchungBerichtigen, (call) =>
    amendBooking(context, call.principal.mandant, akteurOf(call), call.body),
  );
