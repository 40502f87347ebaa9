/**
 * The catalogue of rules: what each type looks at, when it fires, and what of it a Mandant may set. Every number is a field of the
 * rule (`schwelle`, `zeitfenster`, `parameter`); what stands here are its defaults. Form, check, description and cockpit follow
 * from this list.
 */
import {
  decimalInput,
  field,
  integer,
  listOf,
  oneOf,
  preset,
  type TPreset,
  Type,
  text,
} from './kit/index.ts';

/** What an intervention does, rising: note it, tell, slow down, stop the run, block the agent. */
export const STUFEN = ['beobachten', 'warnen', 'drosseln', 'anhalten', 'sperren'] as const;
export type Stufe = (typeof STUFEN)[number];

/** What a rule holds for: everything, or what `bezug_id` names. */
export const GELTUNGSBEREICHE = ['mandant', 'projekt', 'agent', 'endkunde', 'funktion', 'modell'] as const;
export type Geltungsbereich = (typeof GELTUNGSBEREICHE)[number];

/** What a finding is about. */
export const OBJEKTARTEN = ['lauf', ...GELTUNGSBEREICHE] as const;
export type Objektart = (typeof OBJEKTARTEN)[number];

interface Schwelle {
  /** The units it may be in; the first unless the rule says otherwise. */
  einheiten: readonly [string, ...string[]];
  /** Null: must be given. */
  default: string | null;
  /** Inclusive bounds. */
  min: string;
  max: string;
}

interface Zeitfenster {
  default: string;
  /** Besides durations (`15m`, `24h`, `7d`): `stunde`, `tag`, `monat`, the calendar's, in the time zone of the Mandant. */
  kalender: boolean;
}

interface RuleType {
  /** When it fires; Markdown. */
  meaning: string;
  /** What its findings are about; `bereich`: whatever the rule holds for. */
  objekt: Objektart | 'bereich';
  schwelle: Schwelle | null;
  zeitfenster: Zeitfenster | null;
  parameter: Type.TObject;
  /** How far it may go at most. */
  hoechstens: Stufe;
  /** What it may hold for. */
  bereiche: readonly Geltungsbereich[];
}

const NONE = Type.Object({});
const percent = () => integer({ min: 1, max: 100 });
const number = (min: number, max: number) => integer({ min, max });
const p = <T extends Type.TSchema>(schema: T, meaning: string, value: NoInfer<Type.Static<T>>): TPreset<T> =>
  preset(field(schema, meaning), value);

const steps = (value: number): Schwelle => ({
  einheiten: ['schritte'],
  default: String(value),
  min: '2',
  max: '1000',
});
const share = (value: number): Schwelle => ({
  einheiten: ['prozent'],
  default: String(value),
  min: '1',
  max: '100',
});
const of = (einheit: string, value: number | null, min = 1, max = 1e12): Schwelle => ({
  einheiten: [einheit],
  default: value === null ? null : String(value),
  min: String(min),
  max: String(max),
});
const during = (value: string): Zeitfenster => ({ default: value, kalender: false });

/** Of runs and agents: where there is an agent to act on. */
const CALLING = ['mandant', 'projekt', 'agent', 'endkunde'] as const;
const BUDGETED = ['mandant', 'projekt', 'agent'] as const;
const models = (meaning: string) => field(listOf(text({ min: 1, max: 200 }), 200), meaning);

export const REGELTYPEN = {
  schleife_exakt: {
    meaning:
      'At least `schwelle` consecutive steps of a run have the same prompt, the same tools and the same model. The cost of the repeats from the third on is burnt money.',
    objekt: 'lauf',
    schwelle: steps(5),
    zeitfenster: null,
    parameter: NONE,
    hoechstens: 'sperren',
    bereiche: CALLING,
  },
  schleife_nah: {
    meaning:
      'At least `schwelle` of the last steps of a run resemble the latest one: prompts at most `abstand` bits apart, about as much input, the same tools.',
    objekt: 'lauf',
    schwelle: { ...steps(5), max: '20' },
    zeitfenster: null,
    parameter: Type.Object({
      schritte: p(number(2, 20), 'How many of the last steps are looked at.', 20),
      abstand: p(number(0, 16), 'Bits in which the fingerprints of two prompts may differ.', 3),
      eingabe_prozent: p(
        number(0, 100),
        'By how much the input tokens of two steps may differ, in percent.',
        5,
      ),
    }),
    hoechstens: 'anhalten',
    bereiche: CALLING,
  },
  pingpong: {
    meaning:
      'The tools of a run alternate between two (A, B, A, B …) for at least `schwelle` cycles of two steps.',
    objekt: 'lauf',
    schwelle: { ...of('zyklen', 4, 2, 1000) },
    zeitfenster: null,
    parameter: NONE,
    hoechstens: 'anhalten',
    bereiche: CALLING,
  },
  lauf_deckel: {
    meaning: 'A run has more calls, or costs more, than `schwelle`.',
    objekt: 'lauf',
    schwelle: { einheiten: ['aufrufe', 'eur'], default: '200', min: '0', max: '1000000000' },
    zeitfenster: null,
    parameter: NONE,
    hoechstens: 'sperren',
    bereiche: CALLING,
  },
  wiederholsturm: {
    meaning:
      'At least `schwelle` failed calls with the same prompt, of one agent with one model, within the window. Their cost is burnt money.',
    objekt: 'agent',
    schwelle: of('aufrufe', 3, 2, 10_000),
    zeitfenster: during('5m'),
    parameter: NONE,
    hoechstens: 'sperren',
    bereiche: CALLING,
  },
  fehlerbrand: {
    meaning: 'Of the calls of an agent within the window at least `schwelle` percent failed.',
    objekt: 'agent',
    schwelle: share(20),
    zeitfenster: during('15m'),
    parameter: Type.Object({
      mindest_aufrufe: p(number(1, 1_000_000), 'Fewer calls are not judged.', 20),
      mindest_kosten_eur: p(
        decimalInput({ min: '0', max: '1000000000' }),
        'Less failed cost is not judged, in EUR.',
        '1',
      ),
    }),
    hoechstens: 'sperren',
    bereiche: CALLING,
  },
  duplikat: {
    meaning:
      'The same successful call (prompt, model, input tokens) in at least `schwelle` runs within the window.',
    objekt: 'agent',
    schwelle: of('laeufe', 3, 2, 100_000),
    zeitfenster: during('24h'),
    parameter: NONE,
    hoechstens: 'warnen',
    bereiche: CALLING,
  },
  kontextwachstum: {
    meaning:
      'The input of a run grows by at least `schwelle` tokens a step (least squares), and the last step has `faktor` times the first.',
    objekt: 'lauf',
    schwelle: of('token', 1_500, 1, 10_000_000),
    zeitfenster: null,
    parameter: Type.Object({
      mindest_schritte: p(number(2, 20), 'Shorter runs are not judged.', 8),
      faktor: p(number(1, 1_000), 'How many times the input of the first step the last one has at least.', 4),
    }),
    hoechstens: 'anhalten',
    bereiche: CALLING,
  },
  cache_verlust: {
    meaning:
      'A step of a run sends at least `schwelle` percent of its input past the cache, although the step before, within the window, had nearly as much input.',
    objekt: 'lauf',
    schwelle: share(25),
    zeitfenster: during('5m'),
    parameter: Type.Object({
      mindest_eingabe: p(number(1, 10_000_000), 'Steps with fewer input tokens are not judged.', 4_096),
      vorher_prozent: p(percent(), 'How much of its input the step before must have had, in percent.', 90),
    }),
    hoechstens: 'warnen',
    bereiche: CALLING,
  },
  modell_zu_gross: {
    meaning:
      'Of at least `schwelle` calls of a function most are small and plain, and an allowed model costs a fraction of theirs.',
    objekt: 'funktion',
    schwelle: of('aufrufe', 50, 1, 1_000_000),
    zeitfenster: during('24h'),
    parameter: Type.Object({
      erlaubt: field(
        preset(listOf(text({ min: 1, max: 200 }), 200), []),
        'Smaller models that may be used instead; none: those that the price book approves (`freigaben`).',
      ),
      anteil_prozent: p(percent(), 'How many of the calls must be small, in percent.', 80),
      ausgabe_token: p(number(0, 1_000_000), 'A small call has at most so many output tokens.', 64),
      eingabe_token: p(number(0, 10_000_000), 'A small call has at most so many input tokens.', 2_000),
      preis_teiler: p(number(2, 1_000), 'The other model must cost at most one part in so many.', 5),
    }),
    hoechstens: 'warnen',
    bereiche: ['mandant', 'projekt', 'agent', 'endkunde', 'funktion'],
  },
  denk_uebermass: {
    meaning:
      'In too many calls of an agent nearly all of the output is reasoning, at least `schwelle` tokens of it.',
    objekt: 'agent',
    schwelle: of('token', 4_000, 1, 10_000_000),
    zeitfenster: during('24h'),
    parameter: Type.Object({
      ausgabe_prozent: p(percent(), 'How much of the output of such a call is reasoning, in percent.', 90),
      anteil_prozent: p(percent(), 'How many of the calls must be such, in percent.', 20),
      mindest_aufrufe: p(number(1, 1_000_000), 'Fewer calls are not judged.', 50),
    }),
    hoechstens: 'warnen',
    bereiche: CALLING,
  },
  ausgabe_explosion: {
    meaning: 'A call has more than `schwelle` output tokens and more than `faktor` times its input.',
    objekt: 'lauf',
    schwelle: of('token', 4_000, 1, 10_000_000),
    zeitfenster: during('24h'),
    parameter: Type.Object({
      faktor: p(number(1, 1_000), 'How many times the input the output must exceed.', 5),
    }),
    hoechstens: 'warnen',
    bereiche: CALLING,
  },
  kosten_spitze: {
    meaning:
      'The cost of an hour is more than `schwelle` times the median of the same hour of the week, and far from it (modified z-score).',
    objekt: 'bereich',
    schwelle: { einheiten: ['faktor'], default: '3', min: '1', max: '1000' },
    zeitfenster: null,
    parameter: Type.Object({
      mindest_eur: p(
        decimalInput({ min: '0', max: '1000000000' }),
        'Cheaper hours are not judged, in EUR.',
        '5',
      ),
      z: p(
        decimalInput({ min: '0', max: '1000' }),
        'How far from the median: 0.6745·(x − median)/MAD is at least this.',
        '3.5',
      ),
      wochen: p(number(1, 12), 'With how many weeks it is compared.', 4),
      mindest_tage: p(number(1, 90), 'Days of data there must be before.', 7),
    }),
    hoechstens: 'sperren',
    bereiche: GELTUNGSBEREICHE,
  },
  kosten_grenze: {
    meaning: 'The cost within the window is more than `schwelle` EUR.',
    objekt: 'bereich',
    schwelle: of('eur', null, 0, 1_000_000_000),
    zeitfenster: { default: 'tag', kalender: true },
    parameter: NONE,
    hoechstens: 'sperren',
    bereiche: GELTUNGSBEREICHE,
  },
  raten_grenze: {
    meaning: 'More calls, or tokens (input and output as sent), than `schwelle` within the window.',
    objekt: 'bereich',
    schwelle: { einheiten: ['aufrufe', 'token'], default: null, min: '0', max: '1000000000000000' },
    zeitfenster: { default: '1h', kalender: true },
    parameter: NONE,
    hoechstens: 'sperren',
    bereiche: GELTUNGSBEREICHE,
  },
  budget_tempo: {
    meaning:
      'A budget is spent faster than it lasts: burn rate (share spent by share of the month gone) over a long and a short window together, 14.4 over 1 h and 5 min, 6 over 6 h and 30 min, 1 over 3 d and 6 h; all three times `schwelle`.',
    objekt: 'bereich',
    schwelle: { einheiten: ['faktor'], default: '1', min: '0.1', max: '100' },
    zeitfenster: null,
    parameter: NONE,
    hoechstens: 'drosseln',
    bereiche: BUDGETED,
  },
  budget_prognose: {
    meaning:
      'Spent so far plus what the rest of the month costs at the rate of the last 24 hours is more than `schwelle` percent of the budget.',
    objekt: 'bereich',
    schwelle: { einheiten: ['prozent'], default: '100', min: '1', max: '1000' },
    zeitfenster: null,
    parameter: Type.Object({
      mindest_prozent: p(percent(), 'How much of the month must have gone, in percent.', 10),
    }),
    hoechstens: 'warnen',
    bereiche: BUDGETED,
  },
  budget_schwelle: {
    meaning:
      'A budget is spent to one of the `stufen` in percent, each once a month. What the rule does it does at the highest of them; below it warns.',
    objekt: 'bereich',
    schwelle: null,
    zeitfenster: null,
    parameter: Type.Object({
      stufen: preset(
        field(Type.Array(percent(), { minItems: 1, maxItems: 10 }), 'In percent of the budget.'),
        [50, 80, 100],
      ),
    }),
    hoechstens: 'sperren',
    bereiche: BUDGETED,
  },
  latenz: {
    meaning:
      'The 95th percentile of the latency within the window is more than `schwelle` times that of the days before.',
    objekt: 'bereich',
    schwelle: { einheiten: ['faktor'], default: '2', min: '1', max: '1000' },
    zeitfenster: during('15m'),
    parameter: Type.Object({
      messwert: p(oneOf('latenz_ms', 'erste_zeichen_ms'), 'What is measured.', 'latenz_ms'),
      mindest_aufrufe: p(number(1, 1_000_000), 'Fewer calls are not judged.', 20),
      mindest_mehr_ms: p(number(0, 3_600_000), 'It must be so many milliseconds more.', 2_000),
      tage: p(number(1, 30), 'With how many days before it is compared.', 7),
    }),
    hoechstens: 'warnen',
    bereiche: GELTUNGSBEREICHE,
  },
  stille: {
    meaning: 'No call within the window, although there were some on each of the days before.',
    objekt: 'bereich',
    schwelle: null,
    zeitfenster: during('24h'),
    parameter: Type.Object({
      tage: p(number(1, 30), 'On how many days before there must have been calls.', 7),
    }),
    hoechstens: 'warnen',
    bereiche: GELTUNGSBEREICHE,
  },
  modell_verboten: {
    meaning: 'A call with a model that is not among those allowed.',
    objekt: 'agent',
    schwelle: null,
    zeitfenster: null,
    parameter: Type.Object({
      erlaubt: models('Models that may be used. `*` at the end stands for any rest of a name.'),
    }),
    hoechstens: 'sperren',
    bereiche: CALLING,
  },
  preis_fehlt: {
    meaning: 'Calls with a model whose price is not known: their cost is in no sum.',
    objekt: 'modell',
    schwelle: null,
    zeitfenster: null,
    parameter: NONE,
    hoechstens: 'warnen',
    bereiche: GELTUNGSBEREICHE,
  },
  schaetzanteil: {
    meaning: 'More than `schwelle` percent of the calls of an hour have estimated counts.',
    objekt: 'bereich',
    schwelle: share(20),
    zeitfenster: during('1h'),
    parameter: Type.Object({
      mindest_aufrufe: p(number(1, 1_000_000), 'Hours with fewer calls are not judged.', 1),
    }),
    hoechstens: 'warnen',
    bereiche: GELTUNGSBEREICHE,
  },
} as const satisfies Record<string, RuleType>;

export type Regeltyp = keyof typeof REGELTYPEN;
export const REGELTYP_NAMEN = Object.keys(REGELTYPEN) as [Regeltyp, ...Regeltyp[]];

/** The parameters of a rule of this type, checked and filled in. */
export type ParameterVon<T extends Regeltyp> = Required<Type.Static<(typeof REGELTYPEN)[T]['parameter']>>;

export const isRegeltyp = (typ: string): typ is Regeltyp => Object.hasOwn(REGELTYPEN, typ);
