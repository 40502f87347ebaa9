import { endkundeAnlegen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { addEndkunde } from '../service/endkunden.ts';

export const endkundeAnlegenRoute = (context: ServiceContext): Route =>
  route(endkundeAnlegen, (call) => addEndkunde(context, call.principal.mandant, akteurOf(call), call.body));
