import type { Vorhaben } from '../eingriffe/decide.ts';
import { InterventionsUnknown, LimitReached } from '../eingriffe/errors.ts';
import type { Request } from './demand.ts';
import type { Admission, Post, Reservations } from './reservations.ts';

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

/** Calls that pass without having been reserved for since the service was last heard. */
export class Unreserved {
  readonly #most: number;
  #calls = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The same, listened to. */
  watching(post: Post): Post {
    return async (body) => {
      const answer = await post(body);
      this.#calls = 0;
      return answer;
    };
  }

  /** Whether one more may pass, which it then does. */
  pass(): boolean {
    if (this.#calls >= this.#most) return false;
    this.#calls += 1;
    return true;
  }
}

export function reserverOf(
  reservations: Reservations,
  failure: 'open' | 'closed',
  unreserved: Unreserved = new Unreserved(Number.POSITIVE_INFINITY),
): Reserver {
  return {
    isNeeded: () => reservations.isNeeded(),
    async admit(call, asked, signal) {
      try {
        return await reservations.admit(call, asked, signal);
      } catch (error) {
        if (error instanceof LimitReached || signal?.aborted) throw error;
        if (failure === 'closed' || !unreserved.pass()) throw new InterventionsUnknown(String(error));
        return null;
      }
    },
    keep(call, admission) {
      if (admission !== null) reservations.keep(call, admission);
    },
    claim: (call, asked) => reservations.claim(call, asked),
  };
}
