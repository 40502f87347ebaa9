/** What saves, and why: pure decisions. */
import { type Stufe, typesOfCause, URSACHEN, type Ursache } from '#contracts';
import { EUR_SCALE, eurFrom, textOf } from '#kernel/money.ts';

/** Levels at which a rule keeps further calls from being made. */
export const STOPPING: readonly Stufe[] = ['anhalten', 'sperren'];

/** Of two causes of a call the lower one has it. */
export const placeOf = (ursache: Ursache): number => URSACHEN.indexOf(ursache) + 1;

export interface Watching {
  typ: string;
  stufe: string;
  /** Whether it names models to use instead; only of `modell_zu_gross`. */
  ersatz: boolean;
}

/** Whether one of these active rules looks for the cause. A rule without models to use instead judges nothing. */
export function isWatched(ursache: Ursache, rules: Watching[]): boolean {
  if (ursache === 'angehalten') return rules.some(({ stufe }) => STOPPING.includes(stufe as Stufe));
  const types: string[] = typesOfCause(ursache);
  return rules.some(({ typ, ersatz }) => types.includes(typ) && (ursache !== 'modell' || ersatz));
}

/** The sum of exact decimals; null ones are left out, and null when there is no other. */
export function sumOf(amounts: (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0) return null;
  return textOf(
    known.reduce((sum, amount) => sum + eurFrom(amount), 0n),
    EUR_SCALE,
  );
}

/** What was spent, what of it would not have been, and the rest. */
export function compare(real: string | null, saved: string | null) {
  const left = real === null || saved === null ? null : textOf(eurFrom(real) - eurFrom(saved), EUR_SCALE);
  return { real_eur: real, gespart_eur: saved, zwilling_eur: left };
}
