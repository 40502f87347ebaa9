import { agenten } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listAgents } from '../service.ts';

export const agentenRoute = ({ db }: ServiceContext) =>
  route(agenten, ({ principal, query }) => listAgents(db, principal.mandant, query));
