import { andereSitzungenBeenden } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { endOtherSessions } from '../service/sitzungen.ts';

export const andereSitzungenBeendenRoute = (context: ServiceContext): Route =>
  route(andereSitzungenBeenden, (call) => endOtherSessions(context, call.principal, akteurOf(call)));
