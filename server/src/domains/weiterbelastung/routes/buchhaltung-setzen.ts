import { buchhaltungSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setBuchhaltung } from '../service/settings.ts';

export const buchhaltungSetzenRoute = (context: ServiceContext): Route =>
  route(buchhaltungSetzen, (call) =>
    setBuchhaltung(context, call.principal.mandant, akteurOf(call), call.body),
  );
