/** Types of rules about budgets, which the slice `budgets` looks for. */
import { count, decimal, field, preset, Type, text } from '../kit/index.ts';
import { NONE, p, percent, ruleType } from './kit.ts';

const BUDGETED = ['mandant', 'projekt', 'agent'] as const;

/** A budget, and what was spent of it in the month. */
const BUDGET = {
  monat: field(text(), 'The month, `YYYY-MM`, in the time zone of the Mandant.', '2026-11'),
  budget_eur: field(decimal(), 'What may be spent in it.', '250'),
  verbraucht_eur: field(decimal(), 'What was spent so far.', '201.4'),
  anteil_prozent: field(decimal(), 'The same in percent of the budget.', '80.56'),
  name: Type.Optional(field(text(), 'Name of the API key, where it is the budget of one.', 'Produktion')),
};
const SOME = { monat: '2026-11', budget_eur: '250', verbraucht_eur: '201.4', anteil_prozent: '80.56' };

export const budget_tempo = ruleType({
  meaning:
    'A budget is spent faster than it lasts: burn rate (share spent by share of the month gone) over a long and a short window together, 14.4 over 1 h and 5 min, 6 over 6 h and 30 min, 1 over 3 d and 6 h; all three times `schwelle`.',
  quelle: 'budgets',
  objekt: 'bereich',
  schwelle: { einheiten: ['faktor'], default: '1', min: '0.1', max: '100' },
  zeitfenster: null,
  parameter: NONE,
  hoechstens: 'drosseln',
  bereiche: BUDGETED,
  ursache: null,
  werte: Type.Object({
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
  beispiel: { ...SOME, fenster_lang: '6h', fenster_kurz: '30m', tempo: '7.16', tempo_kurz: '6' },
  umfang: null,
  satz: {
    de: (w, f) =>
      `verbraucht das Monatsbudget von ${f.euro(w.budget_eur)} ${f.zahl(w.tempo)}-mal schneller, als es reicht`,
    en: (w, f) =>
      `spends the monthly budget of ${f.euro(w.budget_eur)} ${f.zahl(w.tempo)} times faster than it lasts`,
  },
});

export const budget_prognose = ruleType({
  meaning:
    'Spent so far plus what the rest of the month costs at the rate of the last 24 hours is more than `schwelle` percent of the budget.',
  quelle: 'budgets',
  objekt: 'bereich',
  schwelle: { einheiten: ['prozent'], default: '100', min: '1', max: '1000' },
  zeitfenster: null,
  parameter: Type.Object({
    mindest_prozent: p(percent(), 'How much of the month must have gone, in percent.', 10),
  }),
  hoechstens: 'warnen',
  bereiche: BUDGETED,
  ursache: null,
  werte: Type.Object({
    ...BUDGET,
    prognose_eur: field(decimal(), 'What will have been spent at the end of the month.', '305.8'),
  }),
  beispiel: { ...SOME, prognose_eur: '305.8' },
  umfang: null,
  satz: {
    de: (w, f) =>
      `wird das Monatsbudget von ${f.euro(w.budget_eur)} überschreiten, erwartet ${f.euro(w.prognose_eur)}`,
    en: (w, f) =>
      `will exceed the monthly budget of ${f.euro(w.budget_eur)}, expected ${f.euro(w.prognose_eur)}`,
  },
});

/** How much it is, not how much it takes: a call may pass several thresholds at once, or go far beyond the last one. */
const spent = ({
  anteil_prozent,
  schwelle_prozent,
}: {
  anteil_prozent?: string;
  schwelle_prozent: number;
}) => {
  // Findings of before tell the threshold alone.
  const share = anteil_prozent ?? String(schwelle_prozent);
  return { share, isJust: Number(share) === schwelle_prozent };
};

export const budget_schwelle = ruleType({
  meaning:
    'A budget is spent to one of the `stufen` in percent, each once a month. What the rule does it does at the highest of them; below it warns.',
  quelle: 'budgets',
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
  ursache: null,
  werte: Type.Object({ ...BUDGET, schwelle_prozent: field(count(), 'The threshold that is reached.', 80) }),
  beispiel: { ...SOME, schwelle_prozent: 80 },
  umfang: null,
  satz: {
    de: (w, f) => {
      const { share, isJust } = spent(w);
      const passed = isJust ? '' : ` (Schwelle ${f.zahl(w.schwelle_prozent)} %)`;
      return `hat ${f.zahl(share)} % des Monatsbudgets von ${f.euro(w.budget_eur)} verbraucht${passed}`;
    },
    en: (w, f) => {
      const { share, isJust } = spent(w);
      const passed = isJust ? '' : ` (threshold ${f.zahl(w.schwelle_prozent)} %)`;
      return `has spent ${f.zahl(share)} % of the monthly budget of ${f.euro(w.budget_eur)}${passed}`;
    },
  },
});
