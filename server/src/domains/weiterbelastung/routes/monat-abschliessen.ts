import { monatAbschliessen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { closeMonth } from '../service/closing.ts';

export const monatAbschliessenRoute = (context: ServiceContext): Route =>
  route(monatAbschliessen, (call) =>
    closeMonth(context, call.principal.mandant, akteurOf(call), call.body.monat),
  );
