import type { Vorhaben } from '../eingriffe/decide.ts';
import { InterventionsUnknown, LimitReached } from '../eingriffe/errors.ts';
import type { Request } from './demand.ts';
import type { Admission, Reservations } from './reservations.ts';

/** What connects libraries reserves with; asks nobody where no hard limit holds. */
export interface Reserver {
  /** Whether any call has a hard limit, as far as is known. */
  isNeeded(): boolean;
  /**
   * Resolves once the call has its part of a block. Rejects with `LimitReached` where a hard limit has no room for it; without the
   * service it resolves without one, or with `failure: 'closed'` rejects with `InterventionsUnknown`.
   */
  admit(call: Vorhaben, asked: Request, signal: AbortSignal | undefined): Promise<Admission | null>;
  /** Keeps what a call was admitted with until its request begins. */
  keep(call: Vorhaben, admission: Admission | null): void;
  /** What the call whose request begins was admitted with; null where that was nothing. */
  claim(call: Vorhaben, asked: Request): Admission | null;
}

export function reserverOf(reservations: Reservations, failure: 'open' | 'closed'): Reserver {
  return {
    isNeeded: () => reservations.isNeeded(),
    async admit(call, asked, signal) {
      try {
        return await reservations.admit(call, asked, signal);
      } catch (error) {
        if (error instanceof LimitReached || signal?.aborted) throw error;
        if (failure === 'closed') throw new InterventionsUnknown(String(error));
        return null;
      }
    },
    keep(call, admission) {
      if (admission !== null) reservations.keep(call, admission);
    },
    claim: (call, asked) => reservations.claim(call, asked),
  };
}
