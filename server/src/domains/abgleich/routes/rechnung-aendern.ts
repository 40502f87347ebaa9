import { rechnungAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeInvoice } from '../service/rechnungen.ts';

export const rechnungAendernRoute = (context: ServiceContext): Route =>
  route(rechnungAendern, (call) =>
    changeInvoice(context, call.principal.mandant, akteurOf(call), call.params.rechnung_id, call.body),
  );
