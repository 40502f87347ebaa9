/** Detectors: what rules are about, looked for at once, and in past days. */
import {
  boolean,
  component,
  count,
  date,
  datetime,
  decimal,
  field,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  preset,
  Type,
  text,
  uuid,
} from '../kit/index.ts';
import { RegelAenderung, RegelEingabe } from './regeln.ts';

export const detektorenPruefen = operation({
  id: 'detektoren.pruefen',
  method: 'POST',
  path: '/v1/cockpit/detektoren/pruefen',
  summary:
    'Lässt die Detektoren sofort laufen, statt auf den Takt von fünf Minuten zu warten; für alle Mandanten.',
  description:
    'Runs the detectors over the calls of the last day of all Mandanten at once, instead of waiting for the cycle of five minutes, and answers counters only. What is found again is updated, never added. Requests at the same time share one run, and a run begins five seconds after the one before at the earliest. Where none has ended after a quarter of a minute (or no worker runs), `fertig` is false; the run then comes later.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 429: ['zu_viele_versuche'] },
  response: component('DetektorenPruefung', 'What a run of the detectors came to, in all.', {
    fertig: field(boolean(), 'Whether a run that began after the request has ended.'),
    mandanten: field(
      nullable(count()),
      'Mandanten with rules that were looked at; null until it has ended.',
      12,
    ),
    regeln: field(nullable(count()), 'Their rules; null as above.', 96),
    befunde: field(nullable(count()), 'What was found, for the first time or again; null as above.', 4),
    fehlgeschlagen: field(
      nullable(count()),
      'Types of rules that could not be looked at (the log says why); null as above.',
      0,
    ),
  }),
});

/** Days a rule may be held against. */
export const MAX_RUECKBLICK_TAGE = 90;
/** Stopped runs that are named. */
export const MAX_RUECKBLICK_LAEUFE = 20;

const tage = preset(
  field(
    integer({ min: 1, max: MAX_RUECKBLICK_TAGE }),
    'Local days to look back at; the last of them is today, as far as it has gone.',
  ),
  30,
);

export const RueckblickLauf = component('RueckblickLauf', 'A run that the rule would have stopped.', {
  lauf_id: field(uuid(), 'The run.'),
  agent: field(text(), 'Whose run it is.', 'support/triage'),
  gestoppt_am: field(datetime(), 'When it would have been stopped.'),
  aufrufe_danach: field(count(), 'Its calls that would not have been made.', 41),
  kosten_danach_eur: field(nullable(decimal()), 'What they cost; null where no price is known.', '3.21'),
  gut: field(boolean(), 'Whether it ended successfully, whatever was found of it.'),
});

export const RueckblickTag = component('RueckblickTag', 'What the rule would have found on a local day.', {
  tag: field(date(), 'The day.', '2026-11-20'),
  befunde: field(count(), 'How often it would have fired.', 2),
});

export const RueckblickErgebnis = component('RueckblickErgebnis', 'What the rule would have done.', {
  befunde: field(count(), 'How often it would have fired.', 12),
  tage: field(
    listOf(RueckblickTag, MAX_RUECKBLICK_TAGE),
    'The same for each of the days, in their order; those without are 0.',
  ),
  verbrannt_eur: field(
    nullable(decimal()),
    'What of it is proven to be burnt; null for nothing of the kind.',
  ),
  potential_eur: field(
    nullable(decimal()),
    'What could have been saved beyond, by the estimate of the detector; null for nothing of the kind.',
  ),
  stoppt: field(
    boolean(),
    'Whether the level of the rule stops anything (`anhalten`, `sperren`); if not, nothing below is more than 0.',
  ),
  laeufe_gestoppt: field(
    count(),
    'Runs with calls that would not have been made: stopped ones, and those of agents blocked meanwhile.',
    3,
  ),
  laeufe_gut: field(
    count(),
    'Those of them that ended successfully: runs that a person may have wanted to go on.',
    0,
  ),
  laeufe: field(
    listOf(RueckblickLauf, MAX_RUECKBLICK_LAEUFE),
    'Those of them that cost most afterwards, the dearest first.',
  ),
  aufrufe_gespart: field(count(), 'Calls that would not have been made, with and without a run.', 120),
  gespart_eur: field(decimal(), 'What these calls cost, as far as their prices are known.', '9.87'),
});

export const Rueckblick = component('Rueckblick', 'A rule held against past days.', {
  rueckblick_id: field(uuid(), 'Names it.'),
  status: field(
    oneOf('wartet', 'laeuft', 'fertig', 'fehlgeschlagen'),
    'Whether it waits for a worker, is under way, done, or could not be worked out (the log says why).',
  ),
  von: field(date(), 'First local day.', '2026-10-24'),
  bis: field(date(), 'Last local day.', '2026-11-22'),
  tage: field(count(), 'How many days that are.', 30),
  tage_fertig: field(count(), 'How many of them were looked at.', 12),
  laeuft_ab_am: field(datetime(), 'When it is removed.'),
  ergebnis: field(nullable(RueckblickErgebnis), 'What came of it; null until it is done.'),
});

const WHAT =
  'A run that fires is stopped with the call with which the rule came to hold; one that is blocked, or whose agent or scope is, until the rest period (an hour unless the agent has another) is over. Each finding blocks once. What is counted at the level `anhalten` or `sperren` is what would then not have been called. Agents with a level of their own (`standard_eingriffsstufe`) go no further than that; shadow mode is not considered. Of a day the latest 2,000 findings are looked at.';
const WAITS =
  'Answers after two seconds at the latest; what takes longer is asked for by `GET`. It is removed after an hour.';

export const regelRueckblick = operation({
  id: 'detektoren.rueckblick_regel',
  method: 'POST',
  path: '/v1/cockpit/regeln/{regel_id}/rueckblick',
  summary: 'Spielt vergangene Tage für eine Regel nach, auf Wunsch mit anderer Schwelle, ohne sie zu ändern.',
  description: `Holds a rule against past days, with another threshold, window or parameters where given; nothing is saved. ${WHAT} Rules about budgets cannot be held against past days (422). ${WAITS}`,
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 409: ['zu_viele_rueckblicke'], 429: ['zu_viele_versuche'] },
  params: Type.Object({ regel_id: field(uuid(), 'The rule.') }),
  body: component(
    'RegelRueckblick',
    'How to hold a rule against past days; a field left out or null is as the rule has it.',
    {
      tage,
      schwelle: RegelAenderung.properties.schwelle,
      zeitfenster: RegelAenderung.properties.zeitfenster,
      parameter: RegelAenderung.properties.parameter,
    },
  ),
  response: Rueckblick,
});

export const entwurfRueckblick = operation({
  id: 'detektoren.rueckblick_entwurf',
  method: 'POST',
  path: '/v1/cockpit/regeln/rueckblick',
  summary: 'Spielt vergangene Tage für eine Regel nach, die es noch nicht gibt.',
  description: `Holds a rule that does not exist yet against past days; nothing is saved. ${WHAT} Rules about budgets cannot be held against past days (422). ${WAITS}`,
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 409: ['zu_viele_rueckblicke'], 429: ['zu_viele_versuche'] },
  body: component('EntwurfRueckblick', 'The rule as it would be created, and how far to look back.', {
    ...RegelEingabe.properties,
    tage,
  }),
  response: Rueckblick,
});

const rueckblickId = Type.Object({ rueckblick_id: field(uuid(), 'What was asked for.') });

export const rueckblick = operation({
  id: 'detektoren.rueckblick',
  method: 'GET',
  path: '/v1/cockpit/regeln/rueckblick/{rueckblick_id}',
  summary: 'Wie weit ein Rückblick ist, und was er ergeben hat.',
  description: 'How far it has come, and what came of it.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: rueckblickId,
  response: Rueckblick,
});

export const rueckblickEntfernen = operation({
  id: 'detektoren.rueckblick_entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/regeln/rueckblick/{rueckblick_id}',
  summary: 'Bricht einen Rückblick ab.',
  description: 'Ends it, with the day it is at, and makes room for another; answers what it was.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: rueckblickId,
  response: Rueckblick,
});
