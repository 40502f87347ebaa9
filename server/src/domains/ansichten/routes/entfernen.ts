import { ansichtEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeView } from '../service.ts';

export const ansichtEntfernenRoute = (context: ServiceContext): Route =>
  route(ansichtEntfernen, (call) =>
    removeView(context, call.principal, akteurOf(call), call.params.ansicht_id),
  );
