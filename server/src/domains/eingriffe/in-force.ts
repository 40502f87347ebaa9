/**
 * What is in force, in the memory of each process: read when somebody first asks for a Mandant, and again once a notice says
 * that it has changed. While notices are not heard, nothing read is older than a moment.
 */
import type pg from 'pg';
import { type EingriffAktiv, MAX_IN_FORCE, type Static } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { forSeveral } from '#platform/caller.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createListener, type Listener } from '#platform/database/index.ts';
import type { Log } from '#platform/log.ts';
import { CHANNEL } from './channel.ts';
import { createHandedOut, type HandedOut, type Recipient } from './handed-out.ts';
import { concerns, isInForce, toAktiv } from './rules.ts';
import { type EingriffRow, readInForce } from './store.ts';

type Aktiv = Static<typeof EingriffAktiv>;

export interface InForce {
  /** Brings what is known of a Mandant up to date; resolves at once where it is. */
  refresh(mandant: MandantId): Promise<void>;
  /** Whether the Mandant has any; as of the last refresh. */
  any(mandant: MandantId): boolean;
  /** Those that can be about calls of these agents, latest first; of any agent, where none is named. */
  named(mandant: MandantId, agents?: readonly string[]): Aktiv[];
  /** They were handed to a key, which proves something where it sends calls that they are about. */
  handedOut(to: Recipient, eingriffe: readonly Aktiv[]): Promise<void>;
  /** Which agents a key sends calls of. */
  senders: Pick<HandedOut, 'wantsAgents' | 'noteSender'>;
  /**
   * Resolves with true when something may have changed, one ends, or so many milliseconds are over; with false at once where
   * too many wait already, or `signal` is aborted.
   */
  change(mandant: MandantId, milliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** A notice: what is known of the Mandant is old. */
  forget(mandant: string): void;
  /** From now on notices are heard, or no more. */
  hear(hearing: boolean): void;
  /** Lets go who waits. */
  stop(): void;
}

/** Keeps what is in force up to date by notices, on a connection of its own. */
export const hearChanges = (inForce: InForce, connection: pg.ClientConfig, log: Log): Listener =>
  createListener({
    connection,
    channel: CHANNEL,
    onNotice: (mandant) => inForce.forget(mandant),
    onListening: () => inForce.hear(true),
    onDeaf: () => inForce.hear(false),
    log,
  });

/** Read anew after this many milliseconds even where notices are heard. */
const TRUSTED_MS = 10_000;
const TRUSTED_DEAF_MS = 500;
const MAX_REMEMBERED = 10_000;
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_ONE = 50;

interface Known {
  rows: EingriffRow[];
  /** On the monotonic clock. */
  readAt: number;
}

export function createInForce(context: Pick<ServiceContext, 'db' | 'clock' | 'log'>): InForce {
  const { db, clock } = context;
  const proof = createHandedOut(context);
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<void>>();
  /** Counts the notices of a Mandant while it is being read. */
  const notices = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  let waiters = 0;
  let hearing = false;
  let stopping = false;

  const isFresh = (mandant: string): boolean => {
    const entry = known.get(mandant);
    return entry !== undefined && performance.now() - entry.readAt < (hearing ? TRUSTED_MS : TRUSTED_DEAF_MS);
  };

  const read = async (mandant: MandantId): Promise<void> => {
    for (;;) {
      const before = notices.get(mandant) ?? 0;
      notices.set(mandant, before);
      const readAt = performance.now();
      const rows = await db.forMandant(mandant, (tx) =>
        readInForce(tx, clock.now().toISOString(), MAX_IN_FORCE),
      );
      // What was said meanwhile may be missing in it.
      if (notices.get(mandant) !== before) continue;
      notices.delete(mandant);
      known.delete(mandant);
      known.set(mandant, { rows, readAt });
      const oldest = known.keys().next().value;
      if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
      return;
    }
  };

  const rowsOf = (mandant: string): EingriffRow[] => {
    const now = clock.now();
    return (known.get(mandant)?.rows ?? []).filter((row) => isInForce(row, now));
  };

  const wake = (mandant: string): void => {
    for (const resolve of waiting.get(mandant) ?? []) resolve();
  };

  return {
    async refresh(mandant) {
      if (isFresh(mandant)) return;
      let under = reading.get(mandant);
      if (!under) {
        // Others join in.
        under = forSeveral(() => read(mandant)).finally(() => reading.delete(mandant));
        reading.set(mandant, under);
      }
      await under;
    },
    any: (mandant) => rowsOf(mandant).length > 0,
    named: (mandant, agents) =>
      rowsOf(mandant)
        .filter((row) => agents === undefined || concerns(row, agents))
        .map(toAktiv),
    handedOut(to, eingriffe) {
      const ids = new Set(eingriffe.map(({ eingriff_id }) => eingriff_id));
      return proof.note(
        to,
        rowsOf(to.mandant).filter(({ eingriff_id }) => ids.has(eingriff_id)),
      );
    },
    senders: proof,
    async change(mandant, milliseconds, signal) {
      const others = waiting.get(mandant) ?? new Set();
      if (stopping || signal.aborted || waiters >= MAX_WAITING || others.size >= MAX_WAITING_OF_ONE)
        return false;
      const ends = rowsOf(mandant).flatMap(({ bis }) =>
        bis ? Date.parse(bis) - clock.now().getTime() + 1 : [],
      );
      const pause = Math.min(milliseconds, ...ends, hearing ? Infinity : TRUSTED_DEAF_MS);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, pause);
      signal.addEventListener('abort', () => resolve(), { once: true });
      waiting.set(mandant, others.add(resolve));
      waiters += 1;
      await promise;
      clearTimeout(timer);
      waiters -= 1;
      others.delete(resolve);
      if (others.size === 0) waiting.delete(mandant);
      return !stopping;
    },
    forget(mandant) {
      const under = notices.get(mandant);
      if (under !== undefined) notices.set(mandant, under + 1);
      known.delete(mandant);
      wake(mandant);
    },
    hear(now) {
      hearing = now;
      // What was said while nobody listened is missed.
      for (const mandant of [...notices.keys()]) notices.set(mandant, (notices.get(mandant) ?? 0) + 1);
      known.clear();
      for (const mandant of [...waiting.keys()]) wake(mandant);
    },
    stop() {
      stopping = true;
      for (const mandant of [...waiting.keys()]) wake(mandant);
    },
  };
}
