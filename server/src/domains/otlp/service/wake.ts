/** Looks at what was told as soon as it has waited long enough: a clock for each Mandant that something came for. */
import type { ServiceContext } from '#platform/context.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { HOLD } from '../limits.ts';
import { handOnAll } from './hand-on.ts';

type Mandant = KeyPrincipal['mandant'];

/** A little later than what it waits for. */
const AFTER = 50;

export interface Wake {
  /** Something came for the Mandant. */
  note(mandant: Mandant): void;
  stop(): void;
}

/** What fails is left to the job that looks every minute. */
export function createWake(
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  hold = HOLD,
): Wake {
  const waiting = new Map<Mandant, NodeJS.Timeout>();
  /** For whom more has come since their clock was set: it waits longer. */
  const more = new Set<Mandant>();
  let stopped = false;
  const run = async (mandant: Mandant): Promise<void> => {
    waiting.delete(mandant);
    if (more.delete(mandant)) note(mandant);
    try {
      await handOnAll(db, mandant, clock.now());
    } catch (error) {
      log.warn({ err: error, mandant }, 'what was told waits on');
    }
  };
  const note = (mandant: Mandant): void => {
    if (stopped) return;
    if (waiting.has(mandant)) {
      more.add(mandant);
      return;
    }
    const timer = setTimeout(() => void run(mandant), hold + AFTER);
    timer.unref();
    waiting.set(mandant, timer);
  };
  return {
    note,
    stop() {
      stopped = true;
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
