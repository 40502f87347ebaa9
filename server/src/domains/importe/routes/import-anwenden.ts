import { importAnwenden } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { applyImport } from '../service.ts';

export const importAnwendenRoute = (context: ServiceContext): Route =>
  route(importAnwenden, (call) =>
    applyImport(context, call.principal.mandant, akteurOf(call), call.params.import_id),
  );
