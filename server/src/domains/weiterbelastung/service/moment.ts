import type { Snapshot } from '#domains/verbrauch/index.ts';
import type { MandantTx } from '#platform/database/index.ts';

/** A moment of a Mandant's sums. */
export interface Moment {
  tx: MandantTx;
  engine: Snapshot['engine'];
  now: Temporal.Instant;
  zone: string;
}
