import { uebersichtTag } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { consumptionOfDay } from '../service/verbrauch.ts';

export const uebersichtTagRoute = (context: ServiceContext) =>
  route(uebersichtTag, ({ principal, query }) => consumptionOfDay(context, principal.mandant, query));
