import { schluesselSperren } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { blockKey } from '../service.ts';

export const schluesselSperrenRoute = (context: ServiceContext): Route =>
  route(schluesselSperren, (call) =>
    blockKey(context, call.principal.mandant, akteurOf(call), call.params.schluessel_id),
  );
