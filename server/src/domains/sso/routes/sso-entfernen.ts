import { ssoEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeSso } from '../service/einstellungen.ts';

export const ssoEntfernenRoute = (context: ServiceContext): Route =>
  route(ssoEntfernen, (call) => removeSso(context, call.principal.mandant, akteurOf(call)));
