import { schluesselAnlegen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createKey } from '../service.ts';

export const schluesselAnlegenRoute = (context: ServiceContext): Route =>
  route(schluesselAnlegen, (call) => createKey(context, call.principal.mandant, akteurOf(call), call.body));
