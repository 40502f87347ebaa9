/** Work of a kind that would otherwise fill a resource others wait for, too: so many at once, the others in turn. */
import pLimit from 'p-limit';
import { unavailable } from '#kernel/errors.ts';

/** Does the work when it is its turn, in the order of asking; throws 503 `ueberlastet` when too many wait already. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): InTurn {
  const limit = pLimit(atOnce);
  return async (work) => {
    if (limit.pendingCount >= waiting)
      throw unavailable('ueberlastet', {
        de: 'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal versuchen.',
        en: 'The service is busy right now; please try again in a moment.',
      });
    return limit(work);
  };
}
