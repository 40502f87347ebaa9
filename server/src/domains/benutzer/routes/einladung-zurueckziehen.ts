import { einladungZurueckziehen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { withdrawInvitation } from '../service/einladungen.ts';

export const einladungZurueckziehenRoute = (context: ServiceContext): Route =>
  route(einladungZurueckziehen, (call) =>
    withdrawInvitation(context, call.principal, akteurOf(call), call.params.einladung_id),
  );
