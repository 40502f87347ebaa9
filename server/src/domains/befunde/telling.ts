/** Whether a finding that goes on raises another alarm: at twice what the last one said, never with each call. Pure. */
import { eurFrom } from '#kernel/money.ts';
import type { Candidate } from './candidate.ts';

/** How much a finding comes to: what it costs or could save, and how many calls or runs it is about. */
export interface Extent {
  /** Exact decimal; null when unknown. */
  eur: string | null;
  anzahl: number | null;
}

/** Figures that say how much it is where no money is known, the first that is there. */
const COUNTS = ['anzahl', 'aufrufe', 'laeufe_anzahl', 'fehler'] as const;

export function extentOf({
  kostenEur,
  potentialEur,
  werte,
}: Pick<Candidate, 'kostenEur' | 'potentialEur' | 'werte'>): Extent {
  const count = COUNTS.map((name) => werte[name]).find((value) => typeof value === 'number');
  return { eur: kostenEur ?? potentialEur, anzahl: typeof count === 'number' ? count : null };
}

const isSome = (eur: string | null): eur is string => eur !== null && eurFrom(eur) > 0n;

/** Whether it has come to twice as much: in money, where that was known and is; else by its count. */
export function isDoubled(told: Extent, now: Extent): boolean {
  if (isSome(told.eur) && now.eur !== null) return eurFrom(now.eur) >= 2n * eurFrom(told.eur);
  return told.anzahl !== null && now.anzahl !== null && told.anzahl > 0 && now.anzahl >= 2 * told.anzahl;
}
