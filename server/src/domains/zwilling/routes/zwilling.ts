import { zwilling } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readTwin } from '../service.ts';

export const zwillingRoute = (context: ServiceContext) =>
  route(zwilling, ({ principal, query }) => readTwin(context, principal.mandant, query.zeitraum));
