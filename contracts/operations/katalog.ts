/** Agents: master data, and master data with consumption for the cockpit. */
import { datetime, decimal, nullable, operation, optional, Type, text, uuid } from '../kit/index.ts';

export const Agent = Type.Object({
  agent_id: uuid(),
  /** The key under which events name the agent; never changes. */
  schluessel: text(),
  name: text(),
  /** The project later events of the agent are counted for, unless they name one themselves. */
  projekt: text(),
  budget_eur: nullable(decimal()),
  /** Default intervention level; null until protection is set. */
  eingriffsstufe: nullable(text()),
  ruhezeit: nullable(text()),
  erstellt_am: datetime(),
});

export const AgentAenderung = Type.Object({
  name: optional(text({ min: 1, max: 120 })),
  projekt: optional(text({ min: 1, max: 100 })),
});

export const agenten = operation({
  id: 'katalog.agenten',
  method: 'GET',
  path: '/v1/agenten',
  summary: 'Die Agenten mit Budget und Eingriffsstufe.',
  access: { kind: 'key', scope: 'Lesen' },
  response: Type.Object({ agenten: Type.Array(Agent) }),
});

export const agentAendern = operation({
  id: 'katalog.agent_aendern',
  method: 'PUT',
  path: '/v1/cockpit/agenten/{agent_id}',
  summary: 'Ändert Name und Projekt eines Agenten; schon gezählte Ereignisse bleiben, wo sie sind.',
  access: { kind: 'session', right: 'agenten.aendern' },
  params: Type.Object({ agent_id: uuid() }),
  body: AgentAenderung,
  response: Agent,
});
