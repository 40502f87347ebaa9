/**
 * How long a refusal is held. A client that comes again at once, without the pause it is asked for, else keeps the event loop busy with
 * nothing but refusals, and others wait behind them. Each of its connections then waits before it may ask again.
 */
import type { MandantId } from '#kernel/mandant-id.ts';

/** Refusals of a Mandant that are answered at once, in each second. */
export const AT_ONCE = 20;
/** Milliseconds for which each further one is held; every client has a longer timeout. */
export const HELD_MS = 500;
/** Held at a time, over all Mandanten: each holds a connection. Further ones are answered at once. */
const MOST_HELD = 2_000;
/** Mandanten that are remembered; all are forgotten beyond it. */
const MOST_KNOWN = 10_000;

interface RefusedInSecond {
  second: number;
  count: number;
}

export interface RefusalPause {
  /** Milliseconds for which this refusal of the Mandant is to be held; 0 for none. Books it. */
  of(mandant: MandantId): number;
  /** Runs `then` after the milliseconds. */
  hold(milliseconds: number, then: () => void): void;
}

class CountingRefusalPause implements RefusalPause {
  readonly #now: () => number;
  readonly #refused = new Map<MandantId, RefusedInSecond>();
  #held = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(mandant: MandantId): number {
    const second = Math.floor(this.#now() / 1_000);
    const before = this.#refused.get(mandant);
    const count = before?.second === second ? before.count + 1 : 1;
    if (!before && this.#refused.size >= MOST_KNOWN) this.#refused.clear();
    this.#refused.set(mandant, { second, count });
    return count > AT_ONCE && this.#held < MOST_HELD ? HELD_MS : 0;
  }

  hold(milliseconds: number, then: () => void): void {
    this.#held += 1;
    setTimeout(() => {
      this.#held -= 1;
      then();
    }, milliseconds);
  }
}

/** `now`: milliseconds on a monotonic clock. */
export const createRefusalPause = (now = () => performance.now()): RefusalPause =>
  new CountingRefusalPause(now);
