import { avvAkzeptieren } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { acceptAvv } from '../service/avv.ts';

export const avvAkzeptierenRoute = (context: ServiceContext): Route =>
  route(avvAkzeptieren, (call) => acceptAvv(context, call.principal.mandant, akteurOf(call)));
