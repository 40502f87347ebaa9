/** Looks at what was told as soon as it has waited long enough: clocks for each Mandant that something came for. */
import type { ServiceContext } from '#platform/context.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { handOnAll } from './hand-on.ts';

type Mandant = KeyPrincipal['mandant'];

/** Milliseconds: what is due within them is looked at together. */
const TICK = 250;
/** Milliseconds after which it is tried again where somebody else is at it, whose look may have begun before it was due. */
const BUSY = 1_000;

export interface Wake {
  /** Something of the Mandant is due after `delay` milliseconds. */
  note(mandant: Mandant, delay: number): void;
  stop(): void;
}

/** What fails is left to the job that looks every minute. */
export function createWake(
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  handOn: typeof handOnAll = handOnAll,
): Wake {
  /** By Mandant and tick. */
  const waiting = new Map<string, NodeJS.Timeout>();
  let stopped = false;
  const run = async (mandant: Mandant): Promise<void> => {
    try {
      if ((await handOn(db, mandant, clock.now())) === null) note(mandant, BUSY);
    } catch (error) {
      log.warn({ err: error, mandant }, 'what was told waits on');
    }
  };
  const note = (mandant: Mandant, delay: number): void => {
    const now = performance.now();
    // One tick later than the one it falls into.
    const tick = Math.floor((now + delay) / TICK) + 1;
    const key = `${mandant} ${tick}`;
    if (stopped || waiting.has(key)) return;
    const strike = () => {
      waiting.delete(key);
      void run(mandant);
    };
    waiting.set(key, setTimeout(strike, tick * TICK - now).unref());
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
