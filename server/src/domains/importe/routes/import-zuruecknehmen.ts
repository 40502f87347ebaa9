import { importZuruecknehmen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { undoImport } from '../service.ts';

export const importZuruecknehmenRoute = (context: ServiceContext): Route =>
  route(importZuruecknehmen, (call) =>
    undoImport(context, call.principal.mandant, akteurOf(call), call.params.import_id),
  );
