/**
 * Holds Mandanten with rules that act to what can be counted at once: where more is sent, the call that crosses a limit waits for all that
 * was accepted before it. Of no use, and therefore not done, where counting stands still.
 */
import { type Backlog, readBacklog } from '#domains/ereignisse/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Quota } from '#platform/quota.ts';
import { tooMuchWaits } from './errors.ts';
import { MAX_WAITING } from './limits.ts';
import { hasArmedRule } from './store.ts';

/** A Mandant is looked at once it has sent this many events since the last look. */
const LOOK_AFTER_EVENTS = 1_000;
/** Between two looks, in milliseconds. */
const LOOK_EVERY = { armed: 100, other: 2_000 };
/** Where the first batch has waited longer, in seconds, nobody counts, or by far too little. */
const STANDSTILL = 10;
/** People at work send few calls, imports many: there is as much room again for the few. */
const FEW_EVENTS = 100;
const FEW_BYTES = 64 * 1024;
const MAX_REMEMBERED = 10_000;

interface Known {
  /** What waited at the last look; null where nothing is armed. */
  backlog: Backlog | null;
  /** Events accepted since that look began. */
  since: number;
  /** On the monotonic clock. */
  lookedAt: number;
  looking: boolean;
}

const isFull = ({ backlog, since }: Known, few: boolean): boolean =>
  backlog !== null && backlog.seconds < STANDSTILL && backlog.events + since >= (few ? 2 : 1) * MAX_WAITING;

/** Adds up what waits, of this many batches of single calls. */
const readWaiting = ({ db }: Pick<ServiceContext, 'db'>, mandant: MandantId): Promise<Backlog | null> =>
  db.forMandant(mandant, async (tx) => ((await hasArmedRule(tx)) ? readBacklog(tx, 2 * MAX_WAITING) : null));

/** The limit in this process; what it knows is a tenth of a second old. */
export function createBacklogLimit(context: Pick<ServiceContext, 'db' | 'log'>): Quota {
  const known = new Map<string, Known>();

  const knownOf = (mandant: string): Known => {
    const entry = known.get(mandant);
    if (entry) return entry;
    const fresh: Known = { backlog: null, since: 0, lookedAt: Number.NEGATIVE_INFINITY, looking: false };
    known.set(mandant, fresh);
    const oldest = known.keys().next().value;
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return fresh;
  };

  const look = async (mandant: MandantId, entry: Known): Promise<void> => {
    const before = entry.since;
    entry.looking = true;
    try {
      entry.backlog = await readWaiting(context, mandant);
      entry.since -= before;
    } catch (error) {
      entry.backlog = null;
      context.log.warn({ err: error }, 'what waits to be counted is not known now');
    }
    entry.lookedAt = performance.now();
    entry.looking = false;
  };

  const lookWhenDue = (mandant: MandantId, entry: Known): void => {
    const every = entry.backlog === null ? LOOK_EVERY.other : LOOK_EVERY.armed;
    if (entry.looking || performance.now() - entry.lookedAt < every) return;
    if (entry.since >= LOOK_AFTER_EVENTS || isFull(entry, false)) void look(mandant, entry);
  };

  const refuseFull = (mandant: MandantId, few: boolean): Known => {
    const entry = knownOf(mandant);
    lookWhenDue(mandant, entry);
    if (isFull(entry, few)) throw tooMuchWaits();
    return entry;
  };

  return {
    admit({ mandant }, scope, length) {
      if (scope === 'Senden') refuseFull(mandant, length !== null && length <= FEW_BYTES);
    },
    take({ mandant }, events) {
      const entry = refuseFull(mandant, events <= FEW_EVENTS);
      entry.since += events;
      return () => {
        entry.since -= events;
      };
    },
  };
}
