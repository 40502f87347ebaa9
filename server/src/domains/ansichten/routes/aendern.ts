import { ansichtAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeView } from '../service.ts';

export const ansichtAendernRoute = (context: ServiceContext): Route =>
  route(ansichtAendern, (call) =>
    changeView(context, call.principal, akteurOf(call), call.params.ansicht_id, call.body),
  );
