import { benutzerAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeUser } from '../service/benutzer.ts';

export const benutzerAendernRoute = (context: ServiceContext): Route =>
  route(benutzerAendern, (call) =>
    changeUser(context, call.principal, akteurOf(call), call.params.benutzer_id, call.body),
  );
