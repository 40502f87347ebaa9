/** Agents and projects: their master data. */
import {
  component,
  datetime,
  decimal,
  field,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { STUFEN } from '../rule-types.ts';

/** What a budget does by itself once it is spent. */
export const BEI_ERREICHEN = ['warnen', 'drosseln', 'sperren'] as const;
export const BeiErreichen = oneOf(...BEI_ERREICHEN);

const budget_bei_erreichen = field(
  nullable(BeiErreichen),
  'What the budget does by itself once it is spent; null when there is none.',
  'sperren',
);

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
  budget_bei_erreichen,
  eingriffsstufe: field(
    nullable(text()),
    'How far rules may go with this agent (`standard_eingriffsstufe`); null until it is set.',
    'drosseln',
  ),
  ruhezeit: field(
    nullable(text()),
    'Rest period: for how long an intervention holds that says nothing else; null until it is set.',
    '15m',
  ),
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

export const SchutzEingabe = component(
  'SchutzEingabe',
  'How an agent is protected. A field left out stays; null clears it.',
  {
    standard_eingriffsstufe: field(
      optional(oneOf(...STUFEN)),
      'How far rules may go with this agent: they do no more than this.',
      'anhalten',
    ),
    ruhezeit: field(
      optional(text({ max: 40 })),
      'Rest period: for how long an intervention holds that says nothing else. A duration (`15m`, `24h`, `7d`).',
      '15m',
    ),
  },
);

export const Projekt = component('Projekt', 'A project: what agents and calls are grouped by.', {
  projekt_id: field(uuid(), 'Names the project in addresses.'),
  schluessel: field(text(), 'The key under which events name the project; never changes.', 'support'),
  name: field(text(), 'Name to show.', 'support'),
  budget_eur: field(nullable(decimal()), 'Monthly budget in EUR; null when there is none.', '1000'),
  budget_bei_erreichen,
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

export const agentSchutz = operation({
  id: 'katalog.agent_schutz',
  method: 'PUT',
  path: '/v1/cockpit/agenten/{agent_id}/schutz',
  summary: 'Setzt, wie weit Regeln bei einem Agenten gehen dürfen und wie lange Eingriffe gelten.',
  description:
    'Sets how far rules may go with an agent and how long interventions hold. Left out stays, null clears.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: Type.Object({ agent_id: field(uuid(), 'The agent to protect.') }),
  body: SchutzEingabe,
  response: Agent,
});

export const projekte = operation({
  id: 'katalog.projekte',
  method: 'GET',
  path: '/v1/cockpit/projekte',
  summary: 'Die Projekte mit ihrem Budget.',
  description: 'The projects with their budgets, by key, page by page.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object(pageQuery()),
  response: component('Projektliste', 'The projects of the Mandant.', {
    projekte: field(rowsOf(Projekt), 'The projects, by key.'),
    weiter,
  }),
});
