import { preisFassungen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listBookEditions } from '../service/editions.ts';

export const preisFassungenRoute = (context: ServiceContext): Route =>
  route(preisFassungen, ({ principal, query }) => listBookEditions(context, principal.mandant, query));
