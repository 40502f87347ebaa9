/**
 * What rules need to know of runs that are under way, in the memory of the process that counts them: bounded, and made anew from the
 * events where it does not have a run, or not as it is. No input or output here.
 */
import { randomUUID } from 'node:crypto';
import { advance, compareSteps, newRun, type RunState, type Step } from './run-state.ts';
import {
  copyRunState,
  earlierThanNeeded,
  hasRoomFor,
  readRunState,
  roomFor,
  type StatePlace,
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

/** Bytes that states are written into, one behind the other: as many objects as there are runs are what collecting garbage costs. */
const BLOCK = 2 ** 18;

interface Entry extends RunFacts {
  aufrufe: number;
  fassung: number;
  anew: number;
  /** Whether `state` is that of all its calls in their order. */
  stale: boolean;
  /** Where its state stands, packed: as objects it would take five times as much; null until it is kept. */
  place: StatePlace | null;
  /** When it was last made of the events, on the monotonic clock in milliseconds. */
  readAt: number;
}

/** Bytes of an entry besides its state: texts, key, objects. */
const OVERHEAD = 400;
/** A run whose calls come out of order is made anew after these milliseconds for each of its calls. */
const REST_PER_CALL = 100;

const addMoney = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null ? b : b === null ? a : a + b;

type Entries = Map<string, Map<string, Entry>>;

export class RunMemory {
  /** Names this memory: marks say which one holds their runs. */
  readonly id = randomUUID();
  readonly #bytesOfHalf: number;
  /** By Mandant, runs that changed or were looked at since the other half was let go, and those of the time before. */
  #young: Entries = new Map();
  #old: Entries = new Map();
  #youngBytes = 0;
  /** Where the next state of the young half goes. */
  #block = new DataView(new ArrayBuffer(0));
  #used = 0;
  #lastAnew = 0;

  /** `bytes` that all runs may take together. */
  constructor(bytes: number) {
    this.#bytesOfHalf = bytes / 2;
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
    const entry = isKnown ? known : this.#begin(change, known);
    if (isKnown) {
      entry.endkunde ??= change.endkunde;
      entry.eur = addMoney(entry.eur, change.eur);
    }
    entry.aufrufe = aufrufe;
    entry.stale = state.stale;
    this.#keep(mandant, lauf, entry, state, earlier);
  }

  #begin({ agent, projekt, endkunde, eur, aufrufe, fassung }: RunChange, known: Entry | undefined): Entry {
    const readAt = known?.readAt ?? Number.NEGATIVE_INFINITY;
    return {
      agent,
      projekt,
      endkunde,
      eur,
      aufrufe,
      fassung,
      anew: this.#nextAnew(),
      stale: false,
      place: null,
      readAt,
    };
  }

  /** Remembers a run as its events say that it is; `now` on the monotonic clock. One that counting has just advanced stays as it is. */
  remember(mandant: string, lauf: string, run: RunNow & { fassung: number }, now: number): void {
    const { state, ...rest } = run;
    const known = this.#find(mandant, lauf);
    if (known && known.aufrufe > run.aufrufe) known.readAt = now;
    else
      this.#keep(
        mandant,
        lauf,
        { ...rest, anew: this.#nextAnew(), stale: state.stale, place: null, readAt: now },
        state,
      );
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
    this.#old.get(mandant)?.delete(lauf);
    this.#young.get(mandant)?.delete(lauf);
  }

  #nextAnew(): number {
    this.#lastAnew += 1;
    return this.#lastAnew;
  }

  #find(mandant: string, lauf: string): Entry | undefined {
    return this.#young.get(mandant)?.get(lauf) ?? this.#old.get(mandant)?.get(lauf);
  }

  /** Keeps a run among the young; `earlier` counts the steps that stand at its place before those of `state`. */
  #keep(mandant: string, lauf: string, entry: Entry, state: RunState, earlier = 0): void {
    const own = this.#young.get(mandant) ?? new Map<string, Entry>();
    if (own.size === 0) this.#young.set(mandant, own);
    const before = own.get(lauf);
    if (!before) this.#youngBytes += OVERHEAD;
    const steps = earlier + state.recent.length;
    const place =
      before?.place && hasRoomFor(before.place, steps) ? before.place : this.#newPlace(roomFor(steps));
    if (entry.place && entry.place !== place) copyRunState(entry.place, place, earlier);
    writeRunState(place, state, earlier);
    entry.place = place;
    own.set(lauf, entry);
    this.#old.get(mandant)?.delete(lauf);
    if (this.#youngBytes < this.#bytesOfHalf) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
    // What is written from here on outlives those of before.
    this.#used = this.#block.byteLength;
  }

  #newPlace(room: number): StatePlace {
    if (this.#used + room > this.#block.byteLength) {
      this.#block = new DataView(new ArrayBuffer(BLOCK));
      this.#used = 0;
    }
    const place = { view: this.#block, at: this.#used, room };
    this.#used += room;
    this.#youngBytes += room;
    return place;
  }
}
