/** When an entry of the price book holds. Days are local days `YYYY-MM-DD`; `gilt_bis` is the first one it no longer holds on. */

export interface Valid {
  gilt_ab: string | null;
  gilt_bis: string | null;
}

export type ValidityState = 'now' | 'future' | 'over';

export function stateOf({ gilt_ab, gilt_bis }: Valid, today: string): ValidityState {
  if (gilt_bis !== null && gilt_bis <= today) return 'over';
  return gilt_ab !== null && gilt_ab > today ? 'future' : 'now';
}

const ORDER: ValidityState[] = ['now', 'future', 'over'];

/** Those that hold today first, then those to come, then those that are over. */
export const byState = <Entry extends Valid>(entries: readonly Entry[], today: string): Entry[] =>
  entries.toSorted((a, b) => ORDER.indexOf(stateOf(a, today)) - ORDER.indexOf(stateOf(b, today)));
