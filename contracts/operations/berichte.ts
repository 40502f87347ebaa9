/** The weekly report: what a week cost, what changed, what was burnt and what was saved. */
import {
  boolean,
  CPU_OF_A_REPORT,
  component,
  count,
  datetime,
  decimal,
  field,
  formed,
  listOf,
  localDatetime,
  nullable,
  oneOf,
  operation,
  preset,
  sum,
  Type,
  text,
} from '../kit/index.ts';
import { URSACHEN } from '../rule-types.ts';
import { Befund } from './befunde.ts';
import { BUDGET_KOPF } from './budgets.ts';
import { kursquellenOf, Rest, Summe, VerbrauchZeile } from './verbrauch.ts';

/** Values told of each list. */
export const REPORT_AGENTS = 5;
export const REPORT_CHANGES = 3;
export const REPORT_FINDINGS = 5;
export const REPORT_BUDGETS = 8;
export const REPORT_MODELS = 5;
/** Weeks whose mean a week is held against. */
export const WEEKS_BEFORE = 4;

/** What the values of are compared with the week before. */
export const REPORT_DIMENSIONS = ['agent', 'modell', 'endkunde'] as const;
/** Parts whose right is another than that of the report. */
export const REPORT_PARTS = ['befunde', 'budgets', 'zwilling'] as const;

const WOCHE = '^\\d{4}-(W\\d{2}|\\d{2}-\\d{2})$';

const woche = Type.Optional(
  field(
    formed(WOCHE, 10),
    'The week: `YYYY-Www` as ISO 8601 numbers it, or its Monday `YYYY-MM-DD`, in the time zone of the Mandant; not one that is yet to come. The last whole week when left out.',
    '2026-W46',
  ),
);

const cost = (meaning: string) => field(nullable(decimal()), `${meaning} Null when unknown.`, '12.3456');

const BerichtVergleich = component('BerichtVergleich', 'The week before.', {
  woche: field(text(), 'The week.', '2026-W45'),
  aufrufe: field(sum(), 'Its calls.', 900),
  kosten_eur: cost('What it cost, in EUR.'),
  verbranntes_geld_eur: field(decimal(), 'What of it was burnt.', '0.4'),
});

const BerichtMittel = component('BerichtMittel', 'The mean of the weeks before.', {
  wochen: field(
    count(),
    'Of how many weeks: of the four before, those since the first call whose cost is known.',
    4,
  ),
  kosten_eur: field(decimal(), 'Their mean cost, in EUR, to the cent, half-up.', '11.97'),
});

const BerichtAenderung = component(
  'BerichtAenderung',
  'What one value cost in the week and in the one before.',
  {
    schluessel: field(
      text(),
      'Key of the agent, name of the model, reference of the end customer; may be empty.',
    ),
    name: field(nullable(text()), 'Name of the agent, where a person gave it one.'),
    aufrufe: field(sum(), 'Calls of the week.', 120),
    kosten_eur: cost('Cost of the week in EUR; 0 without calls.'),
    vorher_eur: cost('Cost of the week before in EUR; 0 without calls.'),
    differenz_eur: cost('By how much more it cost, below 0 for less.'),
  },
);

const BerichtAgent = component('BerichtAgent', 'An agent with its figures of the week.', {
  ...VerbrauchZeile.properties,
  name: field(nullable(text()), 'Its name, where a person gave it one.'),
});

const changes = (meaning: string) => field(listOf(BerichtAenderung, REPORT_CHANGES), meaning);

const BerichtAenderungen = component(
  'BerichtAenderungen',
  'What changed against the week before, of one dimension.',
  {
    merkmal: field(oneOf(...REPORT_DIMENSIONS), 'The dimension.'),
    gestiegen: changes('Those that cost more, the largest difference first; those that are new included.'),
    gesunken: changes('Those that cost less, the largest difference first.'),
    neu: changes(
      'Those that had no call in the four weeks before, the most expensive first; empty where nobody had any.',
    ),
    neu_anzahl: field(count(), 'How many are new in all.', 2),
  },
);

const BerichtModell = component('BerichtModell', 'A model with calls whose price is unknown.', {
  modell: field(text(), 'The model; empty for calls that name none.', 'gpt-9'),
  unbepreist: field(sum(), 'Its calls without a known price.', 12),
});

const BerichtZwilling = component(
  'BerichtZwilling',
  'What the twin would not have spent in the week: an estimate.',
  {
    gespart_eur: cost('The causes together, in EUR.'),
    ursachen: field(
      listOf(
        component('BerichtUrsache', 'What would not have been spent for one reason.', {
          ursache: field(oneOf(...URSACHEN), 'The reason; see the twin.'),
          gespart_eur: cost('What would not have been spent, in EUR.'),
          aufrufe: field(sum(), 'Calls it is about.', 40),
        }),
        URSACHEN.length,
      ),
      'Reasons that somebody looks for, as the twin has them.',
    ),
    berechnet_am: field(nullable(datetime()), 'When it was worked out last; null when never.'),
  },
);

const BerichtVermieden = component(
  'BerichtVermieden',
  'What stops of the week kept from being spent: an estimate.',
  {
    stopps: field(count(), 'Findings of the week that stopped a run, were obeyed and not lifted.', 3),
    geschaetzt: field(count(), 'Those among them for which enough alike cases are known to say so.', 2),
    eur: cost('What these kept from being spent, in EUR.'),
  },
);

const BerichtBefunde = component('BerichtBefunde', 'Findings of the week.', {
  anzahl: field(count(), 'How many, those that were withdrawn left out.', 7),
  liste: field(listOf(Befund, REPORT_FINDINGS), 'Those that matter most: by burnt money, then by cost.'),
  vermieden: field(nullable(BerichtVermieden), 'What stops avoided; null where nothing was stopped.'),
});

const BerichtBudget = component('BerichtBudget', 'A budget as it stands.', {
  ...BUDGET_KOPF,
  verbraucht_eur: field(decimal(), 'Spent in the month, in EUR; exact.', '75.5'),
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
});

const BerichtBudgets = component('BerichtBudgets', 'Budgets as they stand when the report is made.', {
  monat: field(text(), 'The month they are of.', '2026-11'),
  anzahl: field(count(), 'How many there are.', 12),
  ueberschritten: field(count(), 'How many of them are spent.', 1),
  liste: field(listOf(BerichtBudget, REPORT_BUDGETS), 'Those of which the largest share is spent, first.'),
});

export const Wochenbericht = component('Wochenbericht', 'A week in figures.', {
  woche: field(text(), 'The week.', '2026-W46'),
  von: field(localDatetime(), 'When it began, in the time zone of the Mandant.'),
  bis: field(localDatetime(), 'When it ended, exclusive.'),
  zeitzone: field(text(), 'IANA name of the time zone of the Mandant.', 'Europe/Berlin'),
  firma: field(text(), 'Name of the company.', 'Muster GmbH'),
  erstellt_am: field(datetime(), 'When the report was made.'),
  gezaehlt_bis: field(datetime(), 'Everything received up to this instant is counted.'),
  vorlaeufig: field(
    boolean(),
    'Whether figures may still be missing: the week is not over, or not all is counted.',
  ),
  summe: field(Summe, 'The whole week; what `/v1/cockpit/verbrauch` answers of the same window.'),
  kursquellen: kursquellenOf('the week'),
  vorwoche: field(nullable(BerichtVergleich), 'The week before; null where there was no call until then.'),
  mittel: field(
    nullable(BerichtMittel),
    'The mean of the four weeks before; null where none of them can be told.',
  ),
  tage: field(listOf(VerbrauchZeile, 7), 'Its days up to now, those without calls included.'),
  agenten: field(listOf(BerichtAgent, REPORT_AGENTS), 'The agents that cost most.'),
  agenten_rest: field(nullable(Rest), 'All other agents as one; null when there are none.'),
  aenderungen: field(
    listOf(BerichtAenderungen, REPORT_DIMENSIONS.length),
    'What changed against the week before: agents, models, end customers.',
  ),
  unbepreiste_modelle: field(
    listOf(BerichtModell, REPORT_MODELS),
    'Models with calls whose price is unknown, most calls first.',
  ),
  befunde: field(nullable(BerichtBefunde), 'Findings; null where the reader may not see them.'),
  budgets: field(nullable(BerichtBudgets), 'Budgets; null where the reader may not see them.'),
  zwilling: field(nullable(BerichtZwilling), 'The twin; null where the reader may not see it.'),
  ausgelassen: field(
    listOf(oneOf(...REPORT_PARTS), REPORT_PARTS.length),
    'Parts that are left out because the role of the reader may not see them.',
  ),
});

export const wochenbericht = operation({
  id: 'berichte.woche',
  method: 'GET',
  path: '/v1/cockpit/bericht/woche',
  summary: 'Der Wochenbericht: Kosten, Änderungen, verbranntes und gespartes Geld; als HTML oder JSON.',
  description:
    'What a week cost beside the weeks before, what changed, what was burnt and saved, findings and budgets. As a page in the language of the reader that mail programs show, too, or as JSON.',
  cpu: CPU_OF_A_REPORT,
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    woche,
    format: preset(field(oneOf('html', 'json'), 'Form of the answer.'), 'html'),
  }),
  media: ['text/html', 'application/json'],
  response: Wochenbericht,
});

export const wochenberichtPdf = operation({
  id: 'berichte.woche_pdf',
  method: 'GET',
  path: '/v1/cockpit/bericht/woche.pdf',
  summary: 'Derselbe Wochenbericht als PDF.',
  description: 'The same weekly report as a PDF, in the language of the reader.',
  cpu: CPU_OF_A_REPORT,
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({ woche }),
  refuses: { 429: ['zu_viele_versuche'] },
  media: ['application/pdf'],
  response: text(),
});

const Berichtabo = component('Berichtabo', 'Which reports a user gets by mail.', {
  wochenbericht: field(
    boolean(),
    'Whether the weekly report is sent on Mondays from 7 o’clock on, in the time zone of the Mandant; only to a proven address.',
  ),
});

export const berichtaboLesen = operation({
  id: 'berichte.abo_lesen',
  method: 'GET',
  path: '/v1/cockpit/bericht/abo',
  summary: 'Welche Berichte der angemeldete Benutzer per Mail bekommt.',
  description: 'Which reports the signed-in user gets by mail; none unless switched on.',
  access: { kind: 'session', right: 'selbst' },
  response: Berichtabo,
});

export const berichtaboSetzen = operation({
  id: 'berichte.abo_setzen',
  method: 'PUT',
  path: '/v1/cockpit/bericht/abo',
  summary: 'Schaltet den Wochenbericht per Mail für sich selbst ein oder aus.',
  description: 'Switches the weekly report by mail on or off for oneself.',
  access: { kind: 'session', right: 'selbst' },
  body: component('BerichtaboEingabe', 'Which reports to get by mail.', {
    wochenbericht: field(boolean(), 'Whether the weekly report is sent.', true),
  }),
  response: Berichtabo,
});
