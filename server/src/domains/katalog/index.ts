/** Catalog: the agents and projects of a Mandant. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { agentAendernRoute } from './routes/agent-aendern.ts';
import { agentSchutzRoute } from './routes/agent-schutz.ts';
import { agentenRoute } from './routes/agenten.ts';
import { projekteRoute } from './routes/projekte.ts';

export { agentMissing, projectMissing } from './errors.ts';
export { recordLastCalls } from './last-calls.ts';
export { type Agent, type AgentRow, type Projekt, toApi } from './rules.ts';
export {
  findKey,
  lockAgent,
  lockProject,
  readAgent,
  readAgents,
  readAgentsOf,
  readChosenProjects,
  setAgent,
  setProjectBudget,
} from './store.ts';

export const katalogRoutes = (context: ServiceContext): Route[] => [
  agentenRoute(context),
  agentAendernRoute(context),
  agentSchutzRoute(context),
  projekteRoute(context),
];
