import { schluesselAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeKey } from '../service.ts';

export const schluesselAendernRoute = (context: ServiceContext): Route =>
  route(schluesselAendern, (call) =>
    changeKey(context, call.principal.mandant, akteurOf(call), call.params.schluessel_id, call.body),
  );
