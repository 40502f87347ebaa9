/** What an event adds to each figure, as numbers that many of can be added up without rounding and without an object for each sum. */
import { FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import { HISTOGRAMS, STEP_BOUNDS } from '#domains/verbrauch/index.ts';
import type { Sign } from '#kernel/count.ts';
import { type CountedEvent, isBurnt } from '../normalise.ts';

/** A figure is the sum of its limbs, the lowest first, each worth 2^32 of the one before. Doubles add two million of them exactly. */
interface Place {
  start: number;
  limbs: number;
  /** What the upper 64 bits of an amount must stay below to find room in them. */
  limit: bigint;
}

/** Limbs by kind of figure: counts up to 2^32, amounts from 0 to 79,228 USD and 34,028 EUR; a call beyond is added as BigInt. */
const LIMBS: Record<(typeof FIGURES)[FigureName]['kind'], number> = { count: 1, tokens: 1, usd: 3, eur: 4 };
const LIMB = 2 ** 32;
const LIMB_BITS = 32n;

/** Figures of which running sums are made; the numbers of these come first. */
const RUNNING: readonly FigureName[] = [
  ...(['aufrufe', 'fehler', 'unbepreist', 'geschaetzt'] as const),
  ...(['eingabe_token', 'ausgabe_token', 'kosten_eur'] as const),
];
const limbsOf = (name: FigureName): number => LIMBS[FIGURES[name].kind];
const sumOf = (names: readonly FigureName[]): number => names.reduce((sum, name) => sum + limbsOf(name), 0);

const LAID_OUT = [...RUNNING, ...FIGURE_NAMES.filter((name) => !RUNNING.includes(name))];
/** In the order of `FIGURE_NAMES`. */
const PLACES: readonly Place[] = FIGURE_NAMES.map((name) => {
  const limbs = limbsOf(name);
  const start = sumOf(LAID_OUT.slice(0, LAID_OUT.indexOf(name)));
  return { start, limbs, limit: limbs > 2 ? 1n << (LIMB_BITS * BigInt(limbs - 2)) : 0n };
});
/** How many numbers all figures take. */
const WIDTH = sumOf(FIGURE_NAMES);
/** How many of them running sums are made of: the first ones. */
export const RUNNING_WIDTH = sumOf(RUNNING);

type Read = (event: CountedEvent) => number | bigint | null;

/** What an event adds to each figure, in the order of `FIGURE_NAMES`. */
const READ: Record<FigureName, Read> = {
  aufrufe: () => 1,
  fehler: (event) => (event.failed ? 1 : 0),
  unbepreist: (event) => (event.usd === null ? 1 : 0),
  teilbepreist: (event) => (event.teilbepreist ? 1 : 0),
  geschaetzt: (event) => (event.geschaetzt ? 1 : 0),
  eingabe_token: (event) => event.sent.eingabe,
  ausgabe_token: (event) => event.sent.ausgabe,
  cache_lese_token: (event) => event.sent.cacheLese,
  cache_schreib_token: (event) => event.sent.cacheSchreib,
  denk_token: (event) => event.sent.denk,
  eingabe_ohne_cache: (event) => event.buckets?.eingabeOhneCache ?? null,
  ausgabe_gesamt: (event) => event.buckets?.ausgabeGesamt ?? null,
  aufgeteilt: () => 1,
  kosten_usd: (event) => event.usd,
  kosten_eur: (event) => event.eur,
  geschaetzt_eur: (event) => (event.geschaetzt || event.teilbepreist ? event.eur : null),
  ersatz_eur: (event) => (event.kurs.ersatz ? event.eur : null),
  verbranntes_geld_eur: (event) => (isBurnt(event) ? event.eur : null),
};
const READERS = FIGURE_NAMES.map((name) => READ[name]);

const WORDS = new BigUint64Array(2);
const HALVES = new Uint32Array(WORDS.buffer);

/** Writes an amount as limbs, with a sign; false when it is below 0 or has more than there is room for. */
function writeLimbs(
  numbers: Float64Array,
  { start, limbs, limit }: Place,
  amount: bigint,
  sign: Sign,
): boolean {
  const high = amount >> 64n;
  if (high < 0n || high >= limit) return false;
  WORDS[0] = amount;
  WORDS[1] = high;
  for (let limb = 0; limb < limbs; limb += 1) numbers[start + limb] = sign * (HALVES[limb] as number);
  return true;
}

/** The step of a histogram that a number of milliseconds belongs to: how many of the bounds it has reached. */
export function stepOf(milliseconds: number): number {
  let low = 0;
  let high = STEP_BOUNDS.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (milliseconds >= (STEP_BOUNDS[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const NO_STEP = -1;

/** What one event adds, or takes away; read anew for each. */
export class Addend {
  readonly numbers = new Float64Array(WIDTH);
  /** Where in `numbers` there is something, `length` of them: of most figures a call adds nothing. */
  readonly used = new Uint8Array(WIDTH);
  length = 0;
  /** Figures, by their place in `FIGURE_NAMES`, that are no sum of limbs, which are 0 then. */
  readonly beyond = new Map<number, bigint>();
  /** By histogram: the step that it is in, or none. */
  readonly steps = new Int8Array(HISTOGRAMS.length).fill(NO_STEP);
  /** Whether all of it, each step among it, is added or taken away. */
  sign: Sign = 1;

  read(event: CountedEvent, sign: Sign = 1): void {
    this.sign = sign;
    this.numbers.fill(0);
    this.beyond.clear();
    for (let figure = 0; figure < READERS.length; figure += 1) {
      const value = (READERS[figure] as Read)(event);
      if (value !== null && value !== 0) this.#write(figure, value);
    }
    this.length = 0;
    for (let index = 0; index < WIDTH; index += 1) {
      if (this.numbers[index] === 0) continue;
      this.used[this.length] = index;
      this.length += 1;
    }
    this.steps[0] = event.latenzMs === null ? NO_STEP : stepOf(event.latenzMs);
    this.steps[1] = event.ersteZeichenMs === null ? NO_STEP : stepOf(event.ersteZeichenMs);
  }

  /** What it adds to a figure, by its place in `FIGURE_NAMES`; amounts in their smallest unit. */
  figure(figure: number): number | bigint {
    return this.beyond.get(figure) ?? readFigure(this.numbers, 0, figure);
  }

  #write(figure: number, value: number | bigint): void {
    const place = PLACES[figure] as Place;
    if (typeof value === 'number' && value < LIMB) this.numbers[place.start] = this.sign * value;
    else if (typeof value === 'number' || !writeLimbs(this.numbers, place, value, this.sign))
      this.beyond.set(figure, BigInt(this.sign) * BigInt(value));
  }
}

/** The figure that limbs from `at` on stand for: a number where it has one limb, of any sign. */
export function readFigure(numbers: Float64Array, at: number, figure: number): number | bigint {
  const { start, limbs } = PLACES[figure] as Place;
  const lowest = numbers[at + start] as number;
  if (limbs === 1) return lowest;
  let carry = 0;
  for (let limb = 0; limb < limbs; limb += 1) {
    const sum = (numbers[at + start + limb] as number) + carry;
    carry = Math.floor(sum / LIMB);
    HALVES[limb] = sum - carry * LIMB;
  }
  for (let limb = limbs; limb < HALVES.length; limb += 1) HALVES[limb] = 0;
  const sum = ((WORDS[1] as bigint) << 64n) | (WORDS[0] as bigint);
  return carry === 0 ? sum : sum + (BigInt(carry) << (LIMB_BITS * BigInt(limbs)));
}
