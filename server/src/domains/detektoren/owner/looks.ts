/** What of each Mandant a process has looked at: nothing new is found where nothing has changed since, but by the clock. */
import { createHash } from 'node:crypto';
import type { DetectedRule } from '../detectors.ts';

/** What a look depends on. */
interface LookedAt {
  /** How many marks counting had left. */
  marken: number;
  rules: readonly DetectedRule[];
  /** The price list in force. */
  edition: string;
}

interface Look {
  state: string;
  at: number;
}

/** Hours and days end without a call; a Mandant that rests is looked at so often. */
const RESTING_MS = 3_600_000;
/** Rules about calls that do not come. */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['stille']);

const stateOf = ({ marken, rules, edition }: LookedAt): string =>
  createHash('sha256')
    .update(JSON.stringify([marken, edition, rules]))
    .digest('base64');

export class Looks {
  #looks = new Map<string, Look>();

  /** Whether a look may find anything that the one before did not. */
  mayFindMore(mandant: string, now: Date, lookedAt: LookedAt): boolean {
    if (lookedAt.rules.some(({ typ }) => BY_THE_CLOCK.has(typ))) return true;
    const before = this.#looks.get(mandant);
    const since = before ? now.getTime() - before.at : Number.POSITIVE_INFINITY;
    return since < 0 || since >= RESTING_MS || before?.state !== stateOf(lookedAt);
  }

  /** Remembers a look that came to its end, by what was known before it began. */
  remember(mandant: string, now: Date, lookedAt: LookedAt): void {
    this.#looks.set(mandant, { state: stateOf(lookedAt), at: now.getTime() });
  }

  forget(mandant: string): void {
    this.#looks.delete(mandant);
  }

  /** Forgets all others: they are gone. */
  keep(mandanten: ReadonlySet<string>): void {
    for (const mandant of this.#looks.keys()) if (!mandanten.has(mandant)) this.#looks.delete(mandant);
  }
}
