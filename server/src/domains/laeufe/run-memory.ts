/**
 * What rules need to know of runs that are under way, in the memory of the process that counts them: bounded, and made anew from the
 * events where it does not have a run, or not as it is. No input or output here.
 */
import { randomUUID } from 'node:crypto';
import { advance, compareSteps, newRun, type RunState, type Step } from './run-state.ts';
import { readRunState, writeRunState } from './run-state-bytes.ts';

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

interface Entry extends RunFacts {
  aufrufe: number;
  fassung: number;
  anew: number;
  /** Whether `state` is that of all its calls in their order. */
  stale: boolean;
  /** The state, packed: as objects it would take five times as much. */
  state: Buffer;
  /** When it was last made of the events, on the monotonic clock in milliseconds. */
  readAt: number;
}

/** Bytes of an entry besides its state: texts, key, objects. */
const OVERHEAD = 400;
/** A run whose calls come out of order is made anew after so many milliseconds for each of its calls. */
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
    const state = isKnown ? readRunState(known.state) : { ...newRun(), stale: before > 0 };
    for (const step of steps.sort(compareSteps)) advance(state, step);
    this.#keep(mandant, lauf, {
      agent: isKnown ? known.agent : change.agent,
      projekt: isKnown ? known.projekt : change.projekt,
      endkunde: (isKnown ? known.endkunde : null) ?? change.endkunde,
      eur: addMoney(isKnown ? known.eur : null, change.eur),
      aufrufe,
      fassung,
      anew: isKnown ? known.anew : this.#nextAnew(),
      stale: state.stale,
      state: writeRunState(state, known?.state),
      readAt: known?.readAt ?? Number.NEGATIVE_INFINITY,
    });
  }

  /** Remembers a run as its events say that it is; `now` on the monotonic clock. One that counting has just advanced stays as it is. */
  remember(mandant: string, lauf: string, run: RunNow & { fassung: number }, now: number): void {
    const { state, ...rest } = run;
    const known = this.#find(mandant, lauf);
    if (known && known.aufrufe > run.aufrufe) known.readAt = now;
    else
      this.#keep(mandant, lauf, {
        ...rest,
        anew: this.#nextAnew(),
        stale: state.stale,
        state: writeRunState(state),
        readAt: now,
      });
  }

  /** The run as it is remembered; null where it is not. */
  read(mandant: string, lauf: string): RememberedRun | null {
    const entry = this.#find(mandant, lauf);
    if (!entry) return null;
    const { agent, projekt, endkunde, eur, aufrufe, anew, state } = entry;
    return { agent, projekt, endkunde, eur, aufrufe, anew, state: readRunState(state) };
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

  #keep(mandant: string, lauf: string, entry: Entry): void {
    const own = this.#young.get(mandant) ?? new Map<string, Entry>();
    if (own.size === 0) this.#young.set(mandant, own);
    const before = own.get(lauf);
    this.#youngBytes += entry.state.length + (before ? -before.state.length : OVERHEAD);
    own.set(lauf, entry);
    this.#old.get(mandant)?.delete(lauf);
    if (this.#youngBytes < this.#bytesOfHalf) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
