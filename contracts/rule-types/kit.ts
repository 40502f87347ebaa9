/** What the declaration of a rule type says, and what declarations have in common. */
import {
  count,
  datetime,
  decimal,
  field,
  integer,
  listOf,
  oneOf,
  preset,
  type TPreset,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

/** What an intervention does, rising: note it, tell, slow down, stop the run, block the agent. */
export const STUFEN = ['beobachten', 'warnen', 'drosseln', 'anhalten', 'sperren'] as const;
export type Stufe = (typeof STUFEN)[number];

/** What a rule holds for: everything, or what `bezug_id` names. */
export const GELTUNGSBEREICHE = ['mandant', 'projekt', 'agent', 'endkunde', 'funktion', 'modell'] as const;
export type Geltungsbereich = (typeof GELTUNGSBEREICHE)[number];

/** What a finding is about; no rule holds for one user or API key, budgets do. */
export const OBJEKTARTEN = ['lauf', ...GELTUNGSBEREICHE, 'benutzer', 'schluessel'] as const;
export type Objektart = (typeof OBJEKTARTEN)[number];

/** Why a call would not have been made, or would have cost less. A call belongs to the first of these that applies. */
export const URSACHEN = ['wiederholungen', 'angehalten', 'fehlversuche', 'cache', 'modell'] as const;
export type Ursache = (typeof URSACHEN)[number];

/** What a type is looked for in: the steps of runs, calls, sums, budgets. */
export type Quelle = 'schritte' | 'aufrufe' | 'summen' | 'budgets';

/** Lists of figures hold this many entries at most. */
export const MAX_SCHRITTE = 100;
export const MAX_LAEUFE = 20;
export const MAX_NAMEN = 20;

export interface Schwelle {
  /** The units it may be in; the first unless the rule says otherwise. */
  einheiten: readonly [string, ...string[]];
  /** Null: must be given. */
  default: string | null;
  /** Inclusive bounds. */
  min: string;
  max: string;
}

export interface Zeitfenster {
  default: string;
  /** Besides durations (`15m`, `24h`, `7d`): `stunde`, `tag`, `monat`, the calendar's, in the time zone of the Mandant. */
  kalender: boolean;
}

/** How figures are written in a language. */
export interface Schreibweise {
  zahl(value: number | string): string;
  euro(value: string): string;
  /** Amount and unit: EUR, calls, tokens. */
  menge(value: string, einheit: string): string;
  /** Which steps, in brackets; of more than are listed only the first is known. */
  schritte(figures: { schritte: readonly number[]; anzahl: number }): string;
  /** The first few of names. */
  namen(names: readonly string[]): string;
}

/** The cause in words, after what it is about and before the money. */
export type Satz<F> = Record<'de' | 'en', (figures: F, write: Schreibweise) => string>;

/**
 * Everything about a type that is no SQL: what it is called stands in `rule-names.ts`, which the cockpit loads alone; how it is
 * looked for in the object of the same name in the slice `detektoren` (of budgets: `budgets`).
 */
export interface RuleType<Q extends Quelle, P extends Type.TObject, W extends Type.TObject> {
  /** When it fires; Markdown. */
  meaning: string;
  quelle: Q;
  /** What its findings are about; `bereich`: whatever the rule holds for. */
  objekt: Objektart | 'bereich';
  schwelle: Schwelle | null;
  zeitfenster: Zeitfenster | null;
  parameter: P;
  /** How far it may go at most. */
  hoechstens: Stufe;
  /** What it may hold for. */
  bereiche: readonly Geltungsbereich[];
  /** What calls of its findings are counted as in the twin; null: they save nothing that is certain. */
  ursache: Exclude<Ursache, 'angehalten'> | null;
  /** The figures behind a finding. */
  werte: W;
  /** Those of a finding as an example. */
  beispiel: NoInfer<Type.Static<W>>;
  /** Which figure says how many calls a finding has come to, where one can stop a run; else null. */
  umfang: ('anzahl' | 'aufrufe') | null;
  satz: Satz<NoInfer<Type.Static<W>>>;
}

export const ruleType = <const Q extends Quelle, P extends Type.TObject, W extends Type.TObject>(
  type: RuleType<Q, P, W>,
): RuleType<Q, P, W> => type;

export const NONE = Type.Object({});
export const percent = () => integer({ min: 1, max: 100 });
export const number = (min: number, max: number) => integer({ min, max });
/** A parameter with its default. */
export const p = <T extends Type.TSchema>(
  schema: T,
  meaning: string,
  value: NoInfer<Type.Static<T>>,
): TPreset<T> => preset(field(schema, meaning), value);

export const steps = (value: number): Schwelle => ({
  einheiten: ['schritte'],
  default: String(value),
  min: '2',
  max: '1000',
});
export const share = (value: number): Schwelle => ({
  einheiten: ['prozent'],
  default: String(value),
  min: '1',
  max: '100',
});
export const of = (einheit: string, value: number | null, min = 1, max = 1e12): Schwelle => ({
  einheiten: [einheit],
  default: value === null ? null : String(value),
  min: String(min),
  max: String(max),
});
export const during = (value: string): Zeitfenster => ({ default: value, kalender: false });

/** Calls that a rule leaves out. */
export const ausnahmen = p(
  listOf(text({ min: 1, max: 200 }), 200),
  'Calls of these agents (key) and functions (reference) are left out. `*` at the end stands for any rest of a name.',
  [],
);
/** A pace that is neither a person's nor a clock's. */
export const pause_sekunden = (value: number) =>
  p(
    number(1, 3_600),
    'A call belongs to the ones before if it begins at most this many seconds after the last of them has ended: what comes later was made by a person or a clock.',
    value,
  );
export const zuwachs_prozent = p(
  number(0, 1_000),
  'By how much the input may grow with each step, in percent: what grows by more has new information.',
  5,
);

/** Of runs and agents: where there is an agent to act on. */
export const CALLING = ['mandant', 'projekt', 'agent', 'endkunde'] as const;

export const aufrufe = field(count(), 'Calls that were looked at.', 240);
export const bis = field(datetime(), 'When the last call of it was made.');
export const modelle = field(listOf(text(), MAX_NAMEN), 'Models of these calls; empty for none.', [
  'gpt-4o-mini',
]);
/** Left out in findings of former releases. */
export const agenten = Type.Optional(
  field(listOf(text(), MAX_NAMEN), 'Agents that made these calls.', ['support/triage']),
);
export const laeufe = field(listOf(uuid(), MAX_LAEUFE), 'The first runs of these calls.');
export const laeufe_anzahl = field(count(), 'How many runs these calls belong to.', 3);

/** Figures of steps of one run. */
export const STEPS = {
  schritte: field(
    listOf(count(), MAX_SCHRITTE),
    'The first of the steps it is about, by their numbers; where the sender numbers none, by their place in the run.',
    [3, 4, 5, 6, 7],
  ),
  anzahl: field(count(), 'How many steps it is about.', 5),
  modelle,
  bis,
};

/** Figures of what came to more than it may within a window. */
export const LIMIT = {
  wert: field(decimal(), 'The highest value within a window, in `einheit`.', '12.5'),
  schwelle: field(decimal(), 'What it may be at most.', '10'),
  einheit: field(oneOf('eur', 'aufrufe', 'token'), 'What both are counted in.'),
  von: field(datetime(), 'When that window begins.'),
  bis: field(datetime(), 'When that window ends.'),
  aufrufe: field(count(), 'Calls within it.', 240),
  unbepreist: field(count(), 'Calls within it without a known price: their cost is not in it.', 0),
};

/** For examples. */
export const THEN = '2026-11-24T09:15:00Z';
export const SOME_RUNS = { laeufe: ['0194f9a0-0000-7000-8000-000000000001'], laeufe_anzahl: 1 };
export const SOME_STEPS = { schritte: [3, 4, 5, 6, 7], anzahl: 5, modelle: ['gpt-4o-mini'], bis: THEN };
