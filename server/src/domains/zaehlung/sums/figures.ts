/** What an event adds to each figure, as numbers that many of can be added up without rounding and without an object for each sum. */
import { FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import { isFailure } from '#domains/ereignisse/index.ts';
import { HISTOGRAMS, STEP_BOUNDS } from '#domains/verbrauch/index.ts';
import type { CountedEvent } from '../normalise.ts';

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

let width = 0;
/** In the order of `FIGURE_NAMES`. */
const PLACES: readonly Place[] = FIGURE_NAMES.map((name) => {
  const limbs = LIMBS[FIGURES[name].kind];
  const place = { start: width, limbs, limit: limbs > 2 ? 1n << (LIMB_BITS * BigInt(limbs - 2)) : 0n };
  width += place.limbs;
  return place;
});
/** How many numbers all figures take. */
export const WIDTH = width;

type Read = (event: CountedEvent) => number | bigint | null;

const COUNTED: Record<FigureName, Read> = {
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
  verbranntes_geld_eur: (event) => (event.failed ? event.eur : null),
};

/** What an event adds to the figures, in the order of `FIGURE_NAMES`, and whether it is in the histograms. */
export interface Addition {
  figures: readonly Read[];
  histograms: boolean;
  /** Whether all of it is taken away: figures have their signs, histograms none. */
  taken?: boolean;
  /** How many calls at its rate it makes more. */
  atRate: (event: CountedEvent) => number;
}

/** An event that is counted for the first time. */
export const NEW_EVENT: Addition = {
  figures: FIGURE_NAMES.map((name) => COUNTED[name]),
  histograms: true,
  atRate: () => 1,
};

const isMoney = (name: FigureName) => FIGURES[name].kind === 'usd' || FIGURES[name].kind === 'eur';

/** An event that was counted without a price and has one now: nothing but its money is added, and how sure that is. */
export const LATE_PRICE: Addition = {
  figures: FIGURE_NAMES.map((name) =>
    isMoney(name) || name === 'teilbepreist' ? COUNTED[name] : () => (name === 'unbepreist' ? -1 : 0),
  ),
  histograms: false,
  atRate: () => 0,
};

/** A counted call whose price is another one now; its amounts are what it costs more than before. */
export interface RepricedEvent extends CountedEvent {
  /** How much more it is of each of these. */
  difference: { unbepreist: number; teilbepreist: number; geschaetztEur: bigint };
}

const DIFFERENCES: Partial<Record<FigureName, Read>> = {
  unbepreist: (event) => (event as RepricedEvent).difference.unbepreist,
  teilbepreist: (event) => (event as RepricedEvent).difference.teilbepreist,
  geschaetzt_eur: (event) => (event as RepricedEvent).difference.geschaetztEur,
};

/** A counted call that is priced anew: its money changes, and how sure that is. */
export const REPRICED: Addition = {
  figures: FIGURE_NAMES.map((name) => DIFFERENCES[name] ?? (isMoney(name) ? COUNTED[name] : () => 0)),
  histograms: false,
  atRate: () => 0,
};

/** A call that was proven to be a repeat, or is none after all (a negative amount): nothing but the burnt money changes. */
export const REPEAT: Addition = {
  figures: FIGURE_NAMES.map((name) =>
    name === 'verbranntes_geld_eur' ? (event: CountedEvent) => event.eur : () => 0,
  ),
  histograms: false,
  atRate: () => 0,
};

/** A call at the substitute, to be taken away (negative amounts), and the same at its reference rate: nothing but money moves. */
export const RATE_REPLACED: Addition = {
  figures: FIGURE_NAMES.map((name) => (isMoney(name) ? COUNTED[name] : () => 0)),
  histograms: false,
  atRate: ({ kurs }) => (kurs.ersatz ? -1 : 1),
};

const negative = (value: number | bigint | null): number | bigint | null =>
  value === null ? null : typeof value === 'bigint' ? -value : -value;

/** An event that was counted before, with all that it added. Its `failed` says whether its cost was burnt. */
export const COUNTED_BEFORE: Addition = {
  ...NEW_EVENT,
  figures: FIGURE_NAMES.map((name) =>
    name === 'fehler'
      ? (event: CountedEvent) => (isFailure(event.status, event.received.seconds) ? 1 : 0)
      : COUNTED[name],
  ),
};

/** A counted call that is taken back: whatever it added is taken away. */
export const TAKEN_BACK: Addition = {
  figures: COUNTED_BEFORE.figures.map((read) => (event) => negative(read(event))),
  histograms: true,
  taken: true,
  atRate: () => -1,
};

const WORDS = new BigUint64Array(2);
const HALVES = new Uint32Array(WORDS.buffer);

/** Writes an amount as limbs; false when it is below 0 or has more than there is room for. */
function writeLimbs(numbers: Float64Array, { start, limbs, limit }: Place, amount: bigint): boolean {
  const high = amount >> 64n;
  if (high < 0n || high >= limit) return false;
  WORDS[0] = amount;
  WORDS[1] = high;
  for (let limb = 0; limb < limbs; limb += 1) numbers[start + limb] = HALVES[limb] as number;
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

/** What one event adds; read anew for each. */
export class Addend {
  readonly numbers = new Float64Array(WIDTH);
  /** Where in `numbers` there is something, `length` of them: of most figures a call adds nothing. */
  readonly used = new Uint8Array(WIDTH);
  length = 0;
  /** Figures, by their place in `FIGURE_NAMES`, that are no sum of limbs, which are 0 then. */
  readonly beyond = new Map<number, bigint>();
  /** By histogram: the step to count one more in, or none. */
  readonly steps = new Int8Array(HISTOGRAMS.length).fill(NO_STEP);
  readonly #addition: Addition;

  constructor(addition: Addition) {
    this.#addition = addition;
  }

  read(event: CountedEvent): void {
    const { figures, histograms } = this.#addition;
    this.numbers.fill(0);
    this.beyond.clear();
    for (let figure = 0; figure < figures.length; figure += 1) {
      const value = (figures[figure] as Read)(event);
      if (value !== null && value !== 0) this.#write(figure, value);
    }
    this.length = 0;
    for (let index = 0; index < WIDTH; index += 1) {
      if (this.numbers[index] === 0) continue;
      this.used[this.length] = index;
      this.length += 1;
    }
    if (!histograms) return;
    this.steps[0] = event.latenzMs === null ? NO_STEP : stepOf(event.latenzMs);
    this.steps[1] = event.ersteZeichenMs === null ? NO_STEP : stepOf(event.ersteZeichenMs);
  }

  /** What it adds to a figure, by its place in `FIGURE_NAMES`; amounts in their smallest unit. */
  figure(figure: number): number | bigint {
    return this.beyond.get(figure) ?? readFigure(this.numbers, 0, figure);
  }

  #write(figure: number, value: number | bigint): void {
    const place = PLACES[figure] as Place;
    if (typeof value === 'number' && value < LIMB) this.numbers[place.start] = value;
    else if (typeof value === 'number' || !writeLimbs(this.numbers, place, value))
      this.beyond.set(figure, BigInt(value));
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
