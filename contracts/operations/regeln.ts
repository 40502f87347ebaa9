/** Rules: what a Mandant wants to be told of, and what is to be done then. */
import {
  boolean,
  component,
  datetime,
  decimal,
  decimalInput,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  preset,
  record,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { GELTUNGSBEREICHE, OBJEKTARTEN, REGELTYP_NAMEN, STUFEN } from '../rule-types.ts';

const typ = () => oneOf(...REGELTYP_NAMEN);
const geltungsbereich = () => oneOf(...GELTUNGSBEREICHE);
const stufe = () => oneOf(...STUFEN);

const MEANING = {
  name: 'Name to show.',
  typ: 'What the rule looks at; `GET /v1/cockpit/regeln/typen` lists the types.',
  geltungsbereich: 'What the rule holds for: everything (`mandant`), or what `bezug_id` names.',
  bezug_id:
    'What it holds for: id or key of an agent or project, id or reference of an end customer, name of a function or model; none for `mandant`.',
  schwelle: 'Threshold, in `einheit`.',
  einheit: 'Unit of the threshold.',
  stufe: 'What is done when it fires: note it, tell, slow down, stop the run, block the agent.',
  zeitfenster:
    'Time window: a duration (`15m`, `24h`, `7d`), for some types also `stunde`, `tag`, `monat` of the calendar in the time zone of the Mandant.',
  schattenbetrieb: 'Shadow mode: findings are recorded and nothing else is done.',
  aktiv: 'Whether the rule is looked at.',
  parameter: 'Further numbers of the type, by name.',
};

export const Regel = component('Regel', 'A rule.', {
  regel_id: field(uuid(), 'Names the rule.'),
  name: field(text(), MEANING.name, 'Kostengrenze Support'),
  typ: field(typ(), MEANING.typ, 'kosten_grenze'),
  geltungsbereich: field(geltungsbereich(), MEANING.geltungsbereich),
  bezug_id: field(nullable(text()), 'What it holds for, as it was given; null for `mandant`.'),
  bezug: field(
    nullable(text()),
    'The key of the agent or project, the reference or the name that is meant; null for `mandant`.',
    'support/triage',
  ),
  schwelle: field(nullable(decimal()), `${MEANING.schwelle} Null where the type has none.`, '50'),
  einheit: field(nullable(text()), `${MEANING.einheit} Null where the type has no threshold.`, 'eur'),
  stufe: field(stufe(), MEANING.stufe, 'warnen'),
  zeitfenster: field(nullable(text()), `${MEANING.zeitfenster} Null where the type has none.`, 'tag'),
  schattenbetrieb: field(boolean(), MEANING.schattenbetrieb),
  aktiv: field(boolean(), MEANING.aktiv),
  parameter: field(record(), `${MEANING.parameter} Complete.`, {}),
  erstellt_am: field(datetime(), 'When it was created.'),
  geaendert_am: field(datetime(), 'When it was last changed.'),
});

export const RegelEingabe = component(
  'RegelEingabe',
  'A rule to create. A field left out has the default of its type.',
  {
    name: field(
      optional(text({ min: 1, max: 120 })),
      'Name to show; made of the type and what it holds for when left out.',
    ),
    typ: field(typ(), MEANING.typ, 'kosten_grenze'),
    geltungsbereich: preset(field(geltungsbereich(), MEANING.geltungsbereich), 'mandant'),
    bezug_id: field(optional(text({ min: 1, max: 512 })), MEANING.bezug_id, 'support/triage'),
    schwelle: field(
      optional(decimalInput()),
      'Threshold, in `einheit`; the default of the type is meant in its first unit.',
      '50',
    ),
    einheit: field(optional(text({ max: 40 })), MEANING.einheit, 'eur'),
    stufe: preset(field(stufe(), `${MEANING.stufe} Each type says how far it may go.`), 'warnen'),
    zeitfenster: field(optional(text({ max: 40 })), MEANING.zeitfenster, 'tag'),
    schattenbetrieb: preset(field(boolean(), MEANING.schattenbetrieb), true),
    aktiv: preset(field(boolean(), MEANING.aktiv), true),
    parameter: Type.Optional(
      field(
        record(),
        `${MEANING.parameter} A parameter left out has its default; unknown names are refused.`,
      ),
    ),
  },
);

export const RegelAenderung = component(
  'RegelAenderung',
  'What to change; a field left out or null stays. With another type, what is not given has the default of that type; with another `geltungsbereich`, `bezug_id` must be given (but for `mandant`).',
  {
    name: field(optional(text({ min: 1, max: 120 })), MEANING.name),
    typ: field(optional(typ()), MEANING.typ),
    geltungsbereich: field(optional(geltungsbereich()), MEANING.geltungsbereich),
    bezug_id: field(optional(text({ min: 1, max: 512 })), MEANING.bezug_id),
    schwelle: field(optional(decimalInput()), `${MEANING.schwelle} To be given with another unit.`, '75'),
    einheit: field(optional(text({ max: 40 })), MEANING.einheit),
    stufe: field(optional(stufe()), MEANING.stufe),
    zeitfenster: field(optional(text({ max: 40 })), MEANING.zeitfenster),
    schattenbetrieb: field(optional(boolean()), MEANING.schattenbetrieb, false),
    aktiv: field(optional(boolean()), MEANING.aktiv),
    parameter: field(
      optional(record()),
      `${MEANING.parameter} Given, they replace all of them: a parameter left out has its default.`,
    ),
  },
);

const bound = (what: string) => field(nullable(decimal()), `${what} value; null where there is none.`);

export const Regelparameter = component('Regelparameter', 'A parameter of a type of rules.', {
  name: field(text(), 'Its name in `parameter`.', 'mindest_aufrufe'),
  bedeutung: field(text(), 'What it means.', 'Fewer calls are not judged.'),
  art: field(oneOf('ganzzahl', 'dezimal', 'wort', 'woerter', 'zahlen'), 'What its value is.', 'ganzzahl'),
  pflicht: field(boolean(), 'Whether it must be given.'),
  vorgabe: field(Type.Unknown(), 'Its default; null where it must be given.'),
  min: bound('Lowest'),
  max: bound('Highest'),
  werte: field(nullable(listOf(text(), 20)), 'The words it may be; null where it is not one of a few.'),
});

export const RegeltypSchwelle = component('RegeltypSchwelle', 'The threshold of a type of rules.', {
  einheiten: field(listOf(text(), 10), 'Units it may be in, the first unless the rule says otherwise.'),
  vorgabe: field(nullable(decimal()), 'Its default in the first unit; null where it must be given.', '5'),
  min: field(decimal(), 'Lowest value.'),
  max: field(decimal(), 'Highest value.'),
});

export const RegeltypZeitfenster = component('RegeltypZeitfenster', 'The time window of a type of rules.', {
  vorgabe: field(text(), 'Its default.', '15m'),
  kalender: field(boolean(), 'Whether `stunde`, `tag` and `monat` are possible besides durations.'),
});

export const RegeltypAuskunft = component('Regeltyp', 'A type of rules, and what of it may be set.', {
  typ: field(typ(), 'Its name in `typ`.'),
  name: field(text(), 'What it is called in German; the name of a rule that was given none.', 'Kostengrenze'),
  bedeutung: field(text(), 'When it fires.'),
  objekt: field(
    oneOf('bereich', ...OBJEKTARTEN),
    'What its findings are about; `bereich`: whatever the rule holds for.',
  ),
  schwelle: field(nullable(RegeltypSchwelle), 'Its threshold; null where it has none.'),
  zeitfenster: field(nullable(RegeltypZeitfenster), 'Its time window; null where it has none.'),
  parameter: field(listOf(Regelparameter, 20), 'Its further numbers.'),
  bereiche: field(listOf(geltungsbereich(), 10), 'What it may hold for.'),
  hoechstens: field(stufe(), 'How far it may go at most.'),
});

const regelId = field(uuid(), 'The rule.');

export const regeln = operation({
  id: 'regeln.liste',
  method: 'GET',
  path: '/v1/cockpit/regeln',
  summary: 'Die Regeln, in der Reihenfolge, in der sie angelegt wurden.',
  description: 'The rules in the order in which they were created, page by page.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object(pageQuery()),
  response: component('Regelliste', 'The rules of the Mandant.', {
    regeln: field(rowsOf(Regel), 'The rules.'),
    weiter,
  }),
});

export const regeltypen = operation({
  id: 'regeln.typen',
  method: 'GET',
  path: '/v1/cockpit/regeln/typen',
  summary: 'Die Typen von Regeln und was sich an ihnen einstellen lässt.',
  description: 'The types of rules, and what of each may be set: thresholds, windows, parameters, scopes.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  response: component('Regeltypen', 'The types of rules.', {
    typen: field(listOf(RegeltypAuskunft, 100), 'The types.'),
    stufen: field(listOf(stufe(), 10), 'The levels, rising.'),
  }),
});

/** The limits of money that a Mandant begins with: cost of a run, of an agent in an hour, of everything in a day. */
export const GRENZEN = ['lauf', 'agent_stunde', 'tag'] as const;

const Geldgrenze = component('Geldgrenze', 'A limit of money, which is a rule.', {
  grenze: field(
    oneOf(...GRENZEN),
    'Cost of one run, of each agent in an hour, of all calls in a day.',
    'lauf',
  ),
  vorschlag_eur: field(decimal(), 'What is proposed, in EUR; in force from the registration on.', '20'),
  betrag_eur: field(nullable(decimal()), 'What holds, in EUR; null where it is switched off.', '20'),
  stufe: field(stufe(), 'What is done beyond it.', 'anhalten'),
  regel_id: field(nullable(uuid()), 'The rule; null where there is none yet.'),
});

const Geldgrenzen = component('Geldgrenzen', 'The limits of money of the Mandant.', {
  grenzen: field(listOf(Geldgrenze, GRENZEN.length), 'The limits.'),
  bestaetigt_am: field(
    nullable(datetime()),
    'When somebody confirmed, changed or switched them off; null while nobody has.',
  ),
});

export const geldgrenzen = operation({
  id: 'regeln.geldgrenzen',
  method: 'GET',
  path: '/v1/cockpit/regeln/geldgrenzen',
  summary: 'Die Geldgrenzen, mit denen ein Mandant beginnt, und was gilt.',
  description: 'The limits of money that a Mandant begins with: what is proposed, and what holds.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  response: Geldgrenzen,
});

const grenzbetrag = (meaning: string, example: string) =>
  field(
    optional(decimalInput({ min: '0', max: '1000000000' })),
    `${meaning} Null switches it off, left out it stays.`,
    example,
  );

export const geldgrenzenSetzen = operation({
  id: 'regeln.geldgrenzen_setzen',
  method: 'PUT',
  path: '/v1/cockpit/regeln/geldgrenzen',
  summary: 'Bestätigt, ändert oder schaltet Geldgrenzen aus.',
  description:
    'Confirms the limits of money, changes them or switches them off. Each is changed as a rule; what each does beyond it stays as it is.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 409: ['zu_viele_regeln'] },
  body: component('GeldgrenzenEingabe', 'Limits of money in EUR.', {
    lauf_eur: grenzbetrag('What one run may cost.', '20'),
    agent_stunde_eur: grenzbetrag('What one agent may cost in an hour.', '10'),
    tag_eur: grenzbetrag('What all calls may cost in a day.', '100'),
  }),
  response: Geldgrenzen,
});

export const regelAnlegen = operation({
  id: 'regeln.anlegen',
  method: 'POST',
  path: '/v1/cockpit/regeln',
  summary: 'Legt eine Regel an, im Schattenbetrieb, wenn nichts anderes gesagt ist.',
  description: 'Creates a rule, in shadow mode unless told otherwise. It holds at once.',
  access: { kind: 'session', right: 'schutz.aendern' },
  refuses: { 409: ['zu_viele_regeln'] },
  body: RegelEingabe,
  status: 201,
  response: Regel,
});

export const regelAendern = operation({
  id: 'regeln.aendern',
  method: 'PUT',
  path: '/v1/cockpit/regeln/{regel_id}',
  summary: 'Ändert eine Regel; was fehlt oder null ist, bleibt.',
  description: 'Changes a rule; a field left out or null stays. It holds at once.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: Type.Object({ regel_id: regelId }),
  body: RegelAenderung,
  response: Regel,
});

export const regelEntfernen = operation({
  id: 'regeln.entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/regeln/{regel_id}',
  summary: 'Entfernt eine Regel; was sie gefunden hat, bleibt.',
  description: 'Removes a rule and answers what it was; what it has found stays.',
  access: { kind: 'session', right: 'schutz.aendern' },
  params: Type.Object({ regel_id: regelId }),
  response: Regel,
});
