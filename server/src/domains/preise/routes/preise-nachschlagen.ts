import { preiseNachschlagen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { PriceList } from '../price-list.ts';
import { lookUpPrices } from '../service/look-up.ts';

export const preiseNachschlagenRoute = (context: ServiceContext, list: PriceList): Route =>
  route(preiseNachschlagen, ({ principal, body }) => lookUpPrices(context, list, principal, body));
