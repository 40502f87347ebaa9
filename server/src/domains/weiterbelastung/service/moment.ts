import type { MandantTx } from '#platform/database/index.ts';

/** A moment of a Mandant's sums. */
export interface Moment {
  tx: MandantTx;
  now: Temporal.Instant;
  zone: string;
}
