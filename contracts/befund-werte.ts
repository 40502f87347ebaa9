/**
 * The figures behind a finding, by the type of its rule: one schema for each. Lists are bounded, the numbers beside them are
 * not: `schritte` and `laeufe` are the first of `anzahl` and `laeufe_anzahl`.
 */
import { count, datetime, decimal, field, listOf, nullable, oneOf, Type, text, uuid } from './kit/index.ts';
import { REGELTYPEN, type Regeltyp } from './rule-types.ts';

/** Lists of figures hold so many entries at most. */
export const MAX_SCHRITTE = 100;
export const MAX_LAEUFE = 20;
export const MAX_NAMEN = 20;

const aufrufe = field(count(), 'Calls that were looked at.', 240);
const bis = field(datetime(), 'When the last call of it was made.');
const modelle = field(listOf(text(), MAX_NAMEN), 'Models of these calls; empty for none.', ['gpt-4o-mini']);
const laeufe = field(listOf(uuid(), MAX_LAEUFE), 'The first runs of these calls.');
const laeufe_anzahl = field(count(), 'How many runs these calls belong to.', 3);

/** Steps of one run. */
const STEPS = {
  schritte: field(
    listOf(count(), MAX_SCHRITTE),
    'The first of the steps it is about, by their numbers; where the sender numbers none, by their place in the run.',
    [3, 4, 5, 6, 7],
  ),
  anzahl: field(count(), 'How many steps it is about.', 5),
  modelle,
  bis,
};

/** What came to more than it may within a window. */
const LIMIT = {
  wert: field(decimal(), 'The highest value within a window, in `einheit`.', '12.5'),
  schwelle: field(decimal(), 'What it may be at most.', '10'),
  einheit: field(oneOf('eur', 'aufrufe', 'token'), 'What both are counted in.'),
  von: field(datetime(), 'When that window begins.'),
  bis: field(datetime(), 'When that window ends.'),
  aufrufe: field(count(), 'Calls within it.', 240),
  unbepreist: field(count(), 'Calls within it without a known price: their cost is not in it.', 0),
};

/** A budget, and what was spent of it in the month. */
const BUDGET = {
  monat: field(text(), 'The month, `YYYY-MM`, in the time zone of the Mandant.', '2026-11'),
  budget_eur: field(decimal(), 'What may be spent in it.', '250'),
  verbraucht_eur: field(decimal(), 'What was spent so far.', '201.4'),
  anteil_prozent: field(decimal(), 'The same in percent of the budget.', '80.56'),
};

/** What findings of each type tell. */
export const BEFUND_WERTE = {
  schleife_exakt: Type.Object({
    ...STEPS,
    wiederholungen: field(count(), 'Repeats from the third step on: their cost is burnt.', 3),
  }),
  schleife_nah: Type.Object(STEPS),
  pingpong: Type.Object({ ...STEPS, zyklen: field(count(), 'Whole cycles of two steps.', 4) }),
  lauf_deckel: Type.Object({
    aufrufe: field(count(), 'Calls of the run.', 260),
    fehler: field(count(), 'Failed calls of the run.', 2),
    unbepreist: field(count(), 'Calls of the run without a known price.', 0),
    schwelle: LIMIT.schwelle,
    einheit: field(oneOf('aufrufe', 'eur'), 'What the threshold is counted in.'),
    bis,
  }),
  kontextwachstum: Type.Object({
    ...STEPS,
    steigung: field(
      decimal(),
      'Input tokens more with each step (least squares), rounded to one decimal.',
      '1800.5',
    ),
    erste_eingabe: field(count(), 'Input tokens of the first step.', 2_000),
    letzte_eingabe: field(count(), 'Input tokens of the last step.', 24_000),
  }),
  cache_verlust: Type.Object({
    ...STEPS,
    verlorene_token: field(
      count(),
      'Tokens that the step before had sent already and that did not come from the cache.',
      90_000,
    ),
  }),
  ausgabe_explosion: Type.Object({
    ...STEPS,
    ausgabe_token: field(count(), 'Output tokens of these steps.', 12_000),
  }),
  wiederholsturm: Type.Object({
    aufrufe: field(count(), 'Failed calls within a storm.', 12),
    prompts: field(count(), 'Different prompts among them.', 1),
    modelle,
    laeufe,
    laeufe_anzahl,
    bis,
  }),
  fehlerbrand: Type.Object({
    aufrufe: field(count(), 'Calls of the windows in which too many failed.', 60),
    fehler: field(count(), 'Failed ones among them.', 25),
    bis,
  }),
  duplikat: Type.Object({
    gruppen: field(count(), 'Different calls that were made more than once.', 2),
    aufrufe: field(count(), 'Calls in all, the first of each included.', 9),
    modelle,
    laeufe,
    laeufe_anzahl,
    bis,
  }),
  modell_zu_gross: Type.Object({
    aufrufe,
    kleine: field(count(), 'Small and plain calls among them.', 190),
    modelle,
    ersatz: field(text(), 'The cheapest of the allowed models.', 'gpt-4o-mini'),
    ersatz_eur: field(decimal(), 'What the small calls would have cost with it.', '0.12'),
    bis,
  }),
  denk_uebermass: Type.Object({
    aufrufe,
    uebermaessige: field(count(), 'Calls among them that were nearly all reasoning.', 30),
    denk_token: field(count(), 'Tokens of reasoning of these.', 180_000),
    modelle,
    bis,
  }),
  modell_verboten: Type.Object({
    aufrufe: field(count(), 'Calls with models that are not allowed.', 4),
    modelle,
    laeufe,
    laeufe_anzahl,
    bis,
  }),
  preis_fehlt: Type.Object({
    aufrufe: field(count(), 'Calls whose price is not known.', 17),
    anbieter: field(listOf(text(), MAX_NAMEN), 'Providers named with the model; empty for none.', ['openai']),
    bis,
  }),
  kosten_spitze: Type.Object({
    wert_eur: field(decimal(), 'Cost of the hour.', '31.4'),
    median_eur: field(decimal(), 'Median of the same hour of the weeks before.', '4.2'),
    z: field(
      nullable(decimal()),
      'Modified z-score, to two decimals; null where the weeks do not differ.',
      '5.31',
    ),
    wochen: field(count(), 'With how many weeks it was compared.', 4),
    aufrufe: field(count(), 'Calls of the hour.', 240),
  }),
  kosten_grenze: Type.Object(LIMIT),
  raten_grenze: Type.Object(LIMIT),
  latenz: Type.Object({
    p95_ms: field(count(), 'The worst 95th percentile of a window of the hour.', 9_200),
    ueblich_ms: field(count(), '95th percentile of the days before.', 3_100),
    aufrufe: field(count(), 'Calls with a measured latency in that window.', 44),
    von: LIMIT.von,
    bis: LIMIT.bis,
  }),
  stille: Type.Object({
    letzter_aufruf: field(datetime(), 'There was no call from then on.'),
    tage: field(count(), 'On so many days in a row before there were calls.', 7),
  }),
  schaetzanteil: Type.Object({
    aufrufe: field(count(), 'Calls of the hour.', 240),
    geschaetzt: field(count(), 'Those among them whose counts are estimates.', 80),
    bis: field(datetime(), 'When the hour ends.'),
  }),
  budget_schwelle: Type.Object({
    ...BUDGET,
    schwelle_prozent: field(count(), 'The threshold that is reached.', 80),
  }),
  budget_tempo: Type.Object({
    ...BUDGET,
    fenster_lang: field(text(), 'The longer of the two windows.', '6h'),
    fenster_kurz: field(text(), 'The shorter one.', '30m'),
    tempo: field(
      decimal(),
      'Burn rate over the longer window; 1 lasts just until the end of the month.',
      '7.16',
    ),
    tempo_kurz: field(decimal(), 'Burn rate over the shorter one.', '6'),
  }),
  budget_prognose: Type.Object({
    ...BUDGET,
    prognose_eur: field(decimal(), 'What will have been spent at the end of the month.', '305.8'),
  }),
  eingriff_missachtet: Type.Object({
    aufrufe: field(count(), 'Calls that came after the intervention.', 3),
    eingriff_id: field(uuid(), 'The intervention.'),
    stufe: field(oneOf('anhalten', 'sperren'), 'Its level.'),
    bis,
  }),
} as const satisfies Record<Regeltyp | 'eingriff_missachtet', Type.TObject>;

/** Types that batches over the calls of the last day find. */
export type DetectedType = Exclude<Regeltyp, `budget_${string}`>;
export const DETECTED_TYPES = (Object.keys(REGELTYPEN) as Regeltyp[]).filter(
  (typ): typ is DetectedType => !typ.startsWith('budget_'),
);

/** The figures of a finding of this type. */
export type BefundWerte<T extends DetectedType> = Type.Static<(typeof BEFUND_WERTE)[T]>;
