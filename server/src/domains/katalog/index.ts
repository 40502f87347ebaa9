/** Catalog: the agents of a Mandant. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { agentAendernRoute } from './routes/agent-aendern.ts';
import { agentenRoute } from './routes/agenten.ts';

export { recordLastCalls } from './last-calls.ts';
export { type Agent, type AgentRow, toApi } from './rules.ts';
export { findKey, readAgent, readAgents, readAgentsOf } from './store.ts';

export const katalogRoutes = (context: ServiceContext): Route[] => [
  agentenRoute(context),
  agentAendernRoute(context),
];
