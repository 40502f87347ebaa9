import { cockpitAgenten } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { agentsWithConsumption } from '../service/agenten.ts';

export const cockpitAgentenRoute = (context: ServiceContext) =>
  route(cockpitAgenten, ({ principal, query }) => agentsWithConsumption(context, principal.mandant, query));
