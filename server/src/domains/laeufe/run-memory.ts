/**
 * What rules need to know of runs that are under way, in the memory of the process that counts them: bounded, and made anew from the
 * events where it does not have a run, or not as it is. No input or output here.
 */
import { randomUUID } from 'node:crypto';
import { ByteSlots, type Slot } from '#kernel/byte-slots.ts';
import { advance, compareSteps, newRun, type RunState, type Step } from './run-state.ts';
import {
  copyRunState,
  earlierThanNeeded,
  hasRoomFor,
  readRunState,
  roomFor,
  writeRunState,
} from './run-state-bytes.ts';

/** What a run is by its first call, and what it has cost; 10^-34 EUR, null as long as no call has a known price. */
interface RunFacts {
  agent: string;
  projekt: string;
  endkunde: string | null;
  eur: bigint | null;
}

/** What counting adds to a run, and what the run is then. */
export interface RunChange extends RunFacts {
  lauf: string;
  /** Cost of the calls that are added; the other facts are of the first of them. */
  eur: bigint | null;
  steps: Step[];
  /** Calls of the run, these among them. */
  aufrufe: number;
  /** Grows where calls that were counted before have changed. */
  fassung: number;
}

interface RunNow extends RunFacts {
  aufrufe: number;
  state: RunState;
}

/** A run as it is remembered. */
export interface RememberedRun extends RunNow {
  /** Another number where it is not what it was, and steps that came after those. */
  anew: number;
}

/** Bytes of a block of states at most; and how many blocks there are at least. */
const BLOCK = 2 ** 18;
const LEAST_BLOCKS = 64;

class Entry implements RunFacts {
  readonly mandant: string;
  readonly lauf: string;
  agent = '';
  projekt = '';
  endkunde: string | null = null;
  eur: bigint | null = null;
  aufrufe = 0;
  fassung = 0;
  anew = 0;
  /** Whether `state` is that of all its calls in their order. */
  stale = false;
  /** Where its state stands, packed: as objects it would take five times as much; null until it is kept. */
  place: Slot | null = null;
  /** When it was last made of the events, on the monotonic clock in milliseconds. */
  readAt = Number.NEGATIVE_INFINITY;
  /** Of those that changed before this one the last, and the next that changed since. */
  older: Entry | null = null;
  newer: Entry | null = null;

  constructor(mandant: string, lauf: string) {
    this.mandant = mandant;
    this.lauf = lauf;
  }
}

/** Bytes of an entry besides its state: texts, key, objects. */
const OVERHEAD = 400;
/** A run whose calls come out of order is made anew after these milliseconds for each of its calls. */
const REST_PER_CALL = 100;

const addMoney = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null ? b : b === null ? a : a + b;

export class RunMemory {
  /** Names this memory: marks say which one holds their runs. */
  readonly id = randomUUID();
  readonly #bytes: number;
  readonly #places: ByteSlots;
  readonly #runs = new Map<string, Map<string, Entry>>();
  #count = 0;
  #oldest: Entry | null = null;
  #newest: Entry | null = null;
  #lastAnew = 0;

  /** `bytes` that all runs may take together. */
  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#places = new ByteSlots(Math.min(BLOCK, bytes / LEAST_BLOCKS));
  }

  /** Advances a run by steps that were counted. Where it was not remembered as it was before them, it is to be read anew. */
  advance(mandant: string, change: RunChange): void {
    const { lauf, aufrufe, fassung, steps } = change;
    const before = aufrufe - steps.length;
    const known = this.#find(mandant, lauf);
    const isKnown = known?.aufrufe === before && known.fassung === fassung;
    const place = isKnown ? known.place : null;
    const earlier = place ? earlierThanNeeded(place) : 0;
    const state = place ? readRunState(place, earlier) : { ...newRun(), stale: before > 0 };
    for (const step of steps.sort(compareSteps)) advance(state, step);
    const entry = known ?? this.#begin(mandant, lauf);
    if (isKnown) {
      entry.endkunde ??= change.endkunde;
      entry.eur = addMoney(entry.eur, change.eur);
    } else this.#setFacts(entry, change);
    entry.aufrufe = aufrufe;
    this.#keep(entry, state, earlier);
  }

  /** Remembers a run as its events say that it is; `now` on the monotonic clock. One that counting has just advanced stays as it is. */
  remember(mandant: string, lauf: string, run: RunNow & { fassung: number }, now: number): void {
    const entry = this.#find(mandant, lauf) ?? this.#begin(mandant, lauf);
    entry.readAt = now;
    if (entry.aufrufe > run.aufrufe) return;
    this.#setFacts(entry, run);
    entry.aufrufe = run.aufrufe;
    this.#keep(entry, run.state);
  }

  /** The run as it is remembered; null where it is not. */
  read(mandant: string, lauf: string): RememberedRun | null {
    const entry = this.#find(mandant, lauf);
    if (!entry?.place) return null;
    const { agent, projekt, endkunde, eur, aufrufe, anew, place } = entry;
    return { agent, projekt, endkunde, eur, aufrufe, anew, state: readRunState(place) };
  }

  /** Whether it is time to make a run anew of its events: it is not remembered, or its calls came out of order and that has rested. */
  isDue(mandant: string, lauf: string, now: number): boolean {
    const entry = this.#find(mandant, lauf);
    if (!entry) return true;
    return entry.stale && now - entry.readAt >= REST_PER_CALL * entry.aufrufe;
  }

  /** Forgets a run that is not as it is remembered. */
  forgetUnless(
    mandant: string,
    lauf: string,
    { aufrufe, fassung }: { aufrufe: number; fassung: number },
  ): void {
    const entry = this.#find(mandant, lauf);
    if (entry && (entry.aufrufe < aufrufe || entry.fassung !== fassung)) this.forget(mandant, lauf);
  }

  forget(mandant: string, lauf: string): void {
    const entry = this.#find(mandant, lauf);
    if (entry) this.#letGo(entry);
  }

  #find(mandant: string, lauf: string): Entry | undefined {
    return this.#runs.get(mandant)?.get(lauf);
  }

  #begin(mandant: string, lauf: string): Entry {
    const entry = new Entry(mandant, lauf);
    const own = this.#runs.get(mandant) ?? new Map<string, Entry>();
    this.#runs.set(mandant, own.set(lauf, entry));
    this.#count += 1;
    return entry;
  }

  /** What it is from here on, whatever it was. */
  #setFacts(entry: Entry, { agent, projekt, endkunde, eur, fassung }: RunFacts & { fassung: number }): void {
    this.#lastAnew += 1;
    Object.assign(entry, { agent, projekt, endkunde, eur, fassung, anew: this.#lastAnew });
  }

  /** Keeps a run as the one that changed last; `earlier` counts the steps that stand at its place before those of `state`. */
  #keep(entry: Entry, state: RunState, earlier = 0): void {
    const steps = earlier + state.recent.length;
    const before = entry.place;
    const place = before && hasRoomFor(before, steps) ? before : this.#places.take(roomFor(steps));
    if (before && before !== place) {
      copyRunState(before, place, earlier);
      this.#places.giveBack(before);
    }
    writeRunState(place, state, earlier);
    entry.place = place;
    entry.stale = state.stale;
    this.#unlink(entry);
    entry.older = this.#newest;
    if (this.#newest) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
    while (this.#oldest !== entry && OVERHEAD * this.#count + this.#places.bytes > this.#bytes)
      this.#letGo(this.#oldest);
  }

  #letGo(entry: Entry): void {
    this.#unlink(entry);
    if (entry.place) this.#places.giveBack(entry.place);
    const own = this.#runs.get(entry.mandant);
    own?.delete(entry.lauf);
    if (own?.size === 0) this.#runs.delete(entry.mandant);
    this.#count -= 1;
  }

  #unlink(entry: Entry): void {
    const { older, newer } = entry;
    if (older) older.newer = newer;
    if (newer) newer.older = older;
    if (this.#oldest === entry) this.#oldest = newer;
    if (this.#newest === entry) this.#newest = older;
    entry.older = null;
    entry.newer = null;
  }
}
