import { preiseNachschlagen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { PriceList } from '../price-list.ts';
import { createLookUp } from '../service/look-up.ts';

export function preiseNachschlagenRoute(context: ServiceContext, list: PriceList): Route {
  const lookUp = createLookUp(context, list);
  return route(preiseNachschlagen, ({ principal, body }) => lookUp(principal, body));
}
