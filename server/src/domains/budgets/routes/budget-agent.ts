import { budgetAgent } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setBudgetOfAgent } from '../service/setzen.ts';

export const budgetAgentRoute = (context: ServiceContext) =>
  route(budgetAgent, (call) =>
    setBudgetOfAgent(context, call.principal.mandant, akteurOf(call), call.params.agent_id, call.body),
  );
