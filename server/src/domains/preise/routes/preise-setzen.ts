import { preiseSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setBook } from '../service/book.ts';

export const preiseSetzenRoute = (context: ServiceContext): Route =>
  route(preiseSetzen, (call) => setBook(context, call.principal.mandant, akteurOf(call), call.body));
