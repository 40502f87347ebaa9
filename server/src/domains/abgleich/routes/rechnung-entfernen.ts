import { rechnungEntfernen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { removeInvoice } from '../service/rechnungen.ts';

export const rechnungEntfernenRoute = (context: ServiceContext): Route =>
  route(rechnungEntfernen, (call) =>
    removeInvoice(context, call.principal.mandant, akteurOf(call), call.params.rechnung_id),
  );
