import { agentAendern } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { changeAgent } from '../service.ts';

export const agentAendernRoute = ({ db }: ServiceContext) =>
  route(agentAendern, ({ principal, params, body }) =>
    changeAgent(db, principal.mandant, params.agent_id, body),
  );
