import { endkundenEinlesen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { CSV_BODY_LIMIT, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { importEndkunden } from '../service/import.ts';

export const endkundenEinlesenRoute = (context: ServiceContext): Route =>
  route(
    endkundenEinlesen,
    (call) => importEndkunden(context, call.principal.mandant, akteurOf(call), call.body),
    { bodyLimit: CSV_BODY_LIMIT },
  );
