/** Budgets: what agents, projects, end customers, functions, users and API keys may cost in a month. */
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
import { Agent, BeiErreichen, Projekt } from './katalog.ts';
import { kursquellenOf } from './verbrauch.ts';

export const BudgetEingabe = component('BudgetEingabe', 'A monthly budget.', {
  betrag_eur: field(
    optional(decimalInput({ min: '0', max: '1000000000' })),
    'The budget of each month of the calendar, in EUR; null or left out removes it.',
    '250',
  ),
  bei_erreichen: field(
    optional(BeiErreichen),
    'What the budget does by itself once it is spent to 100 percent, whatever rules say; left out or null it stays, of a new budget `warnen`: then rules alone act.',
    'sperren',
  ),
});

/** What may have a budget, in the order of lists. */
export const BUDGET_ARTEN = ['agent', 'projekt', 'endkunde', 'funktion', 'benutzer', 'schluessel'] as const;
/** Those that are set by what names them. */
export const BENANNTE_BUDGET_ARTEN = ['endkunde', 'funktion', 'benutzer', 'schluessel'] as const;

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

/** What a budget is of, and how much it is. */
export const BUDGET_KOPF = {
  objekt_art: field(oneOf(...BUDGET_ARTEN), 'What it is of.'),
  objekt_id: field(
    text(),
    'Names it where its budget is set: the id of an agent, project or API key, the reference of anything else.',
    '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b',
  ),
  schluessel: field(text(), 'Its key or reference; of an API key its id.', 'support/triage'),
  name: field(text(), 'Its name; its reference where it has none.', 'Triage'),
  budget_eur: field(decimal(), 'The budget of a month, in EUR.', '250'),
  bei_erreichen: field(
    BeiErreichen,
    'What it does by itself once it is spent to 100 percent; `warnen`: nothing, rules alone act.',
    'sperren',
  ),
};

export const Budget = component('Budget', 'A budget and how it stands this month.', {
  ...BUDGET_KOPF,
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
  tempo: field(
    listOf(Budgettempo, 5),
    'How fast it was spent, the shortest time first. Of users and API keys, whose sums are not kept by the minute, the last three days alone.',
  ),
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
    'Every budget with what was spent in this month of the calendar, in the time zone of the Mandant; by kind (`agent`, `benutzer`, `endkunde`, `funktion`, `projekt`, `schluessel`) and key, page by page.',
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

export const kostenprognose = operation({
  id: 'budgets.prognose',
  method: 'GET',
  path: '/v1/cockpit/budgets/prognose',
  summary: 'Was dieser Monat bei jetzigem Tempo kosten wird, und welche Budgets das nicht aushalten.',
  description:
    'What this month of the calendar will have cost at its end: what was spent so far, and for the rest of it the cost of the last 24 hours (of the whole local hours among them, divided by the time they cover). Beside it how many budgets that will be too much for, each by its own spend.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  response: component('Kostenprognose', 'What a month will cost.', {
    monat: field(text(), 'The month.', '2026-11'),
    von: field(localDatetime(), 'When it began.'),
    bis: field(localDatetime(), 'When it ends.'),
    gezaehlt_bis: field(datetime(), 'Everything received up to this instant is counted.'),
    bisher_eur: field(
      nullable(decimal()),
      'Spent so far, in EUR; exact. Null where no call of the month has a known price.',
      '812.4',
    ),
    prognose_eur: field(
      nullable(decimal()),
      'What it will have been, in EUR, rounded down to the cent. Null where `bisher_eur` is, or the first call of all is less than 24 hours ago.',
      '1240.17',
    ),
    budgets: field(count(), 'How many budgets there are.', 5),
    ueberschritten: field(count(), 'How many of them are spent.', 1),
    reichen_nicht: field(count(), 'How many others will be, at the pace of the last 24 hours.', 2),
    kursquellen: kursquellenOf('all calls of the month'),
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
  refuses: { 409: ['hoechstzahl_erreicht'] },
  params: Type.Object({ projekt_id: field(uuid(), 'The project.') }),
  body: BudgetEingabe,
  response: Projekt,
});

export const budgetSetzen = operation({
  id: 'budgets.setzen',
  method: 'PUT',
  path: '/v1/cockpit/budgets',
  summary:
    'Setzt das Monatsbudget eines Endkunden, einer Funktion, eines Benutzers oder eines API-Schlüssels oder entfernt es.',
  description:
    'Sets the monthly budget of an end customer, a function, a user or an API key, or removes it. Functions and users are whatever events name; there may be no call of them yet.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 404: ['nicht_gefunden'], 409: ['hoechstzahl_erreicht'] },
  body: component('BudgetFuerEingabe', 'A monthly budget, and what it is of.', {
    objekt_art: field(oneOf(...BENANNTE_BUDGET_ARTEN), 'What it is of.', 'funktion'),
    objekt: field(
      text({ min: 1, max: 200 }),
      'Reference of the end customer (or its id), of the function or of the user, as events name it; the id of the API key.',
      'angebot',
    ),
    ...BudgetEingabe.properties,
  }),
  response: component('BudgetGesetzt', 'A budget as it was set.', {
    ...BUDGET_KOPF,
    budget_eur: field(nullable(decimal()), 'The budget of a month, in EUR; null when there is none.', '250'),
    bei_erreichen: field(
      nullable(BeiErreichen),
      'What it does by itself once it is spent; null when there is none.',
      'sperren',
    ),
  }),
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
