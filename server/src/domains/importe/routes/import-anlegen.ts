import { importAnlegen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { beginImport } from '../service.ts';

export const importAnlegenRoute = (context: ServiceContext): Route =>
  route(importAnlegen, (call) => beginImport(context, call.principal.mandant, akteurOf(call), call.body));
