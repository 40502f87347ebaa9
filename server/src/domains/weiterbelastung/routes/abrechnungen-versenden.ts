import { abrechnungenVersenden } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { sendStatements } from '../service/mailing.ts';

export const abrechnungenVersendenRoute = (context: ServiceContext): Route =>
  route(abrechnungenVersenden, (call) =>
    sendStatements(context, call.principal.mandant, akteurOf(call), call.body),
  );
