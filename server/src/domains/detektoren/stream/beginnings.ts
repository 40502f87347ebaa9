/**
 * How the runs begin that marks are about: only one that begins as another did can be that one begun anew, and all others need not be read
 * for it. Bounded, in the memory of the process that takes the marks; where it has not seen all, it says that anything may be. No input or
 * output here.
 */
import type { RememberedRun } from '#domains/laeufe/index.ts';

/** A run that has changed, as it is remembered. */
export interface Changed {
  lauf: string;
  run: RememberedRun;
}

/** In each of two halves of what is kept; the older one is let go. */
const MOST = 20_000;
/** How far ahead a sender's clock may be, and how long calls may be on their way, in milliseconds. */
const DELAY = 60_000;
const SECOND = 1_000;

type Groups<V> = Map<string, Map<string, V>>;

/** The latest entries of all groups, by their last use. */
class Latest<V> {
  /** What was last used before, in milliseconds, may be let go. */
  letGo = Number.NEGATIVE_INFINITY;
  #young: Groups<V> = new Map();
  #old: Groups<V> = new Map();
  #size = 0;
  #begun = Number.NEGATIVE_INFINITY;

  get(group: string, key: string): V | undefined {
    return this.#young.get(group)?.get(key) ?? this.#old.get(group)?.get(key);
  }

  /** The entry, which is used; undefined where there is none. */
  use(group: string, key: string, now: number): V | undefined {
    const young = this.#young.get(group)?.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(group)?.get(key);
    if (old !== undefined) this.set(group, key, old, now);
    return old;
  }

  set(group: string, key: string, value: V, now: number): void {
    const own = this.#young.get(group) ?? new Map<string, V>();
    if (own.size === 0) this.#young.set(group, own);
    this.#size -= own.size;
    this.#size += own.set(key, value).size;
    if (this.#size < MOST) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#size = 0;
    this.letGo = this.#begun;
    this.#begun = now;
  }
}

/** The marks of a Mandant that were seen without a gap. */
interface Seen {
  /** Number of the next one. */
  next: number;
  /** From when on, in milliseconds. */
  since: number;
}

/** How a run begins. */
interface Beginning {
  /** Of the run as it was remembered then: it begins as it did as long as nothing came before what was there. */
  anew: number;
  /** The same text for all that begin alike; null where one of the first steps calls no tool. */
  alike: string | null;
}

/** Runs that begin alike: the one that began last, as far as that is known, and whether there are others. */
interface Alike {
  lauf: string;
  /** Microseconds since 1970. */
  begin: number;
  several: boolean;
}

const MASK = 64;
const PRIME = 0x9e37_79b9_7f4a_7c15n;
const mixed = (hash: bigint, value: bigint) => BigInt.asUintN(MASK, (hash ^ value) * PRIME) ^ (hash >> 29n);

/**
 * The first prompt of a run and the tools of the first steps that succeeded, as a number; 0 where one of them calls no tool. Null where
 * what is kept of the run does not say it.
 */
function beginningOf({ state: { stale, calls, recent } }: RememberedRun, steps: number): bigint | null {
  if (stale || recent.length < calls) return null;
  const first = recent.filter(({ failed }) => !failed).slice(0, steps);
  let hash = mixed(1n, first[0]?.prompt ?? -1n);
  for (const { werkzeug } of first) {
    if (werkzeug === null) return 0n;
    hash = mixed(hash, werkzeug);
  }
  return hash;
}

/** Microseconds since 1970 as milliseconds. */
const toMs = (micros: number): number => micros / 1_000;
const endOf = ({ state: { recent } }: RememberedRun): number => toMs(recent.at(-1)?.zeit ?? Infinity);

export class Beginnings {
  readonly #seen = new Latest<Seen>();
  readonly #runs = new Latest<Beginning>();
  readonly #alike = new Latest<Alike>();
  /** When runs of an agent last ended of which nobody knows how they began. */
  readonly #unknown = new Latest<number>();

  /**
   * Notes the runs that marks of a Mandant with these numbers are about, by their first steps; `complete`: whether these are all of them.
   * After a gap, what came before it is not relied on. Returns runs that were noted before one that began before them, and begins alike:
   * what they may be anew is known only now.
   */
  note(
    mandant: string,
    steps: number,
    { nummern, runs, complete }: { nummern: readonly number[]; runs: readonly Changed[]; complete: boolean },
    now: number,
  ): string[] {
    const key = `${mandant} ${steps}`;
    const [first, last] = [Math.min(...nummern), Math.max(...nummern)];
    const before = this.#seen.get(key, '');
    const goesOn = complete && before?.next === first && last - first + 1 === nummern.length;
    this.#seen.set(key, '', { next: last + 1, since: goesOn ? before.since : now }, now);
    return runs.flatMap((each) => {
      const { calls, failed } = each.run.state;
      return calls - failed >= steps ? this.#noteRun(key, each, steps, now) : [];
    });
  }

  /** Whether a run that was noted may be another one begun anew, at most some seconds after that has ended. */
  mayBeAnew(
    mandant: string,
    steps: number,
    { lauf, run }: Changed,
    { pause, now }: { pause: number; now: number },
  ): boolean {
    const key = `${mandant} ${steps}`;
    const known = this.#runs.get(key, lauf);
    const own = known?.anew === run.anew ? known.alike : this.#alikeOf(run, steps);
    if (run.state.stale || own === undefined) return true;
    const alike = own === null ? undefined : this.#alike.get(key, own);
    if (alike && (alike.several || alike.lauf !== lauf)) return true;
    // What ended before may have begun alike: it is not known.
    const unknown = this.#unknown.get(key, run.agent) ?? Number.NEGATIVE_INFINITY;
    const lost = Math.max(...[this.#seen, this.#runs, this.#alike, this.#unknown].map(({ letGo }) => letGo));
    const since = this.#seen.get(key, '')?.since ?? Infinity;
    const begin = toMs(run.state.recent[0]?.zeit ?? 0) - pause * SECOND;
    return begin <= Math.max(since, lost, unknown) || now - pause * SECOND - DELAY <= since;
  }

  #noteRun(key: string, { lauf, run }: Changed, steps: number, now: number): string[] {
    const known = this.#runs.use(key, lauf, now);
    if (known?.anew === run.anew && !run.state.stale) {
      if (known.alike !== null) this.#noteAlike(key, known.alike, { lauf, begin: -Infinity }, now);
      return [];
    }
    const alike = this.#alikeOf(run, steps, known);
    if (alike === undefined) {
      const latest = Math.max(this.#unknown.get(key, run.agent) ?? -Infinity, endOf(run));
      this.#unknown.set(key, run.agent, latest, now);
      return [];
    }
    this.#runs.set(key, lauf, { anew: run.anew, alike }, now);
    const begin = run.state.recent[0]?.zeit ?? -Infinity;
    return alike === null ? [] : this.#noteAlike(key, alike, { lauf, begin }, now);
  }

  /** What the run has in common with those that begin alike; of one of which too little is kept what was known before. */
  #alikeOf(run: RememberedRun, steps: number, known?: Beginning): string | null | undefined {
    const beginning = beginningOf(run, steps);
    if (beginning === null) return run.state.stale ? undefined : known?.alike;
    return beginning === 0n ? null : `${beginning}`;
  }

  /** Notes that a run begins so; returns the one that does, too, began after it, and was noted before. */
  #noteAlike(key: string, alike: string, run: Omit<Alike, 'several'>, now: number): string[] {
    const known = this.#alike.use(key, alike, now);
    if (!known) this.#alike.set(key, alike, { ...run, several: false }, now);
    if (!known || known.lauf === run.lauf) return [];
    known.several = true;
    if (run.begin < known.begin) return run.begin === -Infinity ? [] : [known.lauf];
    known.lauf = run.lauf;
    known.begin = run.begin;
    return [];
  }
}
