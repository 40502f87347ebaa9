/** Requests of programs for more: a person grants them or declines them. */
import {
  boolean,
  component,
  datetime,
  decimal,
  decimalInput,
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
import { BUDGET_ARTEN } from './budgets.ts';

/** Requests of a Mandant that may wait at a time. */
export const MAX_OPEN_ANTRAEGE = 100;

export const ANTRAGSARTEN = ['eingriff', 'regel', 'budget'] as const;
export const Antragsstatus = oneOf('offen', 'gewaehrt', 'abgelehnt');

export const Antrag = component('Antrag', 'What a program asks for, and what became of it.', {
  antrag_id: field(uuid(), 'Names the request.'),
  art: field(
    oneOf(...ANTRAGSARTEN),
    'That an intervention is lifted, that the threshold of a rule is raised, or a budget.',
    'budget',
  ),
  objekt_art: field(nullable(oneOf(...BUDGET_ARTEN)), 'Of a budget: of what it is. Else null.', 'agent'),
  objekt: field(
    text(),
    'Id of the intervention or the rule; of a budget the key or reference of what it is of.',
    'support/triage',
  ),
  bezeichnung: field(text(), 'What people know it by.', 'support/triage'),
  bisher_eur: field(nullable(decimal()), 'The limit when it was asked for, in EUR.', '20'),
  wunsch_eur: field(nullable(decimal()), 'The limit that is asked for, in EUR.', '40'),
  begruendung: field(text(), 'Why, in the words of the program.', 'The last of 40 documents is missing.'),
  schluessel_id: field(uuid(), 'The API key that asks.'),
  schluessel: field(nullable(text()), 'The name of this key; null once it is gone.', 'Produktion'),
  status: field(Antragsstatus, 'What became of it.', 'offen'),
  angelegt_am: field(datetime(), 'When it was made.'),
  entschieden_am: field(nullable(datetime()), 'When a person decided; null while nobody has.'),
  entschieden_von: field(nullable(text()), 'Who decided.', 'anna@muster.example'),
  gewaehrt_eur: field(nullable(decimal()), 'The limit that was granted, in EUR.', '30'),
  antwort: field(nullable(text()), 'What the person says about it.', 'Not today.'),
});

export const antraege = operation({
  id: 'antraege.liste',
  method: 'GET',
  path: '/v1/cockpit/antraege',
  summary: 'Was Programme beantragt haben, das Jüngste zuerst.',
  description:
    'What programs have asked for by the tools of the Model Context Protocol (`/v1/mcp`), latest first, page by page. What was decided is kept for 400 days.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    status: Type.Optional(field(Antragsstatus, 'Only those of this status.')),
    ...pageQuery(50),
  }),
  response: component('Antragsliste', 'Requests, latest first.', {
    antraege: field(rowsOf(Antrag), 'The requests.'),
    weiter,
  }),
});

export const antragEntscheiden = operation({
  id: 'antraege.entscheiden',
  method: 'POST',
  path: '/v1/cockpit/antraege/{antrag_id}/entscheidung',
  summary: 'Gewährt einen Antrag oder lehnt ihn ab.',
  description:
    'Grants a request, which lifts the intervention or raises the limit with the same effects as by hand, or declines it. Another amount than the one asked for may be granted.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 409: ['antrag_entschieden'] },
  params: Type.Object({ antrag_id: field(uuid(), 'The request.') }),
  body: component('Antragsentscheidung', 'What becomes of a request.', {
    gewaehrt: field(boolean(), 'Whether it is granted.', true),
    betrag_eur: field(
      optional(decimalInput({ min: '0', max: '1000000000' })),
      'The limit that is granted, in EUR; left out: the one asked for.',
      '30',
    ),
    antwort: field(optional(text({ max: 500 })), 'The answer that the program gets.', 'Not today.'),
  }),
  response: Antrag,
});
