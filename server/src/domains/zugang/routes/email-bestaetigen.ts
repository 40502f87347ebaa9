import { emailBestaetigen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { confirmAddress } from '../service/bestaetigung.ts';

export const emailBestaetigenRoute = (context: ServiceContext): Route =>
  route(emailBestaetigen, (call) => confirmAddress(context, call.principal, akteurOf(call), call.body.token));
