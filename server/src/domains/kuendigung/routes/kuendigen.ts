import { kontoKuendigen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { confirmSelf } from '#domains/zugang/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cancelAccount } from '../service.ts';

export const kuendigenRoute = (context: ServiceContext): Route =>
  route(kontoKuendigen, async (call) => {
    const { principal, body } = call;
    const akteur = akteurOf(call);
    await confirmSelf(context, principal, body);
    return cancelAccount(context, principal.mandant, akteur, body.bestaetigung);
  });
