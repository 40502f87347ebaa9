import { regelEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeRule } from '../service.ts';

export const regelEntfernenRoute = (context: ServiceContext) =>
  route(regelEntfernen, (call) =>
    removeRule(context, call.principal.mandant, akteurOf(call), call.params.regel_id),
  );
