import { alarmempfaengerFragen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { askAgain } from '../service/alarmempfaenger.ts';

export const alarmempfaengerFragenRoute = (context: ServiceContext): Route =>
  route(alarmempfaengerFragen, (call) =>
    askAgain(context, call.principal.mandant, akteurOf(call), call.body.email),
  );
