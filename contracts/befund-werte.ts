/**
 * The figures behind a finding, by the type of its rule: one schema for each. Lists are bounded, the numbers beside them are
 * not: `schritte` and `laeufe` are the first of `anzahl` and `laeufe_anzahl`.
 */
import { count, datetime, field, oneOf, Type, uuid } from './kit/index.ts';
import type { Quelle, Satz, Ursache } from './rule-types/kit.ts';
import { REGELTYP_NAMEN, REGELTYPEN, type Regeltyp } from './rule-types.ts';

/** Calls that came although they should not have, which no rule is behind. */
export const EINGRIFF_MISSACHTET = {
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

export type Befundtyp = Regeltyp | 'eingriff_missachtet';
type Werte = { [T in Regeltyp]: (typeof REGELTYPEN)[T]['werte'] } & {
  eingriff_missachtet: (typeof EINGRIFF_MISSACHTET)['werte'];
};

/** What findings of each type tell. */
export const BEFUND_WERTE = Object.fromEntries([
  ...REGELTYP_NAMEN.map((typ) => [typ, REGELTYPEN[typ].werte]),
  ['eingriff_missachtet', EINGRIFF_MISSACHTET.werte],
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
