import { agentAendern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeAgent } from '../service.ts';

export const agentAendernRoute = (context: ServiceContext) =>
  route(agentAendern, (call) =>
    changeAgent(context, call.principal.mandant, akteurOf(call), call.params.agent_id, call.body),
  );
