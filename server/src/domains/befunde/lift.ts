/** What findings have ordered is lifted with their cause. */
import type { Objektart } from '#contracts';
import { type Lifting, liftWithCause } from '#domains/eingriffe/index.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { readOrderingIds } from './store.ts';

/** The budget of an object was raised or removed: what was ordered because of it is lifted. Resolves with how many orders. */
export async function liftForBudget(
  tx: MandantTx,
  { art, objekt }: { art: Objektart; objekt: string },
  lifting: Lifting,
): Promise<number> {
  const befunde = await readOrderingIds(tx, art, objekt);
  return befunde.length === 0 ? 0 : liftWithCause(tx, { befunde }, lifting);
}
