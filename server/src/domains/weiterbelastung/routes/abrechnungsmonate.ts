import { abrechnungsmonate } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listMonths } from '../service/closing.ts';

export const abrechnungsmonateRoute = (context: ServiceContext): Route =>
  route(abrechnungsmonate, ({ principal, query }) => listMonths(context, principal.mandant, query));
