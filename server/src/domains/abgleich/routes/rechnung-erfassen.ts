import { rechnungErfassen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { addInvoice } from '../service/rechnungen.ts';

export const rechnungErfassenRoute = (context: ServiceContext): Route =>
  route(rechnungErfassen, (call) => addInvoice(context, call.principal.mandant, akteurOf(call), call.body));
