/** Interventions: what is to be done about calls, by a rule or by hand. */
import {
  boolean,
  component,
  count,
  datetime,
  field,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  preset,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { OBJEKTARTEN, STUFEN } from '../rule-types.ts';
import { HarteGrenze, MAX_SCOPES } from './reservierungen.ts';

export const Eingriffsstufe = oneOf(...STUFEN);
export const ObjektArt = oneOf(...OBJEKTARTEN);

/**
 * Interventions in force that are named in one answer, of those that concern who asks; of more those about single runs are left out first,
 * the oldest before. The service itself knows all of them.
 */
export const MAX_IN_FORCE = 10_000;

const OBJEKT_ART =
  'What it is about: one run, the calls of an agent, a project, an end customer, a function or a model, or (`mandant`) all calls.';
const OBJEKT =
  'Id of the run, key of the agent or project, reference of the end customer or function, name of the model; empty for all calls.';

/** Why an intervention was lifted before its time. */
export const AUFHEBUNGSGRUENDE = [
  'hand',
  'budget',
  'regel_geaendert',
  'regel_aus',
  'regel_entfernt',
  'befund_hinfaellig',
  'befund_ignoriert',
] as const;

/** What may have become of an order. */
export const WIRKUNGEN = ['befolgt', 'missachtet', 'zu_spaet', 'unbekannt'] as const;

export const EingriffAktiv = component(
  'EingriffAktiv',
  'An intervention in force, so that programs that call models can obey at once.',
  {
    eingriff_id: field(uuid(), 'Names the intervention.'),
    stufe: field(
      Eingriffsstufe,
      'What to do: slow calls down (`drosseln`), make no further call of the run (`anhalten`; of an agent: of the runs that had begun), make none at all (`sperren`).',
      'anhalten',
    ),
    objekt_art: field(ObjektArt, OBJEKT_ART, 'lauf'),
    objekt: field(text(), OBJEKT, '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b'),
    agent: field(
      nullable(text()),
      'Key of the agent, where it is about one agent or a run of it.',
      'support/triage',
    ),
    grund: field(text(), 'Why, as a German sentence.'),
    grund_en: field(text(), 'The same in English.'),
    beginn: field(datetime(), 'Since when.'),
    bis: field(nullable(datetime()), 'Until when; null when it ends by hand only.'),
  },
);

export const Eingriff = component('Eingriff', 'An intervention, in force or over.', {
  eingriff_id: field(uuid(), 'Names the intervention.'),
  stufe: field(Eingriffsstufe, 'How far it goes.', 'sperren'),
  objekt_art: field(ObjektArt, OBJEKT_ART, 'agent'),
  objekt: field(text(), OBJEKT, 'support/triage'),
  agent: field(nullable(text()), 'Key of the agent, where there is one.', 'support/triage'),
  schatten: field(
    boolean(),
    'True when it was only noted, since its rule runs in shadow mode: nobody was kept from calling.',
  ),
  in_kraft: field(boolean(), 'Whether it holds at this moment.'),
  regel_id: field(nullable(uuid()), 'The rule behind it; null when a person intervened.'),
  befund_id: field(nullable(uuid()), 'The finding behind it; null when a person intervened.'),
  grund: field(text(), 'Why, as a German sentence.'),
  grund_en: field(text(), 'The same in English.'),
  veranlasst_von: field(nullable(text()), 'Who intervened by hand; null for a rule.'),
  beginn: field(datetime(), 'Since when.'),
  bis: field(nullable(datetime()), 'Until when; null when it ends by hand only.'),
  aufgehoben_am: field(nullable(datetime()), 'When it was lifted; null when it was not.'),
  aufgehoben_von: field(nullable(text()), 'Who lifted it; null when nobody did, or the service.'),
  aufgehoben_grund: field(
    nullable(oneOf(...AUFHEBUNGSGRUENDE)),
    'Why it was lifted: by `hand`, because the `budget` was raised or removed, because its rule was changed (`regel_geaendert`: scope, window or parameters, or to less strict), switched off or put in shadow mode (`regel_aus`), or removed (`regel_entfernt`), because its finding does not hold any more (`befund_hinfaellig`) or was ignored (`befund_ignoriert`). Null when it was not lifted, or that is not known.',
    'hand',
  ),
  gnade_bis: field(
    nullable(datetime()),
    'Of one that a rule had ordered and a person has lifted: until when the rule leaves its object alone at the latest. Where the cause goes on, the rule acts again then; on a run already once its calls, or their cost, are twice what they were.',
  ),
  missachtet: field(count(), 'Calls that came although it should have kept them from happening.', 0),
  befolgt: field(
    nullable(boolean()),
    'Whether it was obeyed so far; null where that is not known (`wirkung`), and where nothing is to be obeyed (shadow mode, levels below `anhalten`).',
  ),
  wirkung: field(
    nullable(oneOf(...WIRKUNGEN)),
    'What became of it: `befolgt` (handed to a key that sends calls it is about, of a run under way, and no call came then), `missachtet` (calls came all the same), `zu_spaet` (the run had made no call for five minutes when it was given), `unbekannt` (nobody whose calls it is about was handed it). Null where nothing is to be obeyed.',
    'unbekannt',
  ),
  abgerufen_am: field(
    nullable(datetime()),
    'When it was first handed to a key that sends calls it is about, in an answer to a batch or of `/v1/eingriffe/aktiv`.',
  ),
  letzter_aufruf_am: field(
    nullable(datetime()),
    'The latest call of the run or agent that it is about; null for other objects.',
  ),
});

export const eingriffeListe = operation({
  id: 'eingriffe.liste',
  method: 'GET',
  path: '/v1/cockpit/eingriffe',
  summary: 'Die Eingriffe der letzten Tage, die jüngsten zuerst; auf Wunsch, was in Kraft ist.',
  description:
    'The interventions that began in the last days, latest first, page by page; on request those in force, wider ones before those about single runs, of each the latest first.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    tage: preset(
      field(integer({ min: 1, max: 366 }), 'Only those that began in the latest days: this many.'),
      7,
    ),
    in_kraft: preset(field(boolean(), 'Only those in force at this moment, whenever they began.'), false),
    ...pageQuery(100),
  }),
  response: component('Eingriffsliste', 'Interventions, latest first.', {
    eingriffe: field(rowsOf(Eingriff), 'The interventions.'),
    weiter,
  }),
});

export const eingriffeAktiv = operation({
  id: 'eingriffe.aktiv',
  method: 'GET',
  path: '/v1/eingriffe/aktiv',
  summary: 'Was jetzt in Kraft ist; auf Wunsch erst, wenn es sich ändert.',
  description: `What is in force now, for programs that call models. With \`If-None-Match\` it answers 304 while nothing has changed; with \`warten\`, too, it waits that many seconds for a change before it does. Wider interventions come before those about single runs, of each the latest first; at most ${MAX_IN_FORCE} of them are named. Few may wait at a time: beyond that it answers at once.`,
  access: { kind: 'any-key' },
  confirmed: true,
  header: Type.Object({
    'if-none-match': Type.Optional(field(text({ max: 200 }), 'The `ETag` of the answer that is known.')),
  }),
  query: Type.Object({
    agent: Type.Optional(
      field(text({ max: 200 }), 'Only what can be about calls of this agent.', 'support/triage'),
    ),
    warten: preset(field(integer({ min: 0, max: 60 }), 'Seconds to wait for a change.'), 0),
  }),
  response: component('EingriffeAktiv', 'What is in force.', {
    eingriffe: field(
      listOf(EingriffAktiv, MAX_IN_FORCE),
      'The interventions, those about single runs last, of each the latest first.',
    ),
    harte_grenzen: field(
      listOf(HarteGrenze, MAX_SCOPES),
      'Calls that hard limits hold for: a program reserves before it makes one (`POST /v1/reservierungen`). None: nobody has to ask.',
    ),
    fingerabdruck_schluessel: field(
      text({ min: 64, max: 64 }),
      'Under which a sender makes the fingerprints of its calls (docs/fingerprints.md): 32 bytes, the same for all of this account.',
      '3f9a6c51d0e2b7840000000000000000c1b2a39485f6e7d80000000000000000',
    ),
  }),
});

export const eingriffAnlegen = operation({
  id: 'eingriffe.anlegen',
  method: 'POST',
  path: '/v1/cockpit/eingriffe',
  summary: 'Greift von Hand ein: hält einen Lauf an, drosselt oder sperrt einen Agenten.',
  description:
    'Intervenes by hand: stops a run, slows down or blocks the calls of an agent, until a time or until it is lifted.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 404: ['nicht_gefunden'] },
  body: component('EingriffEingabe', 'An intervention by hand: about an agent, or one of its runs.', {
    stufe: preset(field(oneOf('drosseln', 'anhalten', 'sperren'), 'What to do.', 'anhalten'), 'anhalten'),
    agent_id: field(optional(uuid()), 'The agent; left out where `lauf_id` is given.'),
    lauf_id: field(optional(uuid()), 'The run; it may be stopped only.'),
    bis: field(optional(datetime()), 'Until when; left out: until it is lifted, at most a year.'),
    grund: field(
      optional(text({ min: 1, max: 500 })),
      'Why, for colleagues and for the program that may not call.',
    ),
  }),
  status: 201,
  response: Eingriff,
});

export const eingriffAufheben = operation({
  id: 'eingriffe.aufheben',
  method: 'DELETE',
  path: '/v1/cockpit/eingriffe/{eingriff_id}',
  summary: 'Hebt einen Eingriff auf.',
  description:
    'Lifts an intervention; one that is over stays as it is. Where a rule had ordered it and its cause goes on, the rule acts again after a grace (`gnade_bis`).',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: Type.Object({ eingriff_id: field(uuid(), 'The intervention.') }),
  response: Eingriff,
});
