import { preiseEinlesen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { CSV_BODY_LIMIT, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { importPrices } from '../service/book.ts';

export const preiseEinlesenRoute = (context: ServiceContext): Route =>
  route(preiseEinlesen, (call) => importPrices(context, call.principal.mandant, akteurOf(call), call.body), {
    bodyLimit: CSV_BODY_LIMIT,
  });
