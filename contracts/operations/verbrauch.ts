/** Consumption: the question the service is for, asked by key and by session. */
import {
  boolean,
  component,
  date,
  datetime,
  dayOrInstant,
  decimal,
  field,
  formed,
  listOf,
  localDatetime,
  nullable,
  oneOf,
  operation,
  pageQuery,
  preset,
  rowsOf,
  separated,
  sum,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { DIMENSION_NAMES, FIGURE_NAMES, FIGURES, type FigureName, OWN_DIMENSION_NAMES } from '../rollup.ts';
import { valuesFilters } from '../value-filters.ts';
import { ZEITRAUM_WORTE } from '../zeitraum.ts';
import { Agent } from './katalog.ts';
import { Lauf } from './laeufe.ts';

const GRUPPEN = [...DIMENSION_NAMES, 'tag', 'stunde'] as const;
export const Gruppe = oneOf(...GRUPPEN);
/** … and by the dimensions of the Mandant's own. */
const Gruppierung = oneOf(...GRUPPEN, ...OWN_DIMENSION_NAMES);
/** Groupings at a time. */
const MAX_GROUPINGS = 3;

type Counted = { [N in FigureName]: (typeof FIGURES)[N]['kind'] extends 'count' | 'tokens' ? N : never };
type Divided = { [N in FigureName]: (typeof FIGURES)[N] extends { ofDivided: true } ? N : never };
type NeverNull = { [N in FigureName]: (typeof FIGURES)[N] extends { neverNull: true } ? N : never };
type MaybeCount = ReturnType<typeof nullable<ReturnType<typeof sum>>>;
type FigureSchema<N extends FigureName> = N extends Divided[FigureName]
  ? MaybeCount
  : N extends Counted[FigureName]
    ? ReturnType<typeof sum>
    : N extends NeverNull[FigureName]
      ? ReturnType<typeof decimal>
      : ReturnType<typeof nullable<ReturnType<typeof decimal>>>;

function figureSchema(name: FigureName) {
  const { kind, meaning, ...rest } = FIGURES[name];
  if ('ofDivided' in rest)
    return field(nullable(sum()), `${meaning} Null when \`aufgeteilt\` is less than \`aufrufe\`.`);
  if (kind === 'count' || kind === 'tokens') return field(sum(), meaning);
  if ('neverNull' in rest) return field(decimal(), meaning);
  return field(nullable(decimal()), `${meaning} Null when not one call has a known price.`);
}

const {
  geschaetzt_eur: _,
  ersatz_eur,
  ...summed
} = Object.fromEntries(FIGURE_NAMES.map((name) => [name, figureSchema(name)])) as unknown as {
  [N in FigureName]: FigureSchema<N>;
};

/** Figures of a set of calls. */
const figures = {
  ...summed,
  token: field(
    nullable(sum()),
    'All tokens, counted alike for every provider: `eingabe_ohne_cache`, `cache_lese_token`, `cache_schreib_token` and `ausgabe_gesamt` together. Null when one of them is.',
  ),
};

export const VerbrauchZeile = component('VerbrauchZeile', 'Figures of one group of calls.', {
  schluessel: field(
    text(),
    'The group: key of the agent, reference of the end customer (empty for none), model, local day `YYYY-MM-DD`, or local hour with offset.',
    'support/triage',
  ),
  ...figures,
});

export const Summe = component('Summe', 'Figures of all calls of a window.', {
  ...figures,
  gemessen_eur: field(
    nullable(decimal()),
    'The part of `kosten_eur` that rests on measured token counts and on prices for all that was used.',
    '12.3456',
  ),
  geschaetzt_eur: field(
    nullable(decimal()),
    'The part of `kosten_eur` that rests on estimated token counts or is of calls priced in part. Together they are `kosten_eur`.',
    '0',
  ),
  ersatz_eur,
});

export const Rest = component('Rest', 'Groups that an answer does not show one by one, as one.', {
  gruppen: field(sum(), 'How many groups.', 12),
  ...Summe.properties,
});

/** A group by one or several groupings. */
const Gruppenzeile = component('Gruppenzeile', 'Figures of one group of calls, by one grouping or several.', {
  ...VerbrauchZeile.properties,
  werte: Type.Optional(
    field(
      listOf(text(), MAX_GROUPINGS),
      'Where calls are grouped by several: the value, day or hour of each, in the order of `gruppe`. `schluessel` then is all of them with ` · ` in between.',
      ['kunde-4711', 'gpt-5'],
    ),
  ),
});

const restOf = (rows: string) =>
  field(
    nullable(Rest),
    `All groups that are not in \`${rows}\`, as one; together they make up \`summe\`. Null when there are none.`,
  );

/** The groups that cost most; the others are in the rest beside it. */
const top = (max: number, meaning: string) => field(listOf(VerbrauchZeile, max), meaning);

/** Groups of an overview. */
const TOP = 10;
/** Groups of the page of one agent. */
const TOP_OF_AGENT = 50;
const RUNS_OF_AGENT = 20;

export const Ersatzkurs = component(
  'Ersatzkurs',
  'A substitute rate, for costs on days without a reference rate.',
  {
    usd_eur: field(decimal(), 'EUR for one USD.', '0.86'),
    tag: field(
      nullable(date()),
      'The day it is of; null where the operator named none, or calls were counted before it was kept.',
      '2026-11-20',
    ),
  },
);

/** Substitute rates an answer names. */
export const MAX_SUBSTITUTES = 20;

export const Kursquelle = component('Kursquelle', 'Where the rates of a part of a cost in EUR are from.', {
  quelle: field(
    oneOf('ezb', 'ersatz'),
    '`ezb`: reference rates of the European Central Bank; `ersatz`: the configured substitute.',
  ),
  kosten_eur: field(decimal(), 'The cost in EUR that was converted at them, exactly.', '12.3456'),
  anteil: field(decimal(), 'Its share of the whole cost in EUR, to six decimals, half-up.', '0.25'),
  ersatzkurse: field(
    listOf(Ersatzkurs, MAX_SUBSTITUTES),
    'The substitute rates of the window, the latest used first; where calls are filtered, those of all calls. Empty for `ezb`.',
  ),
});

/** `what`: of which cost in EUR. */
export const kursquellenOf = (what: string) =>
  field(
    listOf(Kursquelle, 2),
    `What rates the cost in EUR of ${what} rests on, the larger part first. Empty where nothing is known to have cost anything.`,
  );

const kursquellen = kursquellenOf('`summe`');

const von = field(
  localDatetime(),
  'Where the window begins, in the time zone of the Mandant.',
  '2026-03-01T00:00:00+01:00',
);
const bis = field(localDatetime(), 'Where it ends; this instant is not in it.', '2026-04-01T00:00:00+02:00');
const gezaehlt_bis = field(datetime(), 'Everything received up to this instant is counted.');

/** Groups of an answer that divides them, and parts of each by a dimension. */
export const MAX_DIVIDED = 20;
/** Longest windows that are divided by day, and by hour. */
export const MAX_DIVIDED_DAYS = { tag: 366, stunde: 14 } as const;
/** Each group and the rest, on each day of the longest window; hours of theirs, or other values, are fewer. */
const MAX_PARTS = (MAX_DIVIDED + 1) * MAX_DIVIDED_DAYS.tag;

const Teil = component('Teil', 'Figures of a part of a group.', {
  schluessel: field(
    nullable(text()),
    'The group, as in `zeilen`; null for all groups of the rest.',
    'support/triage',
  ),
  teil: field(
    nullable(text()),
    'The part: a value, day or hour as `schluessel` has them; null for what is beside the parts shown.',
    '2026-03-02',
  ),
  ...figures,
});

export const Verbrauch = component('Verbrauch', 'Consumption of a window, grouped.', {
  von,
  bis,
  gruppe: field(
    text(),
    'What the rows are grouped by: one grouping or several, with commas in between.',
    'agent',
  ),
  zeilen: field(
    rowsOf(Gruppenzeile),
    'Groups with calls: by cost, the highest first, unknown costs last, equal ones by key; where days or hours are the only grouping, by time.',
  ),
  rest: restOf('zeilen'),
  teile: field(
    nullable(listOf(Teil, MAX_PARTS)),
    'The groups of this page and the rest divided by `teilung`, parts without calls left out: together they make up `summe`, on pages behind the first one together with the groups before. Null unless asked for.',
  ),
  summe: field(Summe, 'All groups together.'),
  kursquellen,
  weiter,
  gezaehlt_bis,
});

/** The window of a later page is that of the first one. */
const verbrauchQuery = Type.Object({
  gruppe: preset(
    field(
      separated(listOf(Gruppierung, MAX_GROUPINGS)),
      `What to group by: up to ${MAX_GROUPINGS} of these, with commas in between, such as \`endkunde,modell\`. \`merkmal_1\` to \`merkmal_5\` are keys of the free data that the account has named (\`merkmale\`).`,
    ),
    ['agent'],
  ),
  teilung: Type.Optional(
    field(
      Gruppe,
      `What to divide each group by: local day (windows of up to ${MAX_DIVIDED_DAYS.tag} days), hour (${MAX_DIVIDED_DAYS.stunde} days) or, unless calls are filtered, another dimension. A page then has ${MAX_DIVIDED} groups at most. With one grouping and one filter of one value at most.`,
      'tag',
    ),
  ),
  von: Type.Optional(
    field(
      dayOrInstant(),
      'Where the window begins: a day (local midnight) or an instant, widened to whole hours, at most ten years before the end. Local midnight 30 days ago when left out, or 30 days before `bis`.',
      '2026-03-01',
    ),
  ),
  bis: Type.Optional(
    field(
      dayOrInstant(),
      'Where it ends, exclusive. The end of the current hour when left out.',
      '2026-04-01',
    ),
  ),
  ...valuesFilters(),
  ...pageQuery(),
});

export const apiVerbrauch = operation({
  id: 'verbrauch.api',
  method: 'GET',
  path: '/v1/api/verbrauch',
  summary:
    'Verbrauch nach Agent, Endkunde, Modell, Tag, Stunde oder einem anderen Merkmal; ohne Angabe die letzten 30 Tage.',
  description:
    'Consumption by agent, end customer, model, day, hour or another dimension, of all calls or those with certain values of any dimensions, by up to three groupings at a time; the last 30 days unless a window is given. The sums are exact: over any grouping they equal the sum over the events. What is beyond `limit` is in `rest` and on the pages that follow, whose window is that of the first one.',
  access: { kind: 'key', scope: 'Lesen' },
  query: verbrauchQuery,
  response: Verbrauch,
});

export const cockpitVerbrauch = operation({
  id: 'verbrauch.cockpit',
  method: 'GET',
  path: '/v1/cockpit/verbrauch',
  summary: 'Wie /v1/api/verbrauch, für die angemeldete Sitzung.',
  description: 'The same as `/v1/api/verbrauch`, for a signed-in user.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: verbrauchQuery,
  response: Verbrauch,
});

const ProjektZeile = component('ProjektZeile', 'Figures of a project and an end customer.', {
  projekt: field(text(), 'The project.', 'support'),
  endkunde: field(
    nullable(text()),
    'Reference of the end customer; null for calls without one.',
    'kunde-4711',
  ),
  ...figures,
});

export const uebersichtTag = operation({
  id: 'verbrauch.uebersicht_tag',
  method: 'GET',
  path: '/v1/uebersicht/tag',
  summary: 'Verbrauch eines Tages je Projekt und Endkunde; ohne Angabe heute.',
  description:
    'Consumption of one local day by project and end customer, page by page; today unless a day is given. A later page is of the day of the first one.',
  access: { kind: 'key', scope: 'Lesen' },
  query: Type.Object({
    datum: Type.Optional(field(date(), 'The day, in the time zone of the Mandant.', '2026-03-02')),
    ...pageQuery(),
  }),
  response: component('Tagesuebersicht', 'Consumption of a day.', {
    datum: field(date(), 'The day.', '2026-03-02'),
    zeitzone: field(text(), 'IANA name of the time zone the day is meant in.', 'Europe/Berlin'),
    zeilen: field(
      rowsOf(ProjektZeile),
      'One row a project and end customer: by cost, the highest first, unknown costs last.',
    ),
    rest: restOf('zeilen'),
    weiter,
    summe: field(Summe, 'All rows together.'),
    kursquellen,
    gezaehlt_bis,
  }),
});

const ZEITRAUM = `^(${ZEITRAUM_WORTE.join('|')}|\\d{4}-\\d{2}-\\d{2}\\.\\.\\d{4}-\\d{2}-\\d{2})$`;

/** The period of a page of the cockpit. */
export const zeitraumQuery = () =>
  field(
    formed(ZEITRAUM, 22),
    'A word (`heute`, `gestern`, `7tage`, `30tage`, `90tage`, `woche`, `monat`, `vormonat`, `jahr`) or two days `YYYY-MM-DD..YYYY-MM-DD`, both included, at most 366, in the time zone of the Mandant.',
    '2026-03-01..2026-03-31',
  );

const zeitraum = {
  zeitraum: field(text(), 'The period as it was asked for.', '30tage'),
  von,
  bis,
  zeitzone: field(text(), 'IANA name of the time zone of the Mandant.', 'Europe/Berlin'),
  aufloesung: field(oneOf('stunde', 'tag'), 'Whether `verlauf` goes by hour or by day.'),
};

/** A period is at most 366 days. */
const MAX_BUCKETS = 366;

const verlauf = field(
  listOf(VerbrauchZeile, MAX_BUCKETS),
  'The course: one row for every hour or day of the period up to now, those without calls included.',
);

export const Kurs = component(
  'Kurs',
  'The rate at which costs of today are converted; those of a period rest on `kursquellen`.',
  {
    usd_eur: field(decimal(), 'EUR for one USD.', '0.92'),
    tag: field(
      nullable(date()),
      'Day of the rate; null for a substitute that the operator named no day of.',
      '2026-03-02',
    ),
    quelle: field(
      oneOf('ezb', 'ersatz'),
      '`ezb`: reference rate of the European Central Bank; `ersatz`: the configured substitute.',
    ),
  },
);

export const cockpitUebersicht = operation({
  id: 'verbrauch.uebersicht',
  method: 'GET',
  path: '/v1/cockpit/uebersicht',
  summary:
    'Kosten, Aufrufe, Token, Fehler und verbranntes Geld eines Zeitraums mit Verlauf und Spitzenreitern.',
  description:
    'Figures of a period with its course, the period before, and what cost most; of all calls or those that meet each of the filters.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({ zeitraum: preset(zeitraumQuery(), 'heute'), ...valuesFilters() }),
  response: component('Uebersicht', 'Consumption of a period at a glance.', {
    ...zeitraum,
    summe: field(Summe, 'The whole period.'),
    kursquellen,
    vorher: field(Summe, 'The period of equal length just before, up to the same moment of it.'),
    verlauf,
    verlauf_vorher: field(
      listOf(VerbrauchZeile, MAX_BUCKETS),
      'The course of the whole period before, bucket beside bucket; fewer or more where an hour was left out or had twice.',
    ),
    agenten: top(TOP, 'The agents that cost most.'),
    agenten_rest: restOf('agenten'),
    endkunden: top(TOP, 'The end customers that cost most.'),
    endkunden_rest: restOf('endkunden'),
    modelle: top(TOP, 'The models that cost most.'),
    modelle_rest: restOf('modelle'),
    kurs: field(Kurs, 'The latest rate.'),
    daten_von: field(
      nullable(datetime()),
      'First instant for which there are events at all; null when there never were any.',
    ),
    daten_bis: field(nullable(datetime()), 'Last instant for which there are events.'),
    gezaehlt_bis,
    demo: field(boolean(), 'True as long as the demo Mandant’s generated traffic is shown.'),
  }),
});

const AgentMitVerbrauch = component('AgentMitVerbrauch', 'An agent and what it consumed in a period.', {
  ...Agent.properties,
  verbrauch: field(Summe, 'Figures of the period.'),
  letzter_aufruf_am: field(nullable(datetime()), 'Its latest call ever; null when there is none.'),
});

export const cockpitAgenten = operation({
  id: 'verbrauch.agenten',
  method: 'GET',
  path: '/v1/cockpit/agenten',
  summary: 'Die Agenten mit ihrem Verbrauch im Zeitraum.',
  description:
    'The agents with their consumption in the period, those without any included, page by page. A later page is of the period of the first one.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({ zeitraum: preset(zeitraumQuery(), '30tage'), ...pageQuery() }),
  response: component('AgentenMitVerbrauch', 'The agents and what they consumed in a period.', {
    ...zeitraum,
    agenten: field(
      rowsOf(AgentMitVerbrauch),
      'The agents, those that cost most first, then those without a call, by key.',
    ),
    kursquellen: kursquellenOf('all agents in the period'),
    weiter,
    gezaehlt_bis,
  }),
});

export const cockpitAgent = operation({
  id: 'verbrauch.agent',
  method: 'GET',
  path: '/v1/cockpit/agenten/{agent_id}',
  summary: 'Ein Agent mit Verlauf, Modellen, Endkunden und letzten Läufen.',
  description: 'One agent with course, models, end customers and latest runs of the period.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  params: Type.Object({ agent_id: field(uuid(), 'The agent.') }),
  query: Type.Object({ zeitraum: preset(zeitraumQuery(), '30tage') }),
  response: component('AgentSeite', 'An agent in detail.', {
    ...zeitraum,
    agent: field(AgentMitVerbrauch, 'The agent.'),
    kursquellen: kursquellenOf('the agent'),
    verlauf,
    modelle: top(TOP_OF_AGENT, 'Its consumption by model, what cost most first.'),
    modelle_rest: restOf('modelle'),
    endkunden: top(TOP_OF_AGENT, 'Its consumption by end customer, what cost most first.'),
    endkunden_rest: restOf('endkunden'),
    laeufe: field(listOf(Lauf, RUNS_OF_AGENT), 'Its latest runs.'),
    gezaehlt_bis,
  }),
});

/** Entries of each kind at most. */
export const MAX_OF_A_KIND = 3;

const Auffaelligkeit = component(
  'Auffaelligkeit',
  'Something in a period that is out of the ordinary, and what it is about.',
  {
    art: field(
      oneOf('kostensprung', 'fehlerhaeufung', 'teurer_lauf', 'unbepreist'),
      '`kostensprung`: cost half as much again as usual, and a twentieth of all cost more. `fehlerhaeufung`: ten failed calls or more, a tenth of the calls and three times the usual share. `teurer_lauf`: a run that makes up a thirtieth of all cost. `unbepreist`: calls whose model has no known price.',
    ),
    merkmal: field(nullable(oneOf(...DIMENSION_NAMES)), 'The dimension it is about; null for a run.'),
    schluessel: field(nullable(text()), 'The value of that dimension; null for a run.', 'support/triage'),
    lauf: field(nullable(Lauf), 'The run it is about; null for all others.'),
    aufrufe: field(sum(), 'Calls in the period.', 1200),
    fehler: field(sum(), 'Failed calls among them.', 80),
    unbepreist: field(sum(), 'Calls without a known price among them.', 0),
    kosten_eur: field(nullable(decimal()), 'Their cost; null where none has a known price.', '12.34'),
    ueblich_eur: field(
      nullable(decimal()),
      'What was usual: of a day the mean of the same weekday in the four weeks before, as far as there were calls, up to the same time; of longer periods what the period before cost up to the same moment. To the cent, half-up. Null for runs, and where there is nothing to compare with.',
      '4.56',
    ),
  },
);

export const cockpitAuffaelliges = operation({
  id: 'verbrauch.auffaelliges',
  method: 'GET',
  path: '/v1/cockpit/auffaelliges',
  summary:
    'Was in einem Zeitraum aus dem Rahmen fällt: Kostensprünge, Fehler, teure Läufe, Aufrufe ohne Preis.',
  description:
    'What is out of the ordinary in a period, most expensive first: jumps of cost, bursts of failures, expensive runs, calls without a price.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({ zeitraum: preset(zeitraumQuery(), 'heute') }),
  response: component('Auffaelliges', 'What is out of the ordinary in a period.', {
    ...zeitraum,
    eintraege: field(
      listOf(Auffaelligkeit, 4 * MAX_OF_A_KIND),
      `The entries, at most ${MAX_OF_A_KIND} of each kind.`,
    ),
    gezaehlt_bis,
  }),
});
