/**
 * What is in force, in the memory of each process: all of it, however much, read when somebody first asks for a Mandant, and again
 * once a notice says that it has changed. While notices are not heard, nothing read is older than a moment. Only what concerns who asks
 * is bounded, once it is in order: wider interventions first.
 */
import type pg from 'pg';
import { type EingriffAktiv, type HarteGrenze, MAX_IN_FORCE, type Static } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { forSeveral } from '#platform/caller.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createListener, type Listener, type MandantTx } from '#platform/database/index.ts';
import type { Log } from '#platform/log.ts';
import { CHANNEL } from './channel.ts';
import { createHandedOut, type HandedOut, type Recipient } from './handed-out.ts';
import { concerns, concernsKey, holds, toAktiv } from './rules.ts';
import { type InForceRow, readAllInForce } from './store.ts';

type Aktiv = Static<typeof EingriffAktiv>;
type Scope = Static<typeof HarteGrenze>;

/** Which calls have hard limits: told with what is in force, found out further up (`reservierungen`). */
export type ReadScopes = (tx: MandantTx) => Promise<Scope[]>;

export interface InForce {
  /** Brings what is known of a Mandant up to date; resolves at once where it is. */
  refresh(mandant: MandantId): Promise<void>;
  /** Whether the Mandant has any, or had when it was last refreshed. */
  any(mandant: MandantId): boolean;
  /** Those that can be about calls of these agents (of any agent, where none is named) by this key: wider ones first, of each the latest. */
  named(to: Recipient, agents?: readonly string[]): Aktiv[];
  /** Which calls have hard limits; as of the last refresh. */
  scopes(mandant: MandantId): readonly Scope[];
  /** They were handed to a key, which proves something where it sends calls that they are about. */
  handedOut(to: Recipient, eingriffe: readonly Aktiv[]): Promise<void>;
  /** Which agents a key sends calls of. */
  senders: Pick<HandedOut, 'wantsAgents' | 'noteSender'>;
  /**
   * Resolves with true when something may have changed, one ends, or this many milliseconds are over; with false at once where
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
export const hearChanges = (
  inForce: Pick<InForce, 'forget' | 'hear'>,
  connection: pg.ClientConfig,
  log: Log,
): Listener =>
  createListener({
    connection,
    channel: CHANNEL,
    onNotice: (mandant) => inForce.forget(mandant),
    onListening: () => inForce.hear(true),
    onDeaf: () => inForce.hear(false),
    log,
  });

/** Read anew after this many milliseconds even where notices are heard: a change by hand in the database gives none. */
const TRUSTED_MS = 60_000;
const TRUSTED_DEAF_MS = 500;
const MAX_REMEMBERED = 10_000;
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_ONE = 50;

interface Known {
  /** Wider ones first, of each the latest. */
  rows: InForceRow[];
  /** Those about single runs by their agent, which may be many. */
  runs: Map<string | null, InForceRow[]>;
  /** All others. */
  wide: InForceRow[];
  scopes: readonly Scope[];
  /** On the monotonic clock. */
  readAt: number;
}

function arranged(rows: InForceRow[]): Omit<Known, 'readAt' | 'scopes'> {
  const isOfRun = ({ objekt_art }: InForceRow) => objekt_art === 'lauf';
  const wide = rows.filter((row) => !isOfRun(row));
  return { rows, wide, runs: Map.groupBy(rows.filter(isOfRun), ({ agent }) => agent) };
}

/** Those that can be about calls of these agents, in their order. */
function concerning({ wide, runs }: Known, agents: readonly string[]): InForceRow[] {
  const ofAgents = [null, ...new Set(agents)].map((agent) => runs.get(agent) ?? []);
  const [some = [], ...others] = ofAgents.filter(({ length }) => length > 0);
  const latest = (a: InForceRow, b: InForceRow) => (a.eingriff_id < b.eingriff_id ? 1 : -1);
  const own = others.length === 0 ? some : [...some, ...others.flat()].sort(latest);
  return [...wide.filter((row) => concerns(row, agents)), ...own];
}

class InForceInMemory implements InForce {
  readonly senders: HandedOut;
  readonly #db: ServiceContext['db'];
  readonly #clock: ServiceContext['clock'];
  readonly #readScopes: ReadScopes;
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<void>>();
  /** Counts the notices of a Mandant while it is being read. */
  readonly #notices = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();
  #waiters = 0;
  #hearing = false;
  #stopping = false;

  constructor(context: Pick<ServiceContext, 'db' | 'clock' | 'log'>, readScopes: ReadScopes) {
    this.#db = context.db;
    this.#readScopes = readScopes;
    this.#clock = context.clock;
    this.senders = createHandedOut(context);
  }

  async refresh(mandant: MandantId): Promise<void> {
    if (this.#isFresh(mandant)) return;
    let under = this.#reading.get(mandant);
    if (!under) {
      // Others join in.
      under = forSeveral(() => this.#read(mandant)).finally(() => this.#reading.delete(mandant));
      this.#reading.set(mandant, under);
    }
    await under;
  }

  any(mandant: MandantId): boolean {
    return (this.#known.get(mandant)?.rows.length ?? 0) > 0;
  }

  named({ mandant, schluesselId }: Recipient, agents?: readonly string[]): Aktiv[] {
    const now = this.#clock.now();
    const known = this.#known.get(mandant);
    const rows = !known ? [] : agents ? concerning(known, agents) : known.rows;
    return rows
      .filter((row) => holds(row, now) && concernsKey(row, schluesselId))
      .slice(0, MAX_IN_FORCE)
      .map(toAktiv);
  }

  scopes(mandant: MandantId): readonly Scope[] {
    return this.#known.get(mandant)?.scopes ?? [];
  }

  handedOut(to: Recipient, eingriffe: readonly Aktiv[]): Promise<void> {
    if (eingriffe.length === 0) return Promise.resolve();
    const ids = new Set(eingriffe.map(({ eingriff_id }) => eingriff_id));
    const rows = this.#known.get(to.mandant)?.rows ?? [];
    return this.senders.note(
      to,
      rows.filter(({ eingriff_id }) => ids.has(eingriff_id)),
    );
  }

  async change(mandant: MandantId, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const others = this.#waiting.get(mandant) ?? new Set();
    if (this.#stopping || signal.aborted || this.#isTooMuch(others)) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(milliseconds, this.#untilNews(mandant)));
    signal.addEventListener('abort', () => resolve(), { once: true });
    this.#waiting.set(mandant, others.add(resolve));
    this.#waiters += 1;
    await promise;
    clearTimeout(timer);
    this.#waiters -= 1;
    others.delete(resolve);
    if (others.size === 0) this.#waiting.delete(mandant);
    return !this.#stopping;
  }

  forget(mandant: string): void {
    const under = this.#notices.get(mandant);
    if (under !== undefined) this.#notices.set(mandant, under + 1);
    this.#known.delete(mandant);
    this.#wake(mandant);
  }

  hear(hearing: boolean): void {
    this.#hearing = hearing;
    // What was said while nobody listened is missed.
    for (const [mandant, count] of [...this.#notices]) this.#notices.set(mandant, count + 1);
    this.#known.clear();
    this.#wakeAll();
  }

  stop(): void {
    this.#stopping = true;
    this.#wakeAll();
  }

  #isFresh(mandant: string): boolean {
    const entry = this.#known.get(mandant);
    const trusted = this.#hearing ? TRUSTED_MS : TRUSTED_DEAF_MS;
    return entry !== undefined && performance.now() - entry.readAt < trusted;
  }

  async #read(mandant: MandantId): Promise<void> {
    for (;;) {
      const before = this.#notices.get(mandant) ?? 0;
      this.#notices.set(mandant, before);
      const readAt = performance.now();
      const { rows, scopes } = await this.#db.forMandant(mandant, async (tx) => ({
        rows: await readAllInForce(tx, this.#clock.now().toISOString()),
        scopes: await this.#readScopes(tx),
      }));
      // What was said meanwhile may be missing in it.
      if (this.#notices.get(mandant) !== before) continue;
      this.#notices.delete(mandant);
      this.#remember(mandant, { ...arranged(rows), scopes, readAt });
      return;
    }
  }

  #remember(mandant: string, known: Known): void {
    this.#known.delete(mandant);
    this.#known.set(mandant, known);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MAX_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }

  #isTooMuch(others: ReadonlySet<unknown>): boolean {
    return this.#waiters >= MAX_WAITING || others.size >= MAX_WAITING_OF_ONE;
  }

  /** Milliseconds until something may have changed without a notice: one ends, or notices are not heard. */
  #untilNews(mandant: string): number {
    const now = this.#clock.now().getTime();
    let soonest = this.#hearing ? Infinity : TRUSTED_DEAF_MS;
    for (const { bis } of this.#known.get(mandant)?.rows ?? []) {
      const rest = bis ? Date.parse(bis) - now + 1 : Infinity;
      if (rest > 1 && rest < soonest) soonest = rest;
    }
    return soonest;
  }

  #wake(mandant: string): void {
    for (const resolve of this.#waiting.get(mandant) ?? []) resolve();
  }

  #wakeAll(): void {
    for (const mandant of [...this.#waiting.keys()]) this.#wake(mandant);
  }
}

export const createInForce = (
  context: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  readScopes: ReadScopes,
): InForce => new InForceInMemory(context, readScopes);
