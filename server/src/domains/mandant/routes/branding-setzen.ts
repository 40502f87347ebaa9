import { brandingSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setBranding } from '../service/branding.ts';

export const brandingSetzenRoute = (context: ServiceContext): Route =>
  route(brandingSetzen, (call) => setBranding(context, call.principal.mandant, akteurOf(call), call.body));
