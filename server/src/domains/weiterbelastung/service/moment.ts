import { type Engine, engineOf } from '#domains/verbrauch/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';

/** A moment of a Mandant's sums: the transaction reads from one snapshot. */
export interface Moment {
  tx: MandantTx;
  now: Temporal.Instant;
  zone: string;
  engine: Engine;
}

/** The same with the engine of the service. */
export const momentOf = (
  context: Pick<ServiceContext, 'config' | 'log'>,
  { tx, now, zone }: Omit<Moment, 'engine'>,
): Moment => ({ tx, now, zone, engine: engineOf(context) });
