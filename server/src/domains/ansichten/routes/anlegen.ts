import { ansichtAnlegen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { keepView } from '../service.ts';

export const ansichtAnlegenRoute = (context: ServiceContext): Route =>
  route(ansichtAnlegen, (call) => keepView(context, call.principal, akteurOf(call), call.body));
