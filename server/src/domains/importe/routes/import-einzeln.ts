import { importEinzeln } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readOneImport } from '../service.ts';

export const importEinzelnRoute = (context: ServiceContext): Route =>
  route(importEinzeln, ({ principal, params }) =>
    readOneImport(context, principal.mandant, params.import_id),
  );
