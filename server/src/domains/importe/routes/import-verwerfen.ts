import { importVerwerfen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { discardImport } from '../service.ts';

export const importVerwerfenRoute = (context: ServiceContext): Route =>
  route(importVerwerfen, (call) =>
    discardImport(context, call.principal.mandant, akteurOf(call), call.params.import_id),
  );
