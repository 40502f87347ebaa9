import { passwortAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changePassword } from '../service/passwort.ts';

export const passwortAendernRoute = (context: ServiceContext): Route =>
  route(passwortAendern, (call) => changePassword(context, call.principal, akteurOf(call), call.body));
