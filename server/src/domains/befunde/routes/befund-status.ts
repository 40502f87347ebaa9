import { befundStatus } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeStatus } from '../service.ts';

export const befundStatusRoute = (context: ServiceContext) =>
  route(befundStatus, (call) =>
    changeStatus(context, call.principal.mandant, akteurOf(call), call.params.befund_id, call.query.status),
  );
