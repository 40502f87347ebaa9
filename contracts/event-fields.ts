/**
 * Every field of an event, described once. From here follow the schemas of requests and answers with the document, the
 * packed form in which events wait, the columns they are copied into and read from, the export's lists and the client's
 * type. Data only: the names need no library.
 *
 * The lengths are ours: texts that make up the keys of consumption must fit into one index entry.
 */

/**
 * What a field holds: a UUID; an instant in UTC to the microsecond; a whole number from 0 to 2^53 - 1; a text; 64 bits as 16
 * hex characters; yes or no; an object of the sender's own; an exact decimal number.
 */
/** A `sum` is whole and may be more than a `count`. */
export type FieldKind =
  | 'uuid'
  | 'instant'
  | 'count'
  | 'sum'
  | 'text'
  | 'fingerprint'
  | 'flag'
  | 'object'
  | 'decimal';

export interface EventField {
  kind: FieldKind;
  /** Texts: at most this many code points. */
  max?: number;
  /** False: it cannot be null. Of what a sender may send, null says "unknown", which is not the same as 0. */
  nullable?: false;
  /** What it is when it is left out; without this it is null. */
  default?: string | number | boolean;
  /** Given by the service where the sender gives none. */
  assigned?: true;
  /** An empty text says nothing, as null does. */
  emptyIsNothing?: true;
  /** What the counted event has where nothing was said. */
  otherwise?: string;
  /** For developers: the description in the document. */
  meaning: string;
  /** For people, German: the description in an export, where one sentence serves all lists that have such a column. */
  bedeutung: string;
}

/** What a sender may send; every field may be left out. */
export const SENT_FIELDS = {
  ereignis_id: {
    kind: 'uuid',
    assigned: true,
    meaning:
      'Names the event: of several with the same id only the first is counted. Assigned when left out.',
    bedeutung: 'Kennung des Ereignisses',
  },
  zeitpunkt: {
    kind: 'instant',
    assigned: true,
    meaning:
      'When the call was made, from 1970 on and at most 24 hours ahead; the time of receipt when left out.',
    bedeutung: 'wann es geschah',
  },
  anbieter: {
    kind: 'text',
    max: 60,
    meaning: 'Provider of the model.',
    bedeutung: 'Anbieter des Modells; im Verbrauch leer, wenn unbekannt',
  },
  modell: {
    kind: 'text',
    max: 200,
    meaning: 'Model, as its provider calls it.',
    bedeutung: 'Modell; im Verbrauch leer, wenn unbekannt',
  },
  agent: {
    kind: 'text',
    max: 120,
    emptyIsNothing: true,
    otherwise: 'unbekannt',
    meaning: 'Key of the agent that made the call; what stands before a slash is its project.',
    bedeutung: 'Schlüssel des Agenten',
  },
  lauf_id: { kind: 'uuid', meaning: 'The run the call belongs to.', bedeutung: 'Kennung des Laufs' },
  schritt_nr: {
    kind: 'count',
    meaning: 'Number of the step within the run.',
    bedeutung: 'Nummer des Schritts im Lauf',
  },
  eltern_span: {
    kind: 'uuid',
    meaning: 'The span that made the call.',
    bedeutung: 'Kennung des übergeordneten Schritts',
  },
  eingabe_token: {
    kind: 'count',
    meaning: 'Input tokens, as the provider counts them.',
    bedeutung: 'Eingabe-Token, wie der Anbieter sie zählt',
  },
  ausgabe_token: {
    kind: 'count',
    meaning: 'Output tokens, as the provider counts them.',
    bedeutung: 'Ausgabe-Token, wie der Anbieter sie zählt',
  },
  cache_lese_token: {
    kind: 'count',
    default: 0,
    meaning: 'Tokens read from the cache.',
    bedeutung: 'aus dem Cache gelesene Token',
  },
  cache_schreib_token: {
    kind: 'count',
    default: 0,
    meaning: 'Tokens written into the cache.',
    bedeutung: 'in den Cache geschriebene Token',
  },
  denk_token: {
    kind: 'count',
    default: 0,
    meaning: 'Tokens of reasoning.',
    bedeutung: 'Token des Nachdenkens',
  },
  werkzeugaufrufe: {
    kind: 'count',
    default: 0,
    meaning: 'Calls of tools that the model asked for.',
    bedeutung: 'Aufrufe von Werkzeugen',
  },
  latenz_ms: {
    kind: 'count',
    meaning: 'How long the call took, in milliseconds.',
    bedeutung: 'Dauer in Millisekunden',
  },
  erste_zeichen_ms: {
    kind: 'count',
    meaning: 'How long until the first characters of the answer came, in milliseconds.',
    bedeutung: 'Zeit bis zum ersten Zeichen in Millisekunden',
  },
  status: {
    kind: 'text',
    max: 60,
    nullable: false,
    default: 'erfolgreich',
    meaning:
      'How the call ended. `abgebrochen`: a person or a program wanted no more of the answer, which is no failure, and no burnt money; every other status but `erfolgreich` is a failure.',
    bedeutung: 'erfolgreich, abgebrochen (kein Fehler) oder was sonst gemeldet wurde; beim Lauf der letzte',
  },
  fehlercode: { kind: 'text', max: 500, meaning: 'Error code of a failed call.', bedeutung: 'Fehlercode' },
  geschaetzt: {
    kind: 'flag',
    nullable: false,
    default: false,
    meaning: 'Whether the tokens are estimates.',
    bedeutung: 'ob die Token geschätzt sind; im Verbrauch: Zahl solcher Aufrufe',
  },
  prompt_fingerabdruck: {
    kind: 'fingerprint',
    meaning: 'SimHash of the prompt.',
    bedeutung: 'Fingerabdruck des Prompts, hexadezimal',
  },
  werkzeug_fingerabdruck: {
    kind: 'fingerprint',
    meaning: 'Fingerprint of the tool calls.',
    bedeutung: 'Fingerabdruck der Werkzeuge, hexadezimal',
  },
  endkunde_ref: {
    kind: 'text',
    max: 120,
    emptyIsNothing: true,
    meaning: 'Reference of the end customer the call was made for.',
    bedeutung: 'Referenz des Endkunden; im Verbrauch leer, wenn es keinen gibt',
  },
  funktion_ref: {
    kind: 'text',
    max: 200,
    emptyIsNothing: true,
    meaning: 'Reference of the function the call was made for.',
    bedeutung: 'Referenz der Funktion',
  },
  benutzer_ref: {
    kind: 'text',
    max: 200,
    emptyIsNothing: true,
    meaning: 'Reference of the user the call was made for.',
    bedeutung: 'Referenz des Endbenutzers',
  },
  quelle: {
    kind: 'text',
    max: 60,
    nullable: false,
    default: 'ingest',
    meaning: 'Where the event comes from.',
    bedeutung: 'woher das Ereignis kam',
  },
  zusatz: {
    kind: 'object',
    meaning: 'Free data; some keys in it say how to count and what the price depends on.',
    bedeutung: 'freie Angaben des Senders',
  },
} as const satisfies Record<string, EventField>;

/** What counting adds, as answers show it. */
export const ADDED_FIELDS = {
  empfangen_am: {
    kind: 'instant',
    nullable: false,
    meaning: 'When the event was received.',
    bedeutung: 'wann es beim Dienst ankam',
  },
  schluessel_id: {
    kind: 'uuid',
    meaning: 'The API key the call came by; null for calls of before keys were noted.',
    bedeutung:
      'Kennung des API-Schlüssels; beim Ereignis der, mit dem es kam, leer, wo das noch nicht vermerkt wurde',
  },
  projekt: {
    kind: 'text',
    nullable: false,
    otherwise: 'standard',
    meaning: 'Key of the project the call is attributed to.',
    bedeutung: 'Schlüssel des Projekts',
  },
  kosten_usd: {
    kind: 'decimal',
    meaning: 'What the call cost in USD; null when no price is known.',
    bedeutung: 'Kosten in US-Dollar; leer, wenn kein Preis bekannt ist',
  },
  kosten_eur: {
    kind: 'decimal',
    meaning: 'What the call cost in EUR: `kosten_usd` times `kurs_usd_eur`, exactly.',
    bedeutung: 'Kosten in Euro, genau kosten_usd mal kurs_usd_eur; leer, wenn kein Preis bekannt ist',
  },
  kurs_usd_eur: {
    kind: 'decimal',
    nullable: false,
    meaning: 'EUR for one USD at which the cost is converted.',
    bedeutung: 'Euro für einen US-Dollar',
  },
  ersatzkurs: {
    kind: 'flag',
    nullable: false,
    meaning:
      'Whether `kurs_usd_eur` is the configured substitute; else it is a reference rate of the European Central Bank.',
    bedeutung:
      'ob kurs_usd_eur der eingestellte Ersatzkurs ist; sonst ist es ein Referenzkurs der Europäischen Zentralbank',
  },
  preis_quelle: {
    kind: 'text',
    meaning: 'Price list, its version and the entry that priced the call; null when none did.',
    bedeutung: 'Preisliste und Eintrag; leer, wenn kein Preis bekannt ist',
  },
  teilbepreist: {
    kind: 'flag',
    nullable: false,
    meaning:
      'Whether the cost is that of a part: the call used something that no known rate covers, such as an unknown tier, or one of its counts is unknown.',
    bedeutung:
      'ob die Kosten nur ein Teil sind, weil für etwas am Aufruf kein Preis oder keine Menge bekannt ist; in Summen: Zahl solcher Aufrufe',
  },
  wiederholung: {
    kind: 'flag',
    nullable: false,
    meaning: 'Whether the call is proven to be an exact repeat within a loop; its cost is burnt money then.',
    bedeutung:
      'ob der Aufruf als genaue Wiederholung in einer Schleife erwiesen ist; seine Kosten sind dann verbrannt',
  },
  eingabe_ohne_cache: {
    kind: 'count',
    meaning:
      'Input tokens without those read from or written to the cache, whichever way the provider counts; null when no counts were sent.',
    bedeutung:
      'Eingabe-Token ohne die aus dem Cache gelesenen und hineingeschriebenen, wie auch immer der Anbieter zählt',
  },
  ausgabe_gesamt: {
    kind: 'sum',
    meaning: 'Output tokens with those of reasoning, whichever way the provider counts; null as above.',
    bedeutung: 'Ausgabe-Token einschließlich Nachdenken, wie auch immer der Anbieter zählt',
  },
} as const satisfies Record<string, EventField>;

export type SentFields = typeof SENT_FIELDS;
export type SentName = keyof SentFields;
/** The names of the fields that may be sent and are of this kind. */
export type SentNameOf<Kind extends FieldKind> = {
  [Name in SentName]: SentFields[Name]['kind'] extends Kind ? Name : never;
}[SentName];

/** Fields that a counted event always has. */
export type NeverNull = { nullable: false } | { assigned: true } | { otherwise: string };

/** The names of one kind, in the order in which the fields are described. */
export const sentNames = <Kind extends FieldKind>(kind: Kind): SentNameOf<Kind>[] =>
  (Object.keys(SENT_FIELDS) as SentName[]).filter(
    (name): name is SentNameOf<Kind> => SENT_FIELDS[name].kind === kind,
  );

/** Whether a counted event may lack the field. */
export const mayBeNull = ({ nullable, assigned, otherwise }: EventField): boolean =>
  nullable !== false && !assigned && otherwise === undefined;

/** What a counted event has where nothing was said. */
export const standsForNothing = ({ default: preset, otherwise }: EventField) => preset ?? otherwise ?? null;
