import { monatAbschliessen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { closeMonth, rehearseMonth } from '../service/closing.ts';

export const monatAbschliessenRoute = (context: ServiceContext): Route =>
  route(monatAbschliessen, (call) => {
    const { mandant } = call.principal;
    const { monat, probe } = call.body;
    return probe
      ? rehearseMonth(context, mandant, monat)
      : closeMonth(context, mandant, akteurOf(call), monat);
  });
