/** The Model Context Protocol: tools by which an agent asks about itself, and what each of them takes. */
import {
  component,
  dayOrInstant,
  decimalInput,
  field,
  freeData,
  integer,
  oneOf,
  operation,
  optional,
  preset,
  type Scope,
  Type,
  text,
  uuid,
} from '../kit/index.ts';
import { BUDGET_ARTEN } from './budgets.ts';

const of = {
  agent: Type.Optional(
    field(text({ max: 200 }), 'Key of the agent, as its calls name it.', 'support/triage'),
  ),
};

/** A tool: who may use it, and what it takes. */
const tool = <const N extends string, const S extends ReturnType<typeof Type.Object>>(declared: {
  name: N;
  title: string;
  description: string;
  scope: Scope;
  input: S;
}) => declared;

export const mcpAusgaben = tool({
  name: 'ausgaben',
  title: 'What was spent',
  description:
    'What calls of models have cost: by agent, model, end customer, project, function, user or local day, the dearest first; the last 30 days unless a window is given. Costs are EUR as exact decimals; null means unknown, never free. `schluessel` is what came by the API key that asks.',
  scope: 'Lesen',
  input: Type.Object({
    gruppe: preset(
      field(
        oneOf('agent', 'modell', 'endkunde', 'projekt', 'funktion', 'benutzer', 'tag'),
        'What to group by.',
      ),
      'agent',
    ),
    ...of,
    von: Type.Optional(
      field(dayOrInstant(), 'Where the window begins: a local day or an instant.', '2026-03-01'),
    ),
    bis: Type.Optional(field(dayOrInstant(), 'Where it ends, exclusive; now when left out.')),
    limit: preset(field(integer({ min: 1, max: 50 }), 'Groups at most; the others are one.'), 10),
  }),
});

export const mcpSpielraum = tool({
  name: 'spielraum',
  title: 'What may still be spent',
  description:
    'The room before a budget or a limit: the monthly budgets, and every hard limit that holds for a call described here (agent, run, project, end customer, model). `rest_eur` is what may still be spent; calls beyond a hard limit are stopped.',
  scope: 'Lesen',
  input: Type.Object({
    ...of,
    lauf_id: Type.Optional(field(uuid(), 'The run.')),
    projekt: Type.Optional(field(text({ max: 100 }), 'The project, where the calls name it.')),
    endkunde_ref: Type.Optional(field(text({ max: 200 }), 'Reference of the end customer.')),
    modell: Type.Optional(field(text({ max: 200 }), 'The model.', 'gpt-4o-mini')),
  }),
});

export const mcpLauf = tool({
  name: 'lauf',
  title: 'What a run has cost',
  description:
    'What one run has cost so far, with its calls, tokens and failures, the runs begun from it, and what was found about it.',
  scope: 'Lesen',
  input: Type.Object({ lauf_id: field(uuid(), 'The run, as its calls name it.') }),
});

export const mcpVerschwendung = tool({
  name: 'verschwendung',
  title: 'Which calls are waste',
  description:
    'Money that achieved nothing: the cost of failed calls and of exact repeats in loops, by agent, and the latest findings with the cause in a sentence and the run. `potential_eur` of a finding is what else could be saved, an estimate.',
  scope: 'Lesen',
  input: Type.Object({
    ...of,
    tage: preset(field(integer({ min: 1, max: 90 }), 'How many of the latest days.'), 7),
    limit: preset(field(integer({ min: 1, max: 50 }), 'Findings at most.'), 10),
  }),
});

export const mcpEingriffe = tool({
  name: 'eingriffe',
  title: 'What is stopped, and why',
  description:
    'Orders in force for calls of this API key: slowed down, stopped, blocked; each with its reason, since when and until when. None: nothing is stopped.',
  scope: 'Lesen',
  input: Type.Object({ ...of }),
});

export const mcpAntraege = tool({
  name: 'antraege',
  title: 'What became of requests',
  description: 'The latest requests of this API key for more, and what a person has decided about each.',
  scope: 'Lesen',
  input: Type.Object({}),
});

export const mcpAntragStellen = tool({
  name: 'antrag_stellen',
  title: 'Ask a person for more',
  description:
    'Asks a person to lift an order (`eingriff_id`), to raise the threshold of a rule (`regel_id`, `betrag_eur`) or a monthly budget (`budget`, `betrag_eur`). Nothing changes by asking: a person grants or declines it in the cockpit. Asking again for the same thing answers the request that waits.',
  scope: 'Senden',
  input: Type.Object({
    eingriff_id: field(optional(uuid()), 'The order that is to be lifted.'),
    regel_id: field(optional(uuid()), 'The rule whose threshold is to be raised.'),
    budget: field(
      optional(
        component('Budgetwunsch', 'A budget.', {
          objekt_art: field(oneOf(...BUDGET_ARTEN), 'Of what it is.', 'agent'),
          objekt: field(text({ min: 1, max: 200 }), 'Its key or reference.', 'support/triage'),
        }),
      ),
      'The budget that is to be raised.',
    ),
    betrag_eur: field(
      optional(decimalInput({ min: '0', max: '1000000000' })),
      'The limit that is asked for, in EUR.',
      '40',
    ),
    begruendung: field(text({ min: 1, max: 1000 }), 'Why: what remains to be done, and what it will cost.'),
  }),
});

/** Every tool, in the order of the list. */
export const MCP_WERKZEUGE = [
  mcpAusgaben,
  mcpSpielraum,
  mcpLauf,
  mcpVerschwendung,
  mcpEingriffe,
  mcpAntraege,
  mcpAntragStellen,
] as const;

export const mcpNachricht = operation({
  id: 'mcp.nachricht',
  method: 'POST',
  path: '/v1/mcp',
  summary: 'Werkzeuge für Agenten nach dem Model Context Protocol.',
  description: `Takes a message of the Model Context Protocol (streamable HTTP, without sessions) and answers it at once, as JSON; 202 without a body where it is no request. Tools: ${MCP_WERKZEUGE.map(({ name }) => `\`${name}\``).join(', ')}. They read what a key may read; the last one asks a person for more and needs the scope \`Senden\`, too.`,
  access: { kind: 'key', scope: 'Lesen' },
  header: Type.Object({
    'mcp-protocol-version': Type.Optional(field(text({ max: 40 }), 'The version that was agreed upon.')),
  }),
  body: freeData('McpNachricht', 'A message of JSON-RPC 2.0.', {
    jsonrpc: field(oneOf('2.0'), 'The version of JSON-RPC.'),
    method: field(text(), 'What is asked.', 'tools/call'),
  }),
  emptyStatus: 202,
  response: freeData('McpAntwort', 'The answer, as JSON-RPC 2.0 has it.', {
    jsonrpc: field(text(), 'The version of JSON-RPC.', '2.0'),
  }),
});
