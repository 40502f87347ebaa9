/** Budgets: what agents and projects may cost in a month. */
import {
  boolean,
  component,
  count,
  date,
  datetime,
  decimal,
  decimalInput,
  field,
  listOf,
  localDatetime,
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
import { Agent, Projekt } from './katalog.ts';
import { kursquellenOf } from './verbrauch.ts';

export const BudgetEingabe = component('BudgetEingabe', 'A monthly budget.', {
  betrag_eur: field(
    optional(decimalInput({ min: '0', max: '1000000000' })),
    'The budget of each month of the calendar, in EUR; null or left out removes it.',
    '250',
  ),
});

export const Budgettempo = component('Budgettempo', 'How fast a budget was spent lately.', {
  fenster: field(oneOf('5m', '30m', '1h', '6h', '3d'), 'The time that ends now.', '1h'),
  kosten_eur: field(decimal(), 'What was spent in it, in EUR.', '1.25'),
  tempo: field(
    nullable(decimal()),
    'Burn rate: the share of the budget by the share of the month; 1 spends it just in time. Rounded down to two decimals; null of a budget of 0.',
    '14.4',
  ),
});

export const Budgetschwelle = component('Budgetschwelle', 'A threshold of a budget.', {
  prozent: field(count(), 'Percent of the budget.', 80),
  erreicht_am: field(
    nullable(date()),
    'The local day of this month on which it was reached; null while it is not. A budget changed meanwhile is taken as it is now.',
  ),
});

export const Budget = component('Budget', 'A budget and how it stands this month.', {
  objekt_art: field(oneOf('agent', 'projekt'), 'What it is of.'),
  objekt_id: field(uuid(), 'Names the agent or project in addresses.'),
  schluessel: field(text(), 'Its key.', 'support/triage'),
  name: field(text(), 'Its name.', 'Triage'),
  budget_eur: field(decimal(), 'The budget of a month, in EUR.', '250'),
  verbraucht_eur: field(decimal(), 'Spent in this month, in EUR; exact.', '75.5'),
  anteil_prozent: field(
    nullable(decimal()),
    'The share spent in percent, rounded down to two decimals; null of a budget of 0.',
    '30.2',
  ),
  prognose_eur: field(
    decimal(),
    'What the month will have cost at the rate of the last 24 hours, in EUR, rounded down to the cent.',
    '240.17',
  ),
  tempo: field(listOf(Budgettempo, 5), 'How fast it was spent, the shortest time first.'),
  schwellen: field(
    listOf(Budgetschwelle, 100),
    'The thresholds of the rules that hold for it, ascending; 50, 80 and 100 where there is none.',
  ),
});

export const budgets = operation({
  id: 'budgets.liste',
  method: 'GET',
  path: '/v1/cockpit/budgets',
  summary: 'Die Budgets und wie sie in diesem Monat stehen.',
  description:
    'Every budget with what was spent in this month of the calendar, in the time zone of the Mandant; agents, then projects, by key, page by page.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object(pageQuery()),
  response: component('Budgetliste', 'The budgets of the Mandant.', {
    monat: field(text(), 'The month.', '2026-11'),
    von: field(localDatetime(), 'When it began.'),
    bis: field(localDatetime(), 'When it ends.'),
    gezaehlt_bis: field(datetime(), 'Everything received up to this instant is counted.'),
    budgets: field(rowsOf(Budget), 'The budgets.'),
    kursquellen: kursquellenOf('all calls of the month'),
    weiter,
  }),
});

export const budgetAgent = operation({
  id: 'budgets.agent_setzen',
  method: 'PUT',
  path: '/v1/cockpit/agenten/{agent_id}/budget',
  summary: 'Setzt das Monatsbudget eines Agenten oder entfernt es.',
  description: 'Sets the monthly budget of an agent, or removes it.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: Type.Object({ agent_id: field(uuid(), 'The agent.') }),
  body: BudgetEingabe,
  response: Agent,
});

export const budgetProjekt = operation({
  id: 'budgets.projekt_setzen',
  method: 'PUT',
  path: '/v1/cockpit/projekte/{projekt_id}/budget',
  summary: 'Setzt das Monatsbudget eines Projekts oder entfernt es.',
  description: 'Sets the monthly budget of a project, or removes it.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: Type.Object({ projekt_id: field(uuid(), 'The project.') }),
  body: BudgetEingabe,
  response: Projekt,
});

export const budgetsPruefen = operation({
  id: 'budgets.pruefen',
  method: 'POST',
  path: '/v1/cockpit/budgets/pruefen',
  summary: 'Prüft alle Budgets sofort, statt auf den Takt von fünf Minuten zu warten.',
  description:
    'Looks at all budgets of all Mandanten at once instead of at the next five minutes, and answers counters only. Requests at the same time share one run, and a run begins five seconds after the one before at the earliest. Where none has ended after a quarter of a minute (or no worker runs), `fertig` is false; the run then comes later.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 429: ['zu_viele_versuche'] },
  response: component('Budgetpruefung', 'What a check of all budgets has counted.', {
    fertig: field(boolean(), 'Whether a run that began after the request has ended.'),
    mandanten: field(nullable(count()), 'Mandanten with budgets; null while the run has not ended.'),
    budgets: field(nullable(count()), 'Budgets that were looked at; null while the run has not ended.'),
    befunde: field(
      nullable(count()),
      'What the rules about them found, found before or not; null while the run has not ended.',
    ),
  }),
});
