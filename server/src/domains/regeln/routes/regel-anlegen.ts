import { regelAnlegen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createRule } from '../service.ts';

export const regelAnlegenRoute = (context: ServiceContext) =>
  route(regelAnlegen, (call) => createRule(context, call.principal.mandant, akteurOf(call), call.body));
