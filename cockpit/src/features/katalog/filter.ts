/** The filters of the list of agents. */
import type { AgentZeile } from '../../api/types.ts';
import type { AgentsSearch } from './search.ts';

/** The agents whose name or key contains the search text, of the chosen project. */
export function filterAgents(agents: AgentZeile[], { q, projekt }: AgentsSearch): AgentZeile[] {
  const wanted = q?.toLocaleLowerCase('de');
  return agents.filter(
    (agent) =>
      (projekt === undefined || agent.projekt === projekt) &&
      (wanted === undefined || `${agent.name}\n${agent.schluessel}`.toLocaleLowerCase('de').includes(wanted)),
  );
}

/** Every project once, by alphabet. */
export const projectsOf = (agents: AgentZeile[]) =>
  [...new Set(agents.map((agent) => agent.projekt))].sort((a, b) => a.localeCompare(b, 'de'));
