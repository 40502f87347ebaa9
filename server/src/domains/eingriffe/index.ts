/** Interventions: what is to be done about calls, and how everybody who must know learns of it at once. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { InForce } from './in-force.ts';
import { aktivRoute } from './routes/aktiv.ts';
import { eingriffAnlegenRoute } from './routes/eingriff-anlegen.ts';
import { eingriffAufhebenRoute } from './routes/eingriff-aufheben.ts';
import { eingriffeRoute } from './routes/eingriffe.ts';

export { createInForce, hearChanges, type InForce } from './in-force.ts';
export { type Lifting, liftWithCause } from './lift.ts';
export { insertEingriffe, liftEingriffeOf, notifyAsOwner } from './owner/insert.ts';
export { extendOrder, type LatestOrder, readLatestOrders } from './owner/orders.ts';
export { removeOldEingriffe } from './owner/remove-old.ts';
export { OVER_MS, RUN_ENDS_MS, restMinutesOf } from './rules.ts';
export { eingriffeOfBefund, eingriffeOfBefunde, liftWithin, readEingriffInForce } from './service.ts';
export { lockFindings, notify as tellOfChange } from './store.ts';

export const eingriffeRoutes = (context: ServiceContext, inForce: InForce): Route[] => [
  eingriffeRoute(context),
  aktivRoute(context, inForce),
  eingriffAnlegenRoute(context, inForce),
  eingriffAufhebenRoute(context, inForce),
];
