import { cockpitAgent } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { agentWithConsumption } from '../service/cockpit.ts';

export const cockpitAgentRoute = (context: ServiceContext) =>
  route(cockpitAgent, ({ principal, params, query }) =>
    agentWithConsumption(context, principal.mandant, params.agent_id, query.zeitraum),
  );
