/** Work of a kind that would otherwise fill a resource others wait for, too: so many at once, the others in turn. */
import pLimit from 'p-limit';
import { unavailable } from '#kernel/errors.ts';

/**
 * Does the work when it is its turn, in the order of asking; throws 503 `ueberlastet` when too many wait already. Who is `patient` waits
 * behind them instead: for callers of which there are few, each with one work at a time.
 */
export type InTurn = <T>(work: () => Promise<T>, options?: { patient?: boolean }) => Promise<T>;

export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): InTurn {
  const limit = pLimit(atOnce);
  return async (work, { patient = false } = {}) => {
    if (!patient && limit.pendingCount >= waiting)
      throw unavailable('ueberlastet', {
        de: 'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal versuchen.',
        en: 'The service is busy right now; please try again in a moment.',
      });
    return limit(work);
  };
}
