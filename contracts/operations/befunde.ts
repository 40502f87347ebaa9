/** Findings, and the incidents they make up. */
import {
  boolean,
  component,
  count,
  datetime,
  decimal,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  pageQuery,
  preset,
  record,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { REGELTYP_NAMEN } from '../rule-types.ts';
import { Eingriff, Eingriffsstufe, ObjektArt } from './eingriffe.ts';

/** Findings of a page unless another number is asked for; incidents, too. */
const FINDINGS = 50;
/** Interventions that one finding leads to, at most: one for each level. */
const MAX_INTERVENTIONS = 20;

/**
 * Types of findings: those of rules, calls that came although they should not have, and hard limits that have no room for calls that
 * ask before they are made.
 */
export const BEFUNDTYPEN = [...REGELTYP_NAMEN, 'eingriff_missachtet', 'grenze_ausgeschoepft'] as const;

/** `hinfaellig` is set by the service alone: what was found does not hold any more, since calls came late. */
export const Befundstatus = oneOf('offen', 'erledigt', 'ignoriert', 'hinfaellig');

export const Befund = component('Befund', 'A finding: a rule has fired, on what, with which figures.', {
  befund_id: field(uuid(), 'Names the finding.'),
  typ: field(
    oneOf(...BEFUNDTYPEN),
    'Type of the rule, or `eingriff_missachtet`, `grenze_ausgeschoepft`.',
    'schleife_exakt',
  ),
  regel_id: field(nullable(uuid()), 'The rule, which may be gone; null where none is behind it.'),
  titel: field(text(), 'A headline in German.', 'Schleife: support/triage – Halt angeordnet'),
  titel_en: field(text(), 'The same in English.'),
  text: field(text(), 'The cause in one German sentence, with its figures.'),
  text_en: field(text(), 'The same in English.'),
  objekt_art: field(ObjektArt, 'What it is about.', 'lauf'),
  objekt: field(text(), 'Id of the run, key of the agent or project, reference, name; empty for all calls.'),
  agent: field(nullable(text()), 'Key of the agent, where it is about one.', 'support/triage'),
  lauf_id: field(nullable(uuid()), 'The run, where it is about one.'),
  stufe: field(Eingriffsstufe, 'How far it goes; in shadow mode: how far it would.', 'anhalten'),
  schatten: field(boolean(), 'Found by a rule in shadow mode: nothing was done.'),
  status: field(Befundstatus, 'What became of it.', 'offen'),
  werte: field(record(), 'The figures behind it, by type (see the catalogue of rules).'),
  kosten_eur: field(nullable(decimal()), 'Cost of what it is about in EUR; null when unknown.', '6.2'),
  verbrannt_eur: field(
    nullable(decimal()),
    'The part of it that is burnt money: failed calls, exact repeats.',
    '4.8',
  ),
  potential_eur: field(
    nullable(decimal()),
    'What else could be saved, as an estimate; in no sum of burnt money.',
    '1.1',
  ),
  vorfall_id: field(uuid(), 'The incident it belongs to.'),
  fenster_beginn: field(datetime(), 'What the cause begins with.'),
  erkannt_am: field(datetime(), 'When it was found.'),
  geaendert_am: field(datetime(), 'When its figures changed last.'),
  alarm_am: field(nullable(datetime()), 'When an alarm told of it last; null when none did.'),
});

const Vermieden = component(
  'Vermieden',
  'What a stop kept from being spent: an estimate, by how far alike cases went that nobody stopped.',
  {
    eur: field(
      nullable(decimal()),
      'What `weitere` calls cost, each as much as those of the finding on average, in EUR; null when unknown.',
      '41.4',
    ),
    weitere: field(
      nullable(count()),
      'How many more calls the case in the middle made than this one; null when fewer than three cases are known.',
      414,
    ),
    faelle: field(count(), 'Alike cases: findings of the type about runs that nobody stopped.', 3),
  },
);

const BefundMitEingriffen = component('BefundMitEingriffen', 'A finding, and what was done about it.', {
  befund: field(Befund, 'The finding.'),
  eingriffe: field(listOf(Eingriff, MAX_INTERVENTIONS), 'The interventions it led to, latest first.'),
  vermieden: field(
    nullable(Vermieden),
    'What that kept from being spent; null where it stopped no run, or the stop was not obeyed, was lifted, or was a mistake.',
  ),
});

export const befundeListe = operation({
  id: 'befunde.liste',
  method: 'GET',
  path: '/v1/cockpit/befunde',
  summary: 'Die Befunde, die jüngsten zuerst.',
  description: 'The findings, latest first, page by page.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    status: Type.Optional(field(Befundstatus, 'Only those of this status.')),
    typ: Type.Optional(field(oneOf(...BEFUNDTYPEN), 'Only those of this type.')),
    agent_id: Type.Optional(field(uuid(), 'Only those about this agent and its runs.')),
    lauf_id: Type.Optional(field(uuid(), 'Only those about this run.')),
    vorfall_id: Type.Optional(field(uuid(), 'Only those of this incident.')),
    ...pageQuery(FINDINGS),
  }),
  response: component('Befundliste', 'Findings, latest first.', {
    befunde: field(rowsOf(Befund), 'The findings.'),
    weiter,
  }),
});

export const befund = operation({
  id: 'befunde.einer',
  method: 'GET',
  path: '/v1/cockpit/befunde/{befund_id}',
  summary: 'Ein Befund mit den Eingriffen, zu denen er führte.',
  description: 'One finding with the interventions it led to.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  params: Type.Object({ befund_id: field(uuid(), 'The finding.') }),
  response: BefundMitEingriffen,
});

export const befundStatus = operation({
  id: 'befunde.status_setzen',
  method: 'PUT',
  path: '/v1/cockpit/befunde/{befund_id}/status',
  summary: 'Setzt den Status eines Befunds.',
  description: 'Sets the status of a finding.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: Type.Object({ befund_id: field(uuid(), 'The finding.') }),
  query: Type.Object({
    status: preset(field(oneOf('offen', 'erledigt', 'ignoriert'), 'The status to set.'), 'erledigt'),
  }),
  response: Befund,
});

export const Vorfall = component('Vorfall', 'Findings of one object that came close to one another.', {
  vorfall_id: field(uuid(), 'Names the incident.'),
  objekt_art: field(ObjektArt, 'What it is about.', 'agent'),
  objekt: field(text(), 'Key of the agent or project, reference, name, id of the run; empty for all calls.'),
  status: field(oneOf('offen', 'geschlossen'), 'Whether somebody has closed it.'),
  titel: field(
    text(),
    'Headline of its weightiest finding, in German: what was acted on, then what went furthest, then the latest.',
  ),
  titel_en: field(text(), 'The same in English.'),
  befunde: field(count(), 'How many findings it holds.', 3),
  stufe: field(Eingriffsstufe, 'The highest level of them.', 'anhalten'),
  schatten: field(boolean(), 'All of them were found in shadow mode.'),
  verbrannt_eur: field(nullable(decimal()), 'Burnt money of its findings in EUR.', '4.8'),
  beginn: field(datetime(), 'When its first finding came.'),
  letzter_befund_am: field(datetime(), 'When a finding came or changed last.'),
  dauert_an: field(
    boolean(),
    'Whether it goes on: a finding of it came or changed within the last ten minutes, or what one of them has ordered is in force. Closed all the same, a finding that comes to twice as much is open again, in a new incident.',
    false,
  ),
  eingriffe_in_kraft: field(count(), 'Interventions of its findings that are in force.', 0),
  massnahme: field(nullable(text()), 'What was done, as it was closed.', 'geprüft'),
  geschlossen_am: field(nullable(datetime()), 'When it was closed.'),
  geschlossen_von: field(nullable(text()), 'Who closed it.'),
});

export const vorfaelleListe = operation({
  id: 'befunde.vorfaelle',
  method: 'GET',
  path: '/v1/cockpit/vorfaelle',
  summary: 'Die Vorfälle, die jüngsten oder die schwersten zuerst.',
  description: 'The incidents, latest or gravest first, page by page.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    status: Type.Optional(field(oneOf('offen', 'geschlossen'), 'Only those of this status.')),
    sortierung: preset(
      field(
        oneOf('neueste', 'schwere'),
        'The latest first, or the gravest: those of shadow mode alone last, then by level, by burnt money, and the latest.',
      ),
      'neueste',
    ),
    ...pageQuery(FINDINGS),
  }),
  response: component('Vorfallliste', 'Incidents in the order that was asked for.', {
    vorfaelle: field(rowsOf(Vorfall), 'The incidents.'),
    weiter,
  }),
});

export const vorfallSchliessen = operation({
  id: 'befunde.vorfall_schliessen',
  method: 'POST',
  path: '/v1/cockpit/vorfaelle/{vorfall_id}/schliessen',
  summary: 'Schließt einen Vorfall und vermerkt die Maßnahme.',
  description:
    'Closes an incident and records what was done; its open findings are done with it. What they have ordered stays in force: the answer says whether the incident goes on (`dauert_an`).',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 409: ['vorfall_geschlossen'] },
  params: Type.Object({ vorfall_id: field(uuid(), 'The incident.') }),
  query: Type.Object({
    massnahme: preset(field(text({ min: 1, max: 500 }), 'What was done.'), 'geprüft'),
  }),
  response: Vorfall,
});
