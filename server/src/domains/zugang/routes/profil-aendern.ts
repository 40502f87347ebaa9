import { profilAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeProfile } from '../service/profil.ts';

export const profilAendernRoute = (context: ServiceContext): Route =>
  route(profilAendern, (call) => changeProfile(context, call.principal, akteurOf(call), call.body));
