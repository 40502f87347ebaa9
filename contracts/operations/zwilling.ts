/** The twin: what a period would have cost with every rule in force and with the cheaper choices. */
import {
  boolean,
  component,
  count,
  datetime,
  decimal,
  field,
  listOf,
  localDatetime,
  nullable,
  oneOf,
  operation,
  preset,
  sum,
  Type,
  text,
  uuid,
} from '../kit/index.ts';
import { URSACHEN } from '../rule-types.ts';
import { BEFUNDTYPEN } from './befunde.ts';
import { ObjektArt } from './eingriffe.ts';
import { zeitraumQuery } from './verbrauch.ts';

/** Findings told of each cause, agents told; of the others how many, and what they come to. */
export const MAX_TOLD = 10;
export const MAX_AGENTS = 50;

const gespart = (meaning: string) => field(nullable(decimal()), meaning, '4.8');

const ZwillingBefund = component('ZwillingBefund', 'A finding, and what of a cause rests on it.', {
  befund_id: field(uuid(), 'The finding.'),
  typ: field(oneOf(...BEFUNDTYPEN), 'Its type.', 'schleife_exakt'),
  objekt_art: field(ObjektArt, 'What it is about.', 'lauf'),
  objekt: field(text(), 'Id of the run, key of the agent or project, reference, name; empty for all calls.'),
  agent: field(nullable(text()), 'Key of the agent, where it is about one.', 'support/triage'),
  aufrufe: field(sum(), 'Calls of the period that the cause has by this finding.', 12),
  gespart_eur: gespart('What these would have cost less; null when unknown.'),
});

const ZwillingUrsache = component('ZwillingUrsache', 'What would not have been spent for one reason.', {
  ursache: field(
    oneOf(...URSACHEN),
    '`wiederholungen`: exact repeats in a loop. `angehalten`: calls after a rule had stopped or blocked, in shadow mode would have. `fehlversuche`: failed calls of retry storms. `cache`: input paid in full that could have come from the cache. `modell`: small calls that an allowed smaller model would have done. A call belongs to the first of these that applies.',
  ),
  geprueft: field(
    boolean(),
    'Whether an active rule looks for it, or something was found; false: nothing is known.',
  ),
  gespart_eur: gespart('What would not have been spent in EUR; null when unknown.'),
  aufrufe: field(sum(), 'Calls it is about.', 40),
  unbekannt: field(sum(), 'Those among them of which it is not known: their saving is in no sum.', 0),
  befunde_anzahl: field(count(), 'How many findings it rests on.', 3),
  typen: field(listOf(oneOf(...BEFUNDTYPEN), BEFUNDTYPEN.length), 'Their types.', ['schleife_exakt']),
  befunde: field(listOf(ZwillingBefund, MAX_TOLD), 'Those that matter most.'),
});

const compared = {
  real_eur: field(
    nullable(decimal()),
    'What was spent, in EUR; null where no call has a known price.',
    '31.4',
  ),
  gespart_eur: gespart('What would not have been spent, the causes together; null when nothing is known.'),
  zwilling_eur: field(
    nullable(decimal()),
    'What it would have cost: `real_eur` without `gespart_eur`; null where one of them is unknown.',
    '26.6',
  ),
};

const ZwillingAgent = component('ZwillingAgent', 'An agent, and what it would have cost.', {
  agent_id: field(nullable(uuid()), 'The agent; null when there is none of this key (any more).'),
  schluessel: field(text(), 'Its key.', 'support/triage'),
  name: field(nullable(text()), 'Its name, where a person gave it one.'),
  ...compared,
});

export const zwilling = operation({
  id: 'zwilling.lesen',
  method: 'GET',
  path: '/v1/cockpit/zwilling',
  summary:
    'Was ein Zeitraum gekostet hat und was er mit scharfen Regeln und günstigeren Entscheidungen gekostet hätte.',
  description:
    'What a period cost and what it would have cost with all rules in force and with the cheaper choices, by cause and by agent. Every amount rests on findings; no call is saved twice.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({ zeitraum: preset(zeitraumQuery(), 'monat') }),
  response: component('Zwilling', 'A period beside its twin.', {
    zeitraum: field(text(), 'The period as it was asked for.', 'monat'),
    von: field(localDatetime(), 'Begin of the period, with the offset of the time zone.'),
    bis: field(localDatetime(), 'Its end, exclusive.'),
    zeitzone: field(text(), 'IANA name of the time zone of the Mandant.', 'Europe/Berlin'),
    ...compared,
    aufrufe: field(sum(), 'Calls of the period.', 1200),
    unbepreist: field(sum(), 'Those among them without a known price: their cost is in neither.', 0),
    ursachen: field(
      listOf(ZwillingUrsache, URSACHEN.length),
      'The causes, each once, in the order in which a call is given to one of them.',
    ),
    agenten: field(
      listOf(ZwillingAgent, MAX_AGENTS),
      'The agents, those that would have saved most first, then by cost.',
    ),
    agenten_rest: field(
      nullable(
        component('ZwillingRest', 'The agents that are not listed, together.', {
          agenten: field(count(), 'How many.', 7),
          ...compared,
        }),
      ),
      'The agents that are not listed; null when all are.',
    ),
    berechnet_am: field(
      nullable(datetime()),
      'When savings of the period were worked out last; null when never. What came since is in `real_eur` only.',
    ),
    gezaehlt_bis: field(datetime(), 'Everything received up to this instant is in `real_eur`.'),
  }),
});
