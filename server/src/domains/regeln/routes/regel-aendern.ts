import { regelAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeRule } from '../service.ts';

export const regelAendernRoute = (context: ServiceContext) =>
  route(regelAendern, (call) =>
    changeRule(context, call.principal.mandant, akteurOf(call), call.params.regel_id, call.body),
  );
