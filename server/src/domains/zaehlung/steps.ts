/** The steps of runs that a stretch brings. */
import { SUCCESS } from '#domains/ereignisse/index.ts';
import type { Step } from '#domains/laeufe/index.ts';
import type { CountedEvent } from './normalise.ts';

const MICROSECONDS = 1e6;
const FAILED = 1;
const ESTIMATED = 2;
const HAS_PROMPT = 4;
const HAS_TOOL = 8;
const HAS_PRICE = 16;
const HAS_NUMBER = 32;
const LED = 64;
const FIRST_STEPS = 4;
/** Numbers of a step: its own, its time, its input tokens, those that did not come from the cache. */
const NUMBERS = 4;
/** Words of a step: its cost in two, its prints, its event's id in two. */
const WORDS = 6;

const flagsOf = (event: CountedEvent, prompt: bigint | null, werkzeug: bigint | null): number =>
  (event.status === SUCCESS ? 0 : FAILED) |
  (event.geschaetzt ? ESTIMATED : 0) |
  (event.eltern === null ? 0 : LED) |
  (prompt === null ? 0 : HAS_PROMPT) |
  (werkzeug === null ? 0 : HAS_TOOL) |
  (event.usd === null ? 0 : HAS_PRICE) |
  (event.schritt === null ? 0 : HAS_NUMBER);

/**
 * The steps that a stretch brings, as columns: they stay until the stretch is written, and thousands of objects that stay
 * cost more than all that is done with them.
 */
export class Steps {
  /** By run: the places of its steps. */
  readonly byRun = new Map<string, number[]>();
  readonly #modelle: string[] = [];
  #numbers = new Float64Array(FIRST_STEPS * NUMBERS);
  #words = new BigUint64Array(FIRST_STEPS * WORDS);
  #flags = new Uint8Array(FIRST_STEPS);

  /** Adds an event that belongs to a run, with the halves of its id, and its prints. */
  add(
    event: CountedEvent,
    lauf: string,
    id: readonly [high: bigint, low: bigint],
    prompt: bigint | null,
    werkzeug: bigint | null,
  ): void {
    const place = this.#modelle.push(event.modell ?? '') - 1;
    if (place === this.#flags.length) this.#grow();
    const { buckets, usd, schritt } = event;
    const uncached = (buckets?.eingabeOhneCache ?? 0) + (buckets?.cacheSchreib ?? 0);
    const numbers = NUMBERS * place;
    this.#numbers[numbers] = schritt ?? 0;
    this.#numbers[numbers + 1] = event.seconds * MICROSECONDS + event.micros;
    this.#numbers[numbers + 2] = uncached + (buckets?.cacheLese ?? 0);
    this.#numbers[numbers + 3] = uncached;
    const words = WORDS * place;
    this.#words[words] = usd ?? 0n;
    this.#words[words + 1] = (usd ?? 0n) >> 64n;
    this.#words[words + 2] = prompt ?? 0n;
    this.#words[words + 3] = werkzeug ?? 0n;
    this.#words[words + 4] = id[0];
    this.#words[words + 5] = id[1];
    this.#flags[place] = flagsOf(event, prompt, werkzeug);
    const known = this.byRun.get(lauf);
    if (known) known.push(place);
    else this.byRun.set(lauf, [place]);
  }

  /** The step at a place; `modelNumber` gives the `merkmal_id` of a model. */
  at(place: number, modelNumber: (modell: string) => number): Step {
    const flags = this.#flags[place] as number;
    const numbers = NUMBERS * place;
    const words = WORDS * place;
    const high = this.#words[words + 1] as bigint;
    const low = this.#words[words] as bigint;
    return {
      schritt: flags & HAS_NUMBER ? (this.#numbers[numbers] as number) : null,
      zeit: this.#numbers[numbers + 1] as number,
      ereignisId: ((this.#words[words + 4] as bigint) << 64n) | (this.#words[words + 5] as bigint),
      prompt: flags & HAS_PROMPT ? (this.#words[words + 2] as bigint) : null,
      werkzeug: flags & HAS_TOOL ? (this.#words[words + 3] as bigint) : null,
      modell: modelNumber(this.#modelle[place] as string),
      eingabe: this.#numbers[numbers + 2] as number,
      ohneCacheLesen: this.#numbers[numbers + 3] as number,
      usd: flags & HAS_PRICE ? (high === 0n ? low : (high << 64n) | low) : null,
      failed: (flags & FAILED) !== 0,
      geschaetzt: (flags & ESTIMATED) !== 0,
      geleitet: (flags & LED) !== 0,
    };
  }

  #grow(): void {
    const numbers = new Float64Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const words = new BigUint64Array(2 * this.#words.length);
    words.set(this.#words);
    this.#words = words;
    const flags = new Uint8Array(2 * this.#flags.length);
    flags.set(this.#flags);
    this.#flags = flags;
  }
}
