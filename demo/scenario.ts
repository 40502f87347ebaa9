/** Who exists in the demo: an invented software house, its agents, the models they call and the companies they work for. */

export const FIRMA = 'Nordlicht Software GmbH';
export const EMAIL = 'demo@zaehlwerk.example';

export interface Model {
  anbieter: string;
  modell: string;
  /** Median time to the first token, milliseconds. */
  firstTokenMs: number;
  tokensPerSecond: number;
  /** Median of the reasoning tokens of a call; 0: the model does not reason. */
  thinking: number;
  /** `written`: cache writes are counted and billed (Anthropic); `automatic`: hits are part of the input. */
  cache: 'automatic' | 'written' | 'none';
}

const model = (
  anbieter: string,
  modell: string,
  speed: readonly [firstTokenMs: number, tokensPerSecond: number],
  cache: Model['cache'],
  thinking = 0,
): Model => ({ anbieter, modell, firstTokenMs: speed[0], tokensPerSecond: speed[1], thinking, cache });

const GPT = model('openai', 'gpt-5.4', [900, 75], 'automatic', 520);
const GPT_MINI = model('openai', 'gpt-5.4-mini', [480, 140], 'automatic', 90);
const GPT_4O = model('openai', 'gpt-4o', [520, 95], 'automatic');
const O4_MINI = model('openai', 'o4-mini', [1_400, 120], 'automatic', 1_900);
export const SONNET = model('anthropic', 'claude-sonnet-4-6', [1_100, 65], 'written');
const OPUS = model('anthropic', 'claude-opus-4-7', [1_600, 48], 'written', 340);
const HAIKU = model('anthropic', 'claude-haiku-4-5-20251001', [450, 150], 'written');
const GEMINI_FLASH = model('google', 'gemini-2.5-flash', [420, 190], 'automatic', 240);
const GEMINI_LITE = model('google', 'gemini-2.5-flash-lite', [280, 260], 'automatic');
const MISTRAL_LARGE = model('mistral', 'mistral-large-latest', [620, 60], 'none');
const MISTRAL_MEDIUM = model('mistral', 'mistral-medium-latest', [520, 85], 'none');
const MISTRAL_SMALL = model('mistral', 'mistral-small-latest', [310, 150], 'none');
const LLAMA = model('groq', 'llama-3.1-8b-instant', [90, 620], 'none');
const GPT_OSS = model('groq', 'openai/gpt-oss-120b', [160, 430], 'none', 130);
/** Runs on a machine of the company's own; no price list knows it. */
const OWN = model('eigenbetrieb', 'nordlicht-support-7b', [240, 70], 'none');

export interface Agent {
  /** The part before the slash is its project. */
  key: string;
  /** Runs on a workday. */
  runs: number;
  models: readonly (readonly [weight: number, model: Model])[];
  /** Fewest and most steps of a run. */
  steps: readonly [number, number];
  /** Medians in tokens: what every run begins with, what the task adds, what each step adds besides its answer, the answer. */
  tokens: { prompt: number; task: number; growth: number; answer: number };
  /** Median pause between two steps, seconds. */
  pause: number;
  tools: readonly string[];
  functions: readonly string[];
  /** Share of the runs that are done for an end customer. */
  forCustomers: number;
  users: readonly string[];
  /** Whether answers are streamed, so that the time to the first characters is known. */
  streams: boolean;
}

const SUPPORT = ['j.petersen', 'm.yilmaz', 'a.schroeder', 'l.brandt'];
const SALES = ['k.wegner', 's.aydin', 't.lorenzen'];
const DEVELOPERS = ['f.hinrichs', 'n.kowalski', 'c.degenhardt', 'r.omar', 'p.voss'];
const ACCOUNTING = ['b.thomsen', 'i.reimers'];

export const MAIL_SORTER: Agent = {
  key: 'kundendienst/mail-sortierer',
  runs: 2_300,
  models: [
    [6, GEMINI_LITE],
    [4, LLAMA],
  ],
  steps: [1, 1],
  tokens: { prompt: 620, task: 260, growth: 0, answer: 24 },
  pause: 0,
  tools: [],
  functions: ['mail-einordnen', 'dringlichkeit'],
  forCustomers: 0.96,
  users: [],
  streams: false,
};

export const KNOWLEDGE: Agent = {
  key: 'kundendienst/wissens-suche',
  runs: 480,
  models: [
    [7, MISTRAL_SMALL],
    [2, GPT_OSS],
    [1, OWN],
  ],
  steps: [1, 4],
  tokens: { prompt: 850, task: 140, growth: 700, answer: 190 },
  pause: 3,
  tools: ['handbuch-suche', 'ticket-suche'],
  functions: ['frage-beantworten', 'artikel-vorschlagen'],
  forCustomers: 0.8,
  users: SUPPORT,
  streams: true,
};

const REPLY_BOT: Agent = {
  key: 'kundendienst/antwort-bot',
  runs: 430,
  models: [
    [8, GPT_MINI],
    [2, HAIKU],
  ],
  steps: [2, 8],
  tokens: { prompt: 2_300, task: 350, growth: 480, answer: 260 },
  pause: 6,
  tools: ['kunde-nachschlagen', 'auftrag-lesen', 'handbuch-suche', 'ticket-anlegen'],
  functions: ['antwort-entwurf', 'rueckfrage', 'eskalation'],
  forCustomers: 1,
  users: SUPPORT,
  streams: true,
};

const QUOTES: Agent = {
  key: 'vertrieb/angebots-agent',
  runs: 42,
  models: [[1, SONNET]],
  steps: [5, 16],
  tokens: { prompt: 4_200, task: 1_300, growth: 900, answer: 520 },
  pause: 4,
  tools: ['crm-suche', 'preisliste-lesen', 'vorlage-fuellen', 'rabatt-pruefen'],
  functions: ['angebot-schreiben', 'angebot-nachfassen'],
  forCustomers: 1,
  users: SALES,
  streams: true,
};

/** A large model for one-word answers: the kind of thing that a look at the figures brings to light. */
const LEADS: Agent = {
  key: 'vertrieb/lead-bewertung',
  runs: 420,
  models: [[1, GPT_4O]],
  steps: [1, 1],
  tokens: { prompt: 780, task: 330, growth: 0, answer: 18 },
  pause: 0,
  tools: [],
  functions: ['lead-bewerten'],
  forCustomers: 0,
  users: [],
  streams: false,
};

const APPOINTMENTS: Agent = {
  key: 'vertrieb/termin-assistent',
  runs: 110,
  models: [
    [3, MISTRAL_MEDIUM],
    [2, MISTRAL_SMALL],
  ],
  steps: [2, 6],
  tokens: { prompt: 1_100, task: 200, growth: 260, answer: 120 },
  pause: 8,
  tools: ['kalender-lesen', 'termin-anlegen', 'mail-senden'],
  functions: ['termin-finden', 'termin-verschieben'],
  forCustomers: 0.7,
  users: SALES,
  streams: false,
};

const CODE_REVIEW: Agent = {
  key: 'entwicklung/code-review',
  runs: 62,
  models: [
    [6, SONNET],
    [1, OPUS],
  ],
  steps: [6, 25],
  tokens: { prompt: 6_500, task: 4_800, growth: 1_500, answer: 480 },
  pause: 5,
  tools: ['datei-lesen', 'suchen', 'diff-lesen', 'kommentar-schreiben'],
  functions: ['merge-request', 'sicherheitspruefung'],
  forCustomers: 0.8,
  users: DEVELOPERS,
  streams: true,
};

export const TEST_WRITER: Agent = {
  key: 'entwicklung/test-schreiber',
  runs: 30,
  models: [
    [3, GPT],
    [1, O4_MINI],
  ],
  steps: [5, 24],
  tokens: { prompt: 3_900, task: 3_100, growth: 1_100, answer: 640 },
  pause: 14,
  tools: ['datei-lesen', 'datei-schreiben', 'tests-ausfuehren'],
  functions: ['tests-ergaenzen', 'ci-nachtlauf'],
  forCustomers: 0.65,
  users: DEVELOPERS,
  streams: true,
};

const RECEIPTS: Agent = {
  key: 'buchhaltung/beleg-leser',
  runs: 380,
  models: [[1, GEMINI_FLASH]],
  steps: [1, 3],
  tokens: { prompt: 700, task: 1_500, growth: 350, answer: 310 },
  pause: 1,
  tools: ['lieferant-suchen', 'konto-vorschlagen'],
  functions: ['eingangsrechnung', 'reisekosten', 'quittung'],
  forCustomers: 0.3,
  users: ACCOUNTING,
  streams: false,
};

const REMINDERS: Agent = {
  key: 'buchhaltung/mahnwesen',
  runs: 60,
  models: [[1, MISTRAL_LARGE]],
  steps: [2, 5],
  tokens: { prompt: 1_300, task: 420, growth: 300, answer: 240 },
  pause: 3,
  tools: ['offene-posten', 'zahlung-suchen', 'brief-schreiben'],
  functions: ['zahlungserinnerung', 'mahnung'],
  forCustomers: 0.9,
  users: ACCOUNTING,
  streams: false,
};

export const AGENTS: readonly Agent[] = [
  MAIL_SORTER,
  KNOWLEDGE,
  REPLY_BOT,
  QUOTES,
  LEADS,
  APPOINTMENTS,
  CODE_REVIEW,
  TEST_WRITER,
  RECEIPTS,
  REMINDERS,
];

/** End customers by how much of the work is theirs. All invented. */
export const CUSTOMERS: readonly (readonly [weight: number, reference: string])[] = [
  [22, 'Hansen Logistik GmbH'],
  [16, 'Alsterblick Immobilien AG'],
  [14, 'Kröger Maschinenbau GmbH & Co. KG'],
  [11, 'Stadtwerke Brunsbek'],
  [9, 'Möller & Söhne Feinkost'],
  [8, 'Weserland Versicherungsmakler'],
  [7, 'Praxisverbund Elbmarsch'],
  [6, 'Bergfried Outdoor GmbH'],
  [4, 'Tischlerei Ahrens'],
  [3, 'Fjordblau Reisen GmbH'],
];

/** Cost centre, address for statements and markup in percent of an end customer; one has no address, as it happens. */
export const BILLING: Readonly<
  Record<string, { kostenstelle: string; email?: string; aufschlag: string } | undefined>
> = {
  'Hansen Logistik GmbH': { kostenstelle: '4100', email: 'buchhaltung@hansen.example', aufschlag: '15' },
  'Alsterblick Immobilien AG': {
    kostenstelle: '4100',
    email: 'rechnung@alsterblick.example',
    aufschlag: '15',
  },
  'Kröger Maschinenbau GmbH & Co. KG': {
    kostenstelle: '4200',
    email: 'kreditoren@kroeger.example',
    aufschlag: '12,5',
  },
  'Stadtwerke Brunsbek': { kostenstelle: '4300', email: 'rechnungseingang@brunsbek.example', aufschlag: '8' },
  'Möller & Söhne Feinkost': { kostenstelle: '4200', email: 'post@moeller.example', aufschlag: '20' },
  'Weserland Versicherungsmakler': {
    kostenstelle: '4300',
    email: 'verwaltung@weserland.example',
    aufschlag: '15',
  },
  'Praxisverbund Elbmarsch': { kostenstelle: '4300', email: 'praxis@elbmarsch.example', aufschlag: '10' },
  'Bergfried Outdoor GmbH': { kostenstelle: '4200', email: 'finanzen@bergfried.example', aufschlag: '20' },
  'Tischlerei Ahrens': { kostenstelle: '4200', aufschlag: '25' },
  'Fjordblau Reisen GmbH': { kostenstelle: '4100', email: 'buero@fjordblau.example', aufschlag: '15' },
};

/** How each provider names being asked too often, being overloaded and being broken. */
export const ERROR_CODES: Readonly<Record<string, { limit: string; overloaded: string; broken: string }>> = {
  openai: { limit: 'rate_limit_exceeded', overloaded: 'server_overloaded', broken: 'server_error' },
  anthropic: { limit: 'rate_limit_error', overloaded: 'overloaded_error', broken: 'api_error' },
  google: { limit: 'RESOURCE_EXHAUSTED', overloaded: 'UNAVAILABLE', broken: 'INTERNAL' },
  mistral: { limit: 'http_429', overloaded: 'http_503', broken: 'http_500' },
  groq: { limit: 'rate_limit_exceeded', overloaded: 'over_capacity', broken: 'internal_server_error' },
  eigenbetrieb: { limit: 'http_429', overloaded: 'http_503', broken: 'http_502' },
};
