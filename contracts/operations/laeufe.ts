/** Runs (Läufe) and their steps. */
import {
  boolean,
  component,
  count,
  datetime,
  decimal,
  field,
  integer,
  nullable,
  operation,
  preset,
  record,
  sum,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

const limitQuery = () => preset(field(integer({ min: 1, max: 1000 }), 'How many at most.'), 50);

export const Lauf = component('Lauf', 'A run: the calls that share one `lauf_id`, summed up.', {
  lauf_id: field(uuid(), 'Names the run.'),
  agent: field(text(), 'Key of the agent.', 'support/triage'),
  projekt: field(text(), 'The project.', 'support'),
  endkunde_ref: field(nullable(text()), 'Reference of the end customer; null for none.', 'kunde-4711'),
  status: field(text(), 'Status of the latest call.', 'erfolgreich'),
  beginn: field(datetime(), 'Time of the earliest call.'),
  ende: field(datetime(), 'Time of the latest call.'),
  dauer_ms: field(sum(), 'From the earliest to the latest call, in milliseconds.', 8200),
  aufrufe: field(sum(), 'Calls.', 7),
  fehler: field(sum(), 'Calls whose status is not `erfolgreich`.', 0),
  eingabe_token: field(sum(), 'Input tokens as they were sent.', 14000),
  ausgabe_token: field(sum(), 'Output tokens.', 2100),
  cache_lese_token: field(sum(), 'Input tokens read from the cache.', 4000),
  kosten_eur: field(
    nullable(decimal()),
    'Cost in EUR; null when no call of the run has a known price.',
    '0.0312',
  ),
  kosten_usd: field(nullable(decimal()), 'The same in USD.', '0.0339'),
  unbepreist: field(sum(), 'Calls whose model has no known price; their cost is in no sum.', 0),
  verbranntes_geld_eur: field(decimal(), 'Cost in EUR of calls that achieved nothing.', '0'),
});

const tokens = (what: string) => field(nullable(count()), `${what} as it was sent; null when it was not.`);

export const Ereignis = component('Ereignis', 'An event as it was sent, with what counting added to it.', {
  ereignis_id: field(uuid(), 'Names the event.'),
  zeitpunkt: field(datetime(), 'When the call was made.'),
  empfangen_am: field(datetime(), 'When the event arrived.'),
  anbieter: field(nullable(text()), 'Provider of the model.', 'openai'),
  modell: field(nullable(text()), 'Name of the model.', 'gpt-4o-mini'),
  agent: field(text(), 'Key of the agent.', 'support/triage'),
  projekt: field(text(), 'The project it is counted for.', 'support'),
  lauf_id: field(nullable(uuid()), 'The run it belongs to.'),
  schritt_nr: field(nullable(count()), 'Number of the step within the run.'),
  eltern_span: field(nullable(uuid()), 'The event this call was made by.'),
  eingabe_token: tokens('Input tokens'),
  ausgabe_token: tokens('Output tokens'),
  cache_lese_token: tokens('Tokens read from the cache'),
  cache_schreib_token: tokens('Tokens written to the cache'),
  denk_token: tokens('Reasoning tokens'),
  werkzeugaufrufe: tokens('Calls of tools'),
  latenz_ms: field(nullable(count()), 'Time until the answer was complete, in milliseconds.'),
  erste_zeichen_ms: field(nullable(count()), 'Time until the first characters arrived, in milliseconds.'),
  status: field(text(), 'Outcome of the call.', 'erfolgreich'),
  fehlercode: field(nullable(text()), 'Error of the provider.'),
  geschaetzt: field(boolean(), 'Whether the token counts are estimates.'),
  prompt_fingerabdruck: field(nullable(text()), '64-bit SimHash of the prompt as 16 hex characters.'),
  werkzeug_fingerabdruck: field(nullable(text()), 'Fingerprint of the tool call as 16 hex characters.'),
  endkunde_ref: field(nullable(text()), 'Reference of the end customer.', 'kunde-4711'),
  funktion_ref: field(nullable(text()), 'Reference of the function of the product.'),
  benutzer_ref: field(nullable(text()), 'Reference of the user at the sender’s.'),
  quelle: field(text(), 'Where the event comes from.', 'ingest'),
  zusatz: field(nullable(record()), 'Whatever else was sent with it.'),
  kosten_usd: field(nullable(decimal()), 'Cost in USD; null when the price is not known.', '0.0047'),
  kosten_eur: field(nullable(decimal()), 'The same in EUR.', '0.0043'),
  kurs_usd_eur: field(nullable(decimal()), 'EUR for one USD at which the cost was converted.', '0.92'),
  preis_quelle: field(
    nullable(text()),
    'Price list, its version and the entry that priced the call; null when none did.',
  ),
});

const LaufMitEreignissen = component('LaufMitEreignissen', 'A run with its events.', {
  lauf: field(Lauf, 'The run.'),
  ereignisse: field(Type.Array(Ereignis), 'Its events in the order of their steps.'),
  gekuerzt: field(boolean(), 'True when the run has more events than the answer carries (the first 5,000).'),
});

const Laufliste = component('Laufliste', 'Runs, the latest first.', {
  laeufe: field(Type.Array(Lauf), 'The runs.'),
});

export const laeufeListe = operation({
  id: 'laeufe.liste',
  method: 'GET',
  path: '/v1/laeufe',
  summary: 'Die letzten Läufe.',
  description: 'The latest runs.',
  access: { kind: 'key', scope: 'Lesen' },
  query: Type.Object({ limit: limitQuery() }),
  response: Laufliste,
});

export const lauf = operation({
  id: 'laeufe.einer',
  method: 'GET',
  path: '/v1/laeufe/{lauf_id}',
  summary: 'Ein Lauf mit seinen Ereignissen.',
  description: 'One run with its events.',
  access: { kind: 'key', scope: 'Lesen' },
  params: Type.Object({ lauf_id: field(uuid(), 'The run.') }),
  response: LaufMitEreignissen,
});

export const cockpitLaeufe = operation({
  id: 'laeufe.cockpit_liste',
  method: 'GET',
  path: '/v1/cockpit/laeufe',
  summary: 'Die letzten Läufe, nach Agent, Status und Fehlern gefiltert.',
  description: 'The latest runs, for a signed-in user; by agent, status and whether calls failed.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    agent_id: Type.Optional(field(uuid(), 'Runs of this agent only.')),
    status: Type.Optional(field(text({ max: 60 }), 'Runs with this status only.', 'erfolgreich')),
    nur_fehler: preset(field(boolean(), 'Only runs with a call that failed.'), false),
    limit: limitQuery(),
  }),
  response: Laufliste,
});

export const cockpitLauf = operation({
  id: 'laeufe.cockpit_einer',
  method: 'GET',
  path: '/v1/cockpit/laeufe/{lauf_id}',
  summary: 'Ein Lauf mit seinen Schritten.',
  description: 'One run with its events, for a signed-in user.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  params: Type.Object({ lauf_id: field(uuid(), 'The run.') }),
  response: LaufMitEreignissen,
});
