/** Runs (Läufe) and their steps. */
import { countedSchemas } from '../event-schemas.ts';
import {
  boolean,
  CPU_OF_A_REPORT,
  component,
  count,
  datetime,
  dayOrInstant,
  decimal,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  pageQuery,
  preset,
  rowsOf,
  sum,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { valueFilters } from '../value-filters.ts';

/** Runs of a page unless another number is asked for. */
const RUNS = 50;

export const Lauf = component('Lauf', 'A run: the calls that share one `lauf_id`, summed up.', {
  lauf_id: field(uuid(), 'Names the run.'),
  agent: field(text(), 'Key of the agent.', 'support/triage'),
  projekt: field(text(), 'The project.', 'support'),
  endkunde_ref: field(nullable(text()), 'Reference of the end customer; null for none.', 'kunde-4711'),
  status: field(text(), 'Status of the latest call.', 'erfolgreich'),
  beginn: field(datetime(), 'Time of the earliest call.'),
  ende: field(datetime(), 'Time of the latest call.'),
  dauer_ms: field(
    sum(),
    'From the beginning of the first call to the end of the last one to end, in milliseconds.',
    8200,
  ),
  aufrufe: field(sum(), 'Calls.', 7),
  fehler: field(sum(), 'Calls whose status is not `erfolgreich`.', 0),
  eingabe_token: field(sum(), 'Input tokens, as sent.', 14000),
  ausgabe_token: field(sum(), 'Output tokens, as sent.', 2100),
  cache_lese_token: field(sum(), 'Tokens read from the cache, as sent.', 4000),
  cache_schreib_token: field(
    nullable(sum()),
    'Tokens written to the cache, as sent. Null where the run began before this was summed up and its calls are not kept any more.',
    1200,
  ),
  denk_token: field(nullable(sum()), 'Reasoning tokens, as sent. Null as above.', 300),
  eingabe_ohne_cache: field(
    nullable(sum()),
    'Input tokens without those read from or written to the cache, whichever way the provider counts. Null as above.',
    8800,
  ),
  ausgabe_gesamt: field(
    nullable(sum()),
    'Output tokens with those of reasoning, whichever way the provider counts. Null as above.',
    2100,
  ),
  token: field(
    nullable(sum()),
    'All tokens, counted alike for every provider: `eingabe_ohne_cache`, `cache_lese_token`, `cache_schreib_token` and `ausgabe_gesamt` together. Null when one of them is.',
    16100,
  ),
  kosten_eur: field(
    nullable(decimal()),
    'Cost in EUR; null when no call of the run has a known price.',
    '0.0312',
  ),
  kosten_usd: field(nullable(decimal()), 'The same in USD.', '0.0339'),
  ersatz_eur: field(
    decimal(),
    'The part of `kosten_eur` that was converted at the substitute rate; the rest at reference rates of the European Central Bank.',
    '0',
  ),
  unbepreist: field(sum(), 'Calls whose model has no known price; their cost is in no sum.', 0),
  teilbepreist: field(sum(), 'Calls of which only a part has a known price; that part is in the sums.', 0),
  verbranntes_geld_eur: field(decimal(), 'Cost in EUR of calls that achieved nothing.', '0'),
});

export const Ereignis = component(
  'Ereignis',
  'An event as it was sent, with what counting added to it.',
  countedSchemas,
);

const BegonnenerLauf = component('BegonnenerLauf', 'A run that was begun from another.', {
  lauf_id: field(uuid(), 'Names the run.'),
  agent: Lauf.properties.agent,
  status: Lauf.properties.status,
  beginn: Lauf.properties.beginn,
  aufrufe: Lauf.properties.aufrufe,
  kosten_eur: Lauf.properties.kosten_eur,
});

/** Runs of a tree are added up so far. */
export const MAX_BAUM = 10_000;

const Laufbaum = component(
  'Laufbaum',
  'What a run was begun from, and what was begun from it (`zusatz.eltern_lauf` of its calls).',
  {
    eltern_lauf: field(nullable(uuid()), 'The run that it was begun from; null for none.'),
    begonnen: field(
      listOf(BegonnenerLauf, 20),
      'The first runs that were begun from it itself, in the order in which they began.',
    ),
    laeufe: field(
      count(),
      'How many runs were begun from it, directly or through others; at most 10,000 are looked at.',
      12,
    ),
    aufrufe: field(sum(), 'Calls of it and of these runs.', 140),
    unbepreist: field(sum(), 'Those of them without a known price.', 0),
    kosten_eur: field(
      nullable(decimal()),
      'Cost in EUR of it and of these runs; null when no call has a known price.',
      '3.4012',
    ),
  },
);

const LaufMitEreignissen = component('LaufMitEreignissen', 'A run with its events.', {
  lauf: field(Lauf, 'The run.'),
  ereignisse: field(
    rowsOf(Ereignis),
    'Its events in the order of their steps; fewer than `limit` where they are large.',
  ),
  schluessel: Type.Optional(
    field(
      rowsOf(
        component('SchluesselName', 'The name of a key.', {
          schluessel_id: field(uuid(), 'Names the key.'),
          name: field(text(), 'What the key is for.', 'Produktion'),
        }),
      ),
      'The keys that these events came by, blocked ones too.',
    ),
  ),
  baum: Type.Optional(
    field(nullable(Laufbaum), 'Its place among runs; null where it was begun from none, and none from it.'),
  ),
  weiter,
  gekuerzt: field(boolean(), 'True when the run has further events, behind those of this answer.'),
});

const Laufliste = component('Laufliste', 'Runs in the order that was asked for.', {
  laeufe: field(rowsOf(Lauf), 'The runs.'),
  weiter,
});

export const Sortierung = oneOf('ende', 'beginn', 'kosten', 'dauer', 'schritte', 'fehler', 'verbrannt');

const laeufeQuery = Type.Object({
  von: Type.Optional(
    field(
      dayOrInstant(),
      'Only runs whose latest call was at this time or later: a day (local midnight) or an instant.',
      '2026-03-01',
    ),
  ),
  bis: Type.Optional(field(dayOrInstant(), 'Only runs whose latest call was before it.', '2026-04-01')),
  sortierung: preset(
    field(
      Sortierung,
      'What to sort by: time of the latest or earliest call, cost, duration, number of calls, of failed calls, cost of failed calls. Runs of unknown cost come last, equal ones by id.',
    ),
    'ende',
  ),
  richtung: preset(
    field(oneOf('absteigend', 'aufsteigend'), 'Highest or latest first (`absteigend`), or last.'),
    'absteigend',
  ),
  suche: Type.Optional(
    field(
      text({ min: 1, max: 200 }),
      'Only runs whose id begins with this, or whose agent or end customer has it in key or name, whatever the case and the accents of its letters.',
      '1b47d40a',
    ),
  ),
  agent_id: Type.Optional(field(uuid(), 'Runs of this agent only.')),
  ...valueFilters('runs'),
  status: Type.Optional(field(text({ max: 60 }), 'Runs with this status only.', 'erfolgreich')),
  nur_fehler: preset(field(boolean(), 'Only runs with a call that failed.'), false),
  nur_unbepreist: preset(field(boolean(), 'Only runs with a call whose model has no known price.'), false),
  ...pageQuery(RUNS),
});

/** What stands in every description of it. */
const FILTERED =
  'By time, agent, end customer, project; by provider, model, function or user of any of their calls; by status, failed and unpriced calls; by what their id begins with.';

export const laeufeListe = operation({
  id: 'laeufe.liste',
  method: 'GET',
  path: '/v1/laeufe',
  summary: 'Die Läufe, gefiltert und sortiert; ohne Angabe die letzten.',
  description: `The runs, page by page, those that ended last first unless asked otherwise. ${FILTERED}`,
  access: { kind: 'key', scope: 'Lesen' },
  query: laeufeQuery,
  refuses: { 503: ['suche_zu_lange'] },
  response: Laufliste,
});

export const lauf = operation({
  id: 'laeufe.einer',
  method: 'GET',
  path: '/v1/laeufe/{lauf_id}',
  summary: 'Ein Lauf mit seinen Ereignissen.',
  description: 'One run with its events, page by page.',
  cpu: CPU_OF_A_REPORT,
  access: { kind: 'key', scope: 'Lesen' },
  params: Type.Object({ lauf_id: field(uuid(), 'The run.') }),
  query: Type.Object(pageQuery()),
  response: LaufMitEreignissen,
});

export const cockpitLaeufe = operation({
  id: 'laeufe.cockpit_liste',
  method: 'GET',
  path: '/v1/cockpit/laeufe',
  summary: 'Wie /v1/laeufe, für die angemeldete Sitzung.',
  description: `The same as \`/v1/laeufe\`, for a signed-in user. ${FILTERED}`,
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: laeufeQuery,
  refuses: { 503: ['suche_zu_lange'] },
  response: Laufliste,
});

export const cockpitLauf = operation({
  id: 'laeufe.cockpit_einer',
  method: 'GET',
  path: '/v1/cockpit/laeufe/{lauf_id}',
  summary: 'Ein Lauf mit seinen Schritten.',
  description: 'One run with its events, page by page, for a signed-in user.',
  cpu: CPU_OF_A_REPORT,
  access: { kind: 'session', right: 'verbrauch.lesen' },
  params: Type.Object({ lauf_id: field(uuid(), 'The run.') }),
  query: Type.Object(pageQuery()),
  response: LaufMitEreignissen,
});
