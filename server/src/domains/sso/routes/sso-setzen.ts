import { ssoSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setSso } from '../service/einstellungen.ts';

export const ssoSetzenRoute = (context: ServiceContext): Route =>
  route(ssoSetzen, (call) => {
    const { mandant, rolle } = call.principal;
    return setSso(context, mandant, { akteur: akteurOf(call), rolle, address: call.request.ip }, call.body);
  });
