import { endkundeAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeEndkunde } from '../service/endkunden.ts';

export const endkundeAendernRoute = (context: ServiceContext): Route =>
  route(endkundeAendern, (call) =>
    changeEndkunde(context, call.principal.mandant, akteurOf(call), call.params.endkunde_id, call.body),
  );
