import { agentSchutz } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { protectAgent } from '../service.ts';

export const agentSchutzRoute = (context: ServiceContext) =>
  route(agentSchutz, (call) =>
    protectAgent(context, call.principal.mandant, akteurOf(call), call.params.agent_id, call.body),
  );
