/**
 * The figures behind a finding, by the type of its rule: one schema for each. Lists are bounded, the numbers beside them are
 * not: `schritte` and `laeufe` are the first of `anzahl` and `laeufe_anzahl`.
 */
import { count, datetime, decimal, field, oneOf, Type, text, uuid } from './kit/index.ts';
import type { Quelle, Satz, Ursache } from './rule-types/kit.ts';
import { REGELTYP_NAMEN, REGELTYPEN, type Regeltyp } from './rule-types.ts';

/** Calls that came although they should not have. */
const EINGRIFF_MISSACHTET = {
  werte: Type.Object({
    aufrufe: field(count(), 'Calls that came after the intervention.', 3),
    eingriff_id: field(uuid(), 'The intervention.'),
    stufe: field(oneOf('anhalten', 'sperren'), 'Its level.'),
    bis: field(datetime(), 'When the last call of it was made.'),
  }),
  satz: {
    de: (w, f) => `ruft weiter auf, obwohl eingegriffen wurde: ${f.zahl(w.aufrufe)} Aufrufe`,
    en: (w, f) => `goes on calling despite an intervention: ${f.zahl(w.aufrufe)} calls`,
  } satisfies Satz<{ aufrufe: number }>,
};

/** A call that was refused before it was made, since a hard limit had no room for what it could have cost. */
const GRENZE_AUSGESCHOEPFT = {
  werte: Type.Object({
    grenze: field(text(), 'Name of the rule, or of the object of the budget.', 'Kosten je Tag'),
    grenze_eur: field(decimal(), 'The limit in EUR.', '20'),
    ausgegeben_eur: field(decimal(), 'What was spent of it, in EUR.', '19.6'),
    rest_eur: field(decimal(), 'The rest of it, in EUR.', '0.4'),
    bis: field(datetime(), 'When a call was refused last.'),
  }),
  satz: {
    de: (w, f) =>
      `schöpft die Grenze „${w.grenze}“ von ${f.euro(w.grenze_eur)} aus; Aufrufe, die mehr als ${f.euro(w.rest_eur)} kosten können, werden abgelehnt, bevor sie gemacht sind`,
    en: (w, f) =>
      `uses up the limit “${w.grenze}” of ${f.euro(w.grenze_eur)}; calls that may cost more than ${f.euro(w.rest_eur)} are refused before they are made`,
  } satisfies Satz<Record<'grenze' | 'grenze_eur' | 'rest_eur', string>>,
};

/** Types of findings that no rule is behind. */
export const OHNE_REGEL = {
  eingriff_missachtet: EINGRIFF_MISSACHTET,
  grenze_ausgeschoepft: GRENZE_AUSGESCHOEPFT,
};
export type TypOhneRegel = keyof typeof OHNE_REGEL;
export const TYPEN_OHNE_REGEL = Object.keys(OHNE_REGEL) as TypOhneRegel[];

export const isTypOhneRegel = (typ: string): typ is TypOhneRegel => Object.hasOwn(OHNE_REGEL, typ);

export type Befundtyp = Regeltyp | TypOhneRegel;
type Werte = { [T in Regeltyp]: (typeof REGELTYPEN)[T]['werte'] } & {
  [T in TypOhneRegel]: (typeof OHNE_REGEL)[T]['werte'];
};

/** What findings of each type tell. */
export const BEFUND_WERTE = Object.fromEntries([
  ...REGELTYP_NAMEN.map((typ) => [typ, REGELTYPEN[typ].werte]),
  ...TYPEN_OHNE_REGEL.map((typ) => [typ, OHNE_REGEL[typ].werte]),
]) as Werte;

/** Types that are looked for in this. */
export type TypeOf<Q extends Quelle> = {
  [T in Regeltyp]: (typeof REGELTYPEN)[T]['quelle'] extends Q ? T : never;
}[Regeltyp];

/** Types that detectors find; those of budgets the slice of budgets does. */
export type DetectedType = TypeOf<'schritte' | 'aufrufe' | 'summen'>;
export const DETECTED_TYPES = REGELTYP_NAMEN.filter(
  (typ): typ is DetectedType => REGELTYPEN[typ].quelle !== 'budgets',
);
export type BudgetType = TypeOf<'budgets'>;
export const isBudgetType = (typ: string): typ is BudgetType =>
  REGELTYP_NAMEN.some((each) => each === typ && REGELTYPEN[each].quelle === 'budgets');

/** Types whose calls count as this in the twin. */
export const typesOfCause = (ursache: Ursache): Regeltyp[] =>
  REGELTYP_NAMEN.filter((typ) => REGELTYPEN[typ].ursache === ursache);

/** The figures of a finding of this type. */
export type BefundWerte<T extends DetectedType> = Type.Static<(typeof BEFUND_WERTE)[T]>;
