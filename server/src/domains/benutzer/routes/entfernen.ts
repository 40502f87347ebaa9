import { benutzerEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeUser } from '../service/benutzer.ts';

export const benutzerEntfernenRoute = (context: ServiceContext): Route =>
  route(benutzerEntfernen, (call) =>
    removeUser(context, call.principal, akteurOf(call), call.params.benutzer_id),
  );
