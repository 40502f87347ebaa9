import { einstellungenSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setSettings } from '../service/settings.ts';

export const einstellungenSetzenRoute = (context: ServiceContext): Route =>
  route(einstellungenSetzen, (call) =>
    setSettings(context, call.principal.mandant, akteurOf(call), call.body),
  );
