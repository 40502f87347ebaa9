import type { Lauf } from '../../api/types.ts';

/** Milliseconds from the first call of a run to its last; null for a single call, which has nothing to end with. */
export const durationOf = (run: Pick<Lauf, 'aufrufe' | 'dauer_ms'>): number | null =>
  run.aufrufe > 1 ? run.dauer_ms : null;
