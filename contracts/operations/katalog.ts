/** Agents: their master data. */
import {
  component,
  datetime,
  decimal,
  field,
  nullable,
  operation,
  optional,
  pageQuery,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';

export const Agent = component('Agent', 'An agent: whatever events name by its key.', {
  agent_id: field(uuid(), 'Names the agent in addresses.'),
  schluessel: field(text(), 'The key under which events name the agent; never changes.', 'support/triage'),
  name: field(text(), 'Name to show; the key until it is changed.', 'Triage'),
  projekt: field(
    text(),
    'The project later events of the agent are counted for, unless they name one themselves.',
    'support',
  ),
  budget_eur: field(nullable(decimal()), 'Monthly budget in EUR; null when there is none.', '250'),
  eingriffsstufe: field(nullable(text()), 'Default intervention level; null until protection is set.'),
  ruhezeit: field(nullable(text()), 'Rest period after an intervention; null until protection is set.'),
  erstellt_am: field(datetime(), 'When counting first met the agent; its calls may be older.'),
});

export const AgentAenderung = component('AgentAenderung', 'What to change; a field left out or null stays.', {
  name: field(optional(text({ min: 1, max: 120 })), 'Name to show.', 'Triage'),
  projekt: field(
    optional(text({ min: 1, max: 100 })),
    'Project of later events; those counted already stay where they are.',
    'support',
  ),
});

export const agenten = operation({
  id: 'katalog.agenten',
  method: 'GET',
  path: '/v1/agenten',
  summary: 'Die Agenten mit Budget und Eingriffsstufe.',
  description: 'The agents with budget and intervention level, by key, page by page.',
  access: { kind: 'key', scope: 'Lesen' },
  query: Type.Object(pageQuery()),
  response: component('Agentenliste', 'The agents of the Mandant.', {
    agenten: field(rowsOf(Agent), 'The agents, by key.'),
    weiter,
  }),
});

export const agentAendern = operation({
  id: 'katalog.agent_aendern',
  method: 'PUT',
  path: '/v1/cockpit/agenten/{agent_id}',
  summary: 'Ändert Name und Projekt eines Agenten; schon gezählte Ereignisse bleiben, wo sie sind.',
  description: 'Changes name and project of an agent; events counted already stay where they are.',
  access: { kind: 'session', right: 'agenten.aendern' },
  params: Type.Object({ agent_id: field(uuid(), 'The agent to change.') }),
  body: AgentAenderung,
  response: Agent,
});
